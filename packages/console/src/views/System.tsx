import { useEffect } from "preact/hooks"
import { client } from "../app/Client.js"
import type { SystemStatus } from "../app/Types.js"
import { DataTable } from "../components/DataTable.js"
import { Status, Time } from "../components/Facts.js"
import { durationText } from "../components/Format.js"
import { EmptyState, Pending } from "../components/Notices.js"
import { Card, FactsCard } from "../components/Resource.js"
import { useLoad, ViewHeader } from "../components/View.js"

type Finding = SystemStatus["findings"][number]

const severity: Readonly<Record<Finding["level"], number>> = { error: 0, warning: 1, ok: 2 }

/** The findings of the checks, the most severe first, with their remedies. */
const Findings = ({ findings }: Pick<SystemStatus, "findings">) => (
  <Card title="Findings">
    <ul class="findings">
      {[...findings]
        .sort((one, other) => severity[one.level] - severity[other.level])
        .map(({ advice = [], level, subject }) => (
          <li key={subject}>
            <Status value={level} /> <strong>{subject}</strong>
            {advice.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </li>
        ))}
    </ul>
  </Card>
)

const NextAttempt = ({ at }: { readonly at: SystemStatus["relays"][number]["nextAttemptAt"] }) =>
  at === null ? "–" : <Time value={at} isUpcoming />

/** In milliseconds, after each response, while the page is visible. */
const refreshInterval = 5_000

const labels = {
  message: "Messages",
  sms: "Text messages",
  whatsapp: "WhatsApp messages",
  inbound: "Received mails",
  provider_event: "Events of providers",
  forwarding: "Forwardings",
  webhook: "Webhooks",
  voice_call: "Calls"
}

/** The destinations of mail. Direct delivery is in use if there is a worker but no relay of mail. */
const Destinations = ({ destinations, relays }: Pick<SystemStatus, "destinations" | "relays">) => {
  if (destinations.length > 0) {
    return (
      <DataTable
        caption="Destinations"
        columns={["Destination", "Circuit breaker", "Connections", "Next attempt", "Last failure"]}
        rows={destinations.map(({ connections, destination, lastFailure, maxConnections, nextAttemptAt, state }) => [
          destination,
          <Status key="state" value={state} />,
          `${connections} of ${maxConnections}`,
          <NextAttempt key="next" at={nextAttemptAt} />,
          lastFailure ?? "–"
        ])}
      />
    )
  }
  const isDirect = relays.length > 0 && !relays.some(({ channel }) => channel === "email")
  return isDirect ? (
    <EmptyState title="No destinations yet" text="Mail servers are listed when mail goes to them." />
  ) : null
}

/** The state of the installation, for its operator: queues, relays, destinations and the findings of the checks. */
export const SystemView = () => {
  const { error, reload, value: system } = useLoad((signal) => client.system.status({}, { signal }), [])
  useEffect(() => {
    if (system === undefined && error === undefined) return
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return
      // The next interval starts when the response has arrived.
      clearInterval(timer)
      reload()
    }, refreshInterval)
    return () => clearInterval(timer)
  }, [system, error])
  return (
    <>
      <ViewHeader title="System" />
      {error !== undefined || system === undefined ? (
        <Pending error={error} reload={reload} />
      ) : (
        <div class="system">
          <FactsCard
            facts={[
              ["Version", system.version],
              ["Checked", <Time key="checked" value={system.checkedAt} />]
            ]}
          />
          <DataTable
            caption="Queues"
            columns={["Queue", "Ready", "Leased", "Waiting", "Oldest entry"]}
            rows={system.queues.map(({ isPaused, leased, oldestSeconds, queue, ready, waiting }) => [
              isPaused ? `${labels[queue]} (paused)` : labels[queue],
              ready,
              leased,
              waiting,
              oldestSeconds === 0 ? "–" : durationText(oldestSeconds)
            ])}
          />
          <DataTable
            caption="Relays"
            columns={["Relay", "Circuit breaker", "Next attempt"]}
            rows={system.relays.map(({ nextAttemptAt, relay, state }) => [
              relay,
              <Status key="state" value={state} />,
              <NextAttempt key="next" at={nextAttemptAt} />
            ])}
          />
          <Destinations destinations={system.destinations} relays={system.relays} />
          <Findings findings={system.findings} />
        </div>
      )}
    </>
  )
}
