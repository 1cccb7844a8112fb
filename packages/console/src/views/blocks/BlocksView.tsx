import { client, serviceUrl } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { ChoiceFilter, filterChoice, filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { AddBlock } from "./AddBlock.js"
import { BlockRow } from "./BlockRow.js"
import { blockReasons } from "./BlockText.js"
import { CheckAddress } from "./CheckAddress.js"
import { ImportBlocks } from "./ImportBlocks.js"

/** The blocked addresses and domains, newest first. */
const BlocksView = () => {
  const filters = { search: filterText("search"), reason: filterChoice("reason", blockReasons) }
  return (
    <ListView
      title="Blocks"
      noun="block"
      filters={filters}
      open={(signal) => client.blocks.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["email_block."]}
      columns="blocks"
      headings={["Address or domain", "Reason", "Held back", "Added", ""]}
      row={(block, { feed }) => (
        <BlockRow block={block} changed={(changed) => feed.update([changed])} removed={() => feed.remove(block.id)} />
      )}
      empty={{
        title: "No blocks",
        text: "Bounces, complaints and unsubscriptions block their address. To block one yourself:",
        command: curlCommand("/email/blocks", { email: "ada@example.com" })
      }}
      actions={({ refresh }) => (
        <>
          <CheckAddress />
          <a class="button" href={linkTo(paths.blockLog, {})}>
            Log
          </a>
          <a class="button" href={`${serviceUrl}/v1/email/blocks/export`} download="blocks.csv">
            Export
          </a>
          <ImportBlocks imported={refresh} />
          <AddBlock added={refresh} />
        </>
      )}
    >
      <SearchFilter label="Find blocks" placeholder="Find by address or domain" />
      <ChoiceFilter name="reason" label="Reason" values={blockReasons} />
    </ListView>
  )
}

export default BlocksView
