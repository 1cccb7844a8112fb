import type { Finding } from "@switchboard/domain/system/Finding"
import { type FailingEndpoint, WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { DateTime, Effect } from "effect"
import { slugOf } from "../organizations/NamedOrganization.js"
import { failedCheck } from "./FailedCheck.js"

/** How long an endpoint that the service disabled is reported. */
const reportedFor = { days: 7 }

/** The maximum number of endpoints that are named. */
const maxNamed = 20

const describe = ({ id, isDisabled, name, organizationId, since }: FailingEndpoint) =>
  Effect.map(
    slugOf(organizationId),
    (slug) =>
      `${JSON.stringify(name)} (${id}, organization ${slug}): ${isDisabled ? "disabled at" : "every attempt failed since"} ${DateTime.formatIso(since)}`
  )

/** Reports webhook endpoints whose attempts fail, or that the service disabled. */
export const webhookFindings = Effect.gen(function* () {
  const { failing } = yield* WebhookEndpointRepo
  const { first, total } = yield* failing(DateTime.subtract(yield* DateTime.now, reportedFor), maxNamed)
  if (total === 0) return [{ level: "ok" as const, subject: "Webhook endpoints: none fails" }]
  return [
    {
      level: "warning" as const,
      subject: `Webhook endpoints: ${total} ${total === 1 ? "fails" : "fail"}`,
      advice: [
        ...(yield* Effect.forEach(first, describe)),
        ...(total > first.length ? [`and ${total - first.length} more`] : []),
        "Read the responses in the console or by GET /v1/webhook-endpoints/{id}/logs, and repair the receiver.",
        "After five days of failures the service disables an endpoint: activate it, then recover its deliveries."
      ]
    }
  ]
}).pipe(Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck("Webhook endpoints")(error)])))
