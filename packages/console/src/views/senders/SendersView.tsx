import { client, serviceUrl } from "../../app/Client.js"
import { place } from "../../app/Location.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { ChoiceFilter, SearchFilter, searchOf } from "../../components/ListFilters.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { AddSender } from "./AddSender.js"
import { SenderRow } from "./SenderRow.js"

const statuses = ["pending", "verified", "failed"] as const

const command = `curl ${serviceUrl}/v1/email/senders \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"email":"orders@example.com","name":"Orders"}'`

/** The addresses that the organization sends from, newest first. */
const SendersView = () => {
  const { query } = place.value
  const status = statuses.find((value) => value === query.get("status"))
  const filters = { ...searchOf(query), ...(status === undefined ? {} : { verificationStatus: status }) }
  const key = JSON.stringify(filters)
  const { feed, refresh } = useResources(
    key,
    (signal) => client.senders.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
    ["email_sender.", "email_domain."]
  )
  return (
    <>
      <ViewHeader title="Senders">
        <AddSender added={refresh} />
      </ViewHeader>
      <search class="filters">
        <SearchFilter label="Find senders" placeholder="Find by address or name" />
        <ChoiceFilter name="status" label="Status" values={statuses} />
      </search>
      <FeedList
        label="Senders"
        columns="senders"
        feed={feed}
        keyOf={idOf}
        row={(sender) => <SenderRow sender={sender} changed={refresh} removed={() => feed.remove(sender.id)} />}
        empty={
          key === "{}" ? (
            <EmptyState title="No senders yet" text="Add an address to send from:" command={command} />
          ) : (
            <EmptyState title="No sender matches" text="Change the filters, or remove them." />
          )
        }
      />
    </>
  )
}

export default SendersView
