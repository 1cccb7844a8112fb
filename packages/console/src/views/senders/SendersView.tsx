import { client } from "../../app/Client.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { ChoiceFilter, filterChoice, filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { AddSender } from "./AddSender.js"
import { SenderRow } from "./SenderRow.js"

const statuses = ["pending", "verified", "failed"] as const

/** The addresses that the organization sends from, newest first. */
const SendersView = () => {
  const filters = { search: filterText("search"), verificationStatus: filterChoice("status", statuses) }
  return (
    <ListView
      title="Senders"
      noun="sender"
      filters={filters}
      open={(signal) => client.senders.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["email_sender.", "email_domain."]}
      columns="senders"
      headings={["Sender", "Status", "Added", ""]}
      row={(sender, { feed, refresh }) => (
        <SenderRow sender={sender} changed={refresh} removed={() => feed.remove(sender.id)} />
      )}
      empty={{
        text: "Add an address to send from:",
        command: curlCommand("/email/senders", { email: "orders@example.com", name: "Orders" })
      }}
      actions={({ refresh }) => <AddSender added={refresh} />}
    >
      <SearchFilter label="Find senders" placeholder="Find by address or name" />
      <ChoiceFilter name="status" label="Status" values={statuses} />
    </ListView>
  )
}

export default SendersView
