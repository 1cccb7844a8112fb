import { client, serviceUrl } from "../../app/Client.js"
import { place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { Conversation } from "../../app/Types.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { ConversationFilters, conversationFilters } from "./ConversationFilters.js"

const command = `curl ${serviceUrl}/v1/conversations \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"title":"Where is my order?","channels":["email"],"tags":["orders"]}'`

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

/** The list of conversations, newest first, kept up to date by events. */
const ConversationsView = () => {
  const filters = conversationFilters(place.value.query)
  const key = JSON.stringify(filters)
  const { feed } = useResources(
    key,
    (signal) => client.conversations.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
    ["conversation."]
  )
  return (
    <>
      <ViewHeader title="Conversations" />
      <ConversationFilters />
      <FeedList
        label="Conversations"
        columns="conversations"
        feed={feed}
        keyOf={idOf}
        hrefOf={({ id }) => linkTo(paths.conversation, { id })}
        row={row}
        empty={
          key === "{}" ? (
            <EmptyState
              title="No conversations yet"
              text="A conversation begins with a received mail. To begin one yourself:"
              command={command}
            />
          ) : (
            <EmptyState title="No conversation matches" text="Change the filters, or remove them." />
          )
        }
      />
    </>
  )
}

export default ConversationsView
