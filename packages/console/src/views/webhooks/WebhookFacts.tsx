import type { WebhookEndpoint } from "../../app/Types.js"
import { durationText } from "../../components/Duration.js"
import { Facts } from "../../components/Facts.js"
import { Identifier } from "../../components/Identifier.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { percent } from "../analytics/Percent.js"
import { metricsOf, rateLimitOf, shownStatus } from "./EndpointState.js"

const OptionalTime = ({ value }: { readonly value: string | undefined }) =>
  value === undefined ? <>never</> : <Time value={value} />

/** The settings of an endpoint. Values of headers may be credentials and are not shown. */
export const WebhookFacts = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const { events, headers = {}, url } = endpoint.configuration
  const { maxPerSecond } = rateLimitOf(endpoint)
  return (
    <section class="card" aria-label="Facts">
      <Facts
        facts={[
          ["Status", <Status key="status" value={shownStatus(endpoint)} />],
          ["URL", <Identifier key="url" label="URL" value={url} />],
          ["Events", events.join(", ")],
          ["Description", endpoint.description],
          ["Receives", endpoint.testMode ? "only events of test messages" : undefined],
          ["Rate limit", maxPerSecond === undefined ? undefined : `${maxPerSecond} per second`],
          ["Filters", endpoint.filters === "{}" ? undefined : <code key="filters">{endpoint.filters}</code>],
          ["Headers", Object.keys(headers).join(", ")],
          ["Created", <Time key="created" value={endpoint.createdAt} isComplete />],
          ["Changed", <Time key="changed" value={endpoint.updatedAt} isComplete />],
          ["Id", <Identifier key="id" label="id" value={endpoint.id} />]
        ]}
      />
    </section>
  )
}

/** The results of the deliveries to an endpoint and of their attempts, without tests. */
export const WebhookHealth = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const metrics = metricsOf(endpoint)
  const { attempts, averageLatencyMs, delivered, failed, pending, retrying, successRate } = metrics
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">Health</h2>
      <Facts
        facts={[
          ["Succeeded", delivered.toLocaleString("en")],
          ["Failed", failed.toLocaleString("en")],
          ["Retrying", retrying.toLocaleString("en")],
          ["Pending", pending.toLocaleString("en")],
          [
            "Attempts",
            attempts === 0 ? "none yet" : `${attempts.toLocaleString("en")}, ${percent(successRate)} succeeded`
          ],
          ["Latency", successRate === 0 ? undefined : durationText(averageLatencyMs / 1_000)],
          ["Last success", <OptionalTime key="success" value={metrics.lastSuccessAt} />],
          ["Last failure", <OptionalTime key="failure" value={metrics.lastFailureAt} />]
        ]}
      />
    </section>
  )
}
