import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { ChoiceFilter, filterChoice, filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { ThreadRow } from "./ThreadRow.js"

const statuses = ["active", "resolved", "archived"] as const

/** The list of e-mail threads, newest first, kept up to date by events. */
const ThreadsView = () => {
  const filters = { search: filterText("search"), status: filterChoice("status", statuses) }
  return (
    <ListView
      title="Threads"
      noun="thread"
      filters={filters}
      open={(signal) => client.threads.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["message.received", "message.created", "conversation."]}
      columns="threads"
      headings={["", "Contact", "Subject", "Status", "Last mail"]}
      hrefOf={({ id }) => linkTo(paths.thread, { id })}
      row={(thread) => <ThreadRow thread={thread} />}
      empty={{
        text: "A thread begins with a received mail, or with the reply to a sent one. Send a mail:",
        command: curlCommand("/email/send", {
          to: ["ada@example.com"],
          subject: "Hello",
          text: "Reply to this mail."
        })
      }}
    >
      <SearchFilter label="Find threads" placeholder="Find by subject" />
      <ChoiceFilter name="status" label="Status" values={statuses} />
    </ListView>
  )
}

export default ThreadsView
