import { client, serviceUrl } from "../../app/Client.js"
import { place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { ChoiceFilter, SearchFilter, searchOf } from "../../components/ListFilters.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { ThreadRow } from "./ThreadRow.js"

const command = `curl ${serviceUrl}/v1/email/send \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"to":["ada@example.com"],"subject":"Hello","text":"Reply to this mail."}'`

const statuses = ["active", "resolved", "archived"] as const

/** The filters of the list, from the URL. Unknown values are left out. */
const filtersOf = (query: URLSearchParams) => {
  const status = statuses.find((value) => value === query.get("status"))
  return { ...searchOf(query), ...(status === undefined ? {} : { status }) }
}

/** The list of e-mail threads, newest first, kept up to date by events. */
const ThreadsView = () => {
  const filters = filtersOf(place.value.query)
  const key = JSON.stringify(filters)
  const { feed } = useResources(
    key,
    (signal) => client.threads.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
    ["message.received", "message.created", "conversation."]
  )
  return (
    <>
      <ViewHeader title="Threads" />
      <search class="filters">
        <SearchFilter label="Find threads" placeholder="Find by subject" />
        <ChoiceFilter name="status" label="Status" values={statuses} />
      </search>
      <FeedList
        label="Threads"
        columns="threads"
        feed={feed}
        keyOf={idOf}
        hrefOf={({ id }) => linkTo(paths.thread, { id })}
        row={(thread) => <ThreadRow thread={thread} />}
        empty={
          key === "{}" ? (
            <EmptyState
              title="No threads yet"
              text="A thread begins with a received mail, or with the reply to a sent one. Send a mail:"
              command={command}
            />
          ) : (
            <EmptyState title="No thread matches" text="Change the filters, or remove them." />
          )
        }
      />
    </>
  )
}

export default ThreadsView
