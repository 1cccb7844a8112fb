import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { Draft } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { draftName } from "./DraftName.js"
import { recipientText } from "./DraftRecipients.js"

const row = (draft: Draft) => (
  <>
    <span class="subject">{draftName(draft)}</span>
    <span class="secondary">{draft.recipients.map(recipientText).join(", ")}</span>
    <Status value={draft.sentMessageId === undefined ? "draft" : "sent"} />
    <Time value={draft.lastEditedAt} />
  </>
)

const createDraft = async () => {
  const { id } = await client.drafts.create({ payload: { channel: "email", recipients: [], content: {} } })
  navigate(linkTo(paths.draft, { id }))
}

/** The list of drafts, newest first. */
const DraftsView = () => {
  const filters = { search: filterText("search") }
  return (
    <ListView
      title="Drafts"
      noun="draft"
      filters={filters}
      open={(signal) => client.drafts.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      columns="drafts"
      headings={["Draft", "Recipients", "Status", "Changed"]}
      hrefOf={({ id }) => linkTo(paths.draft, { id })}
      row={row}
      empty={{
        text: "Create the first one:",
        command: curlCommand("/drafts", {
          channel: "email",
          recipients: [{ email: "ada@example.com" }],
          content: { subject: "News" }
        })
      }}
      actions={() => (
        <ActionButton
          label="Create a draft"
          icon="template"
          kind="primary"
          permission="drafts.write"
          action={createDraft}
        />
      )}
    >
      <SearchFilter label="Find drafts" placeholder="Find by title, subject or recipient" />
    </ListView>
  )
}

export default DraftsView
