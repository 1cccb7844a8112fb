import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { Conversation } from "../../app/Types.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { FormDialog } from "../../components/FormDialog.js"
import { ListView } from "../../components/ListView.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { ConversationFields, conversationOf } from "./ConversationFields.js"
import { ConversationFilters, conversationFilters } from "./ConversationFilters.js"

const row = ({ lastActivityAt, priority, startedAt, status, tags, title }: Conversation) => (
  <>
    <span class="subject">
      {title ?? <em>no title</em>}
      {tags.map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}
    </span>
    <span class="priority">Priority {priority}</span>
    <Status value={status} />
    <Time value={lastActivityAt ?? startedAt} />
  </>
)

const begin = async (form: FormData) => {
  const { id } = await client.conversations.create({ payload: { ...conversationOf(form), channels: ["email"] } })
  navigate(linkTo(paths.conversation, { id }))
}

/** The list of conversations, newest first, kept up to date by events. */
const ConversationsView = () => {
  const filters = conversationFilters()
  return (
    <ListView
      title="Conversations"
      noun="conversation"
      filters={filters}
      open={(signal) => client.conversations.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["conversation."]}
      columns="conversations"
      headings={["Conversation", "Priority", "Status", "Last activity"]}
      hrefOf={({ id }) => linkTo(paths.conversation, { id })}
      row={row}
      empty={{
        text: "A conversation begins with a received mail. To begin one yourself:",
        command: curlCommand("/conversations", {
          title: "Where is my order?",
          channels: ["email"],
          tags: ["orders"]
        })
      }}
      actions={() => (
        <FormDialog
          label="Begin a conversation"
          kind="primary"
          permission="conversations.write"
          submitLabel="Begin"
          submit={begin}
        >
          <ConversationFields />
        </FormDialog>
      )}
    >
      <ConversationFilters />
    </ListView>
  )
}

export default ConversationsView
