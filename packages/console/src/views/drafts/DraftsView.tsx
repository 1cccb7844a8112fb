import { client, serviceUrl } from "../../app/Client.js"
import { navigate, place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { Draft } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { SearchFilter, searchOf } from "../../components/ListFilters.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { draftName } from "./DraftName.js"
import { recipientText } from "./DraftRecipients.js"

const command = `curl ${serviceUrl}/v1/drafts \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"channel":"email","recipients":[{"email":"ada@example.com"}],"content":{"subject":"News"}}'`

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
  const filters = searchOf(place.value.query)
  const key = JSON.stringify(filters)
  const { feed } = useResources(
    key,
    (signal) => client.drafts.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
    []
  )
  return (
    <>
      <ViewHeader title="Drafts">
        <ActionButton label="New draft" icon="template" kind="primary" permission="drafts.write" action={createDraft} />
      </ViewHeader>
      <search class="filters">
        <SearchFilter label="Find drafts" placeholder="Find by title, subject or recipient" />
      </search>
      <FeedList
        label="Drafts"
        columns="drafts"
        feed={feed}
        keyOf={idOf}
        hrefOf={({ id }) => linkTo(paths.draft, { id })}
        row={row}
        empty={
          key === "{}" ? (
            <EmptyState title="No drafts yet" text="Create the first one:" command={command} />
          ) : (
            <EmptyState title="No draft matches" text="Change the search, or remove it." />
          )
        }
      />
    </>
  )
}

export default DraftsView
