import { useEffect } from "preact/hooks"
import { client } from "../../app/Client.js"
import { DataTable } from "../../components/DataTable.js"
import { durationText } from "../../components/Duration.js"
import { Facts } from "../../components/Facts.js"
import { Pending } from "../../components/Pending.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { Findings } from "./Findings.js"

/** In milliseconds, after each response, while the page is visible. */
const refreshInterval = 5_000

const labels = {
  message: "Messages",
  inbound: "Received mails",
  forwarding: "Forwardings",
  webhook: "Webhooks",
  voice_call: "Calls",
  voice_notice: "Agent webhooks"
}

/** The state of the installation, for its operator: queues, relays and the findings of the checks. */
const SystemView = () => {
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
          <section class="card" aria-label="Facts">
            <Facts
              facts={[
                ["Version", system.version],
                ["Checked", <Time key="checked" value={system.checkedAt} />]
              ]}
            />
          </section>
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
              nextAttemptAt === null ? "–" : <Time key="next" value={nextAttemptAt} isUpcoming />
            ])}
          />
          <Findings findings={system.findings} />
        </div>
      )}
    </>
  )
}

export default SystemView
