import { client } from "../../app/Client.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { ChoiceFilter, filterChoice, filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { AddBlock } from "./AddBlock.js"
import { BlockRow } from "./BlockRow.js"
import { CheckAddress } from "./CheckAddress.js"

const reasons = ["hard_bounce", "complaint", "unsubscribe", "manual"] as const

/** The blocked addresses and domains, newest first. */
const BlocksView = () => {
  const filters = { search: filterText("search"), reason: filterChoice("reason", reasons) }
  return (
    <ListView
      title="Blocks"
      noun="block"
      filters={filters}
      open={(signal) => client.blocks.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["email_block."]}
      columns="blocks"
      row={(block, { feed }) => <BlockRow block={block} removed={() => feed.remove(block.id)} />}
      empty={{
        title: "No blocks",
        text: "Bounces, complaints and unsubscriptions block their address. To block one yourself:",
        command: curlCommand("/email/blocks", { email: "ada@example.com" })
      }}
      actions={({ refresh }) => (
        <>
          <CheckAddress />
          <AddBlock added={refresh} />
        </>
      )}
    >
      <SearchFilter label="Find blocks" placeholder="Find by address or domain" />
      <ChoiceFilter name="reason" label="Reason" values={reasons} />
    </ListView>
  )
}

export default BlocksView
