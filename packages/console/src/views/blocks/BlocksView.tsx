import { client, serviceUrl } from "../../app/Client.js"
import { place } from "../../app/Location.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { ChoiceFilter, SearchFilter, searchOf } from "../../components/ListFilters.js"
import { idOf, useResources } from "../../components/UseResources.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { AddBlock } from "./AddBlock.js"
import { BlockRow } from "./BlockRow.js"
import { CheckAddress } from "./CheckAddress.js"

const reasons = ["hard_bounce", "complaint", "unsubscribe", "manual"] as const

const command = `curl ${serviceUrl}/v1/email/blocks \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.com"}'`

/** The blocked addresses and domains, newest first. */
const BlocksView = () => {
  const { query } = place.value
  const reason = reasons.find((value) => value === query.get("reason"))
  const filters = { ...searchOf(query), ...(reason === undefined ? {} : { reason }) }
  const key = JSON.stringify(filters)
  const { feed, refresh } = useResources(
    key,
    (signal) => client.blocks.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
    ["email_block."]
  )
  return (
    <>
      <ViewHeader title="Blocks">
        <CheckAddress />
        <AddBlock added={refresh} />
      </ViewHeader>
      <search class="filters">
        <SearchFilter label="Find blocks" placeholder="Find by address or domain" />
        <ChoiceFilter name="reason" label="Reason" values={reasons} />
      </search>
      <FeedList
        label="Blocks"
        columns="blocks"
        feed={feed}
        keyOf={idOf}
        row={(block) => <BlockRow block={block} removed={() => feed.remove(block.id)} />}
        empty={
          key === "{}" ? (
            <EmptyState
              title="No blocks"
              text="Bounces, complaints and unsubscriptions block their address. To block one yourself:"
              command={command}
            />
          ) : (
            <EmptyState title="No block matches" text="Change the filters, or remove them." />
          )
        }
      />
    </>
  )
}

export default BlocksView
