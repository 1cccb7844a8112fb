import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { ForwardingLog } from "../../app/Types.js"
import { feedStep } from "../../components/Feed.js"
import { ListView } from "../../components/ListView.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"

const back = { href: linkTo(paths.forwarding, {}), label: "Forwarding" }

/** The names of all rules by their ids. */
const loadRuleNames = async (signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for await (const { id, name } of client.forwarding.list.all({ urlParams: { limit: feedStep } }, { signal }))
    names.set(id, name)
  return names
}

/** The mails that were forwarded, or could not be, newest first. */
const ForwardingLogView = () => {
  const { value: names } = useLoad(loadRuleNames, [])
  const ruleName = ({ ruleId }: ForwardingLog) =>
    ruleId === undefined ? "catch-all" : names === undefined ? "" : (names.get(ruleId) ?? "deleted rule")
  return (
    <ListView
      title="Forwarding log"
      noun="entry"
      back={back}
      filters={{}}
      open={(signal) => client.forwarding.log.all({ urlParams: { limit: feedStep } }, { signal })}
      events={["message.received"]}
      columns="forwarding-log"
      headings={["Result", "Forwarded to", "Rule", "Message", "Time"]}
      row={(entry) => (
        <>
          <Status value={entry.status} />
          <span class="name" title={entry.error}>
            <strong>{entry.forwardedTo}</strong>
            {entry.error !== undefined && <small>{entry.error}</small>}
          </span>
          <span class="secondary">{ruleName(entry)}</span>
          <a href={linkTo(paths.message, { id: entry.messageId })} title="Found only if a copy was received">
            Details
          </a>
          <Time value={entry.createdAt} />
        </>
      )}
      empty={{
        title: "Nothing forwarded yet",
        text: "A mail is listed here once the result of its forwarding is known. Forwarding rules choose the mails."
      }}
    />
  )
}

export default ForwardingLogView
