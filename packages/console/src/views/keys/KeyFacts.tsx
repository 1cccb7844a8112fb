import type { ApiKey, ApiKeyStats } from "../../app/Types.js"
import { Facts } from "../../components/Facts.js"
import { Identifier } from "../../components/Identifier.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { percent } from "../analytics/Percent.js"
import { keyStatus } from "./KeyText.js"

/** A key without its secret part. */
export const KeyFacts = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { createdAt, description, expiresAt, id, key, lastUsedAt, permissions, roleName } = apiKey
  return (
    <section class="card" aria-label="Facts">
      <Facts
        facts={[
          ["Status", <Status key="status" value={keyStatus(apiKey)} />],
          ["Key", <code key="key">{key}</code>],
          ["Description", description],
          ["Role", roleName ?? "custom"],
          ...Object.entries(permissions).map(
            ([resource, actions]) => [resource === "*" ? "all resources" : resource, actionsText(actions)] as const
          ),
          ["Expires", expiresAt === undefined ? "never" : <Time value={expiresAt} isComplete />],
          ["Last used", lastUsedAt === undefined ? "never" : <Time value={lastUsedAt} isComplete />],
          ["Created", <Time key="created" value={createdAt} isComplete />],
          ["Id", <Identifier key="id" label="id" value={id} />]
        ]}
      />
    </section>
  )
}

const actionsText = (actions: ReadonlyArray<string>): string =>
  actions.includes("*") ? "all actions" : actions.join(", ")

/** The requests of the last 30 days. */
export const KeyUsage = ({ stats }: { readonly stats: ApiKeyStats }) => {
  const { byStatus, errorRate, requestsLast24Hours, totalRequests } = stats
  return (
    <section class="card" aria-labelledby="usage">
      <h2 id="usage">Last 30 days</h2>
      <Facts
        facts={[
          ["Requests", totalRequests.toLocaleString("en")],
          ["In 24 hours", requestsLast24Hours.toLocaleString("en")],
          ["Errors", percent(errorRate)],
          ...Object.entries(byStatus).map(
            ([status, count]) => [`Status ${status}`, count.toLocaleString("en")] as const
          )
        ]}
      />
    </section>
  )
}
