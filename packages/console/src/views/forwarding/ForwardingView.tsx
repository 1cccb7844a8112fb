import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone } from "../../app/Toasts.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { feedStep } from "../../components/Feed.js"
import { FormDialog } from "../../components/FormDialog.js"
import { filterText, SearchFilter } from "../../components/ListFilters.js"
import { ListView } from "../../components/ListView.js"
import { RuleFields, ruleOf } from "./RuleFields.js"
import { RuleRow } from "./RuleRow.js"

/** The forwarding rules, newest first. */
const ForwardingView = () => {
  const filters = { search: filterText("search") }
  return (
    <ListView
      title="Forwarding"
      noun="rule"
      filters={filters}
      open={(signal) => client.forwarding.list.all({ urlParams: { filters, limit: feedStep } }, { signal })}
      events={["message.received"]}
      columns="forwarding"
      headings={["Rule", "Forwards", "Status", "Matches", "Last match", ""]}
      row={(rule, { feed }) => (
        <RuleRow rule={rule} changed={(changed) => feed.update([changed])} removed={() => feed.remove(rule.id)} />
      )}
      empty={{
        text: "A rule forwards received mail to other addresses. Its domain must receive mail first. To create one:",
        command: curlCommand("/email/forwarding/rules", {
          name: "Support",
          match: { recipient: "support@example.com" },
          forwardTo: ["ada@example.com"]
        })
      }}
      actions={({ refresh }) => {
        const create = async (form: FormData) => {
          const { name } = await client.forwarding.create({ payload: ruleOf(form) })
          showDone(`The rule ${name} is active`)
          refresh()
        }
        return (
          <>
            <a class="button" href={linkTo(paths.forwardingLog, {})}>
              Log
            </a>
            <FormDialog
              label="Create a rule"
              kind="primary"
              permission="email.write"
              submitLabel="Create"
              submit={create}
            >
              <RuleFields />
            </FormDialog>
          </>
        )
      }}
    >
      <SearchFilter label="Find rules" placeholder="Find by name" />
    </ListView>
  )
}

export default ForwardingView
