import {
  channelOf,
  type DeliveryChannel,
  type Finding,
  type QueueDepth,
  type QueueName
} from "@switchboard/domain/system/SystemStatus"
import { PauseRepo, type PauseState } from "@switchboard/services/queues/PauseRepo"
import { pausedOrganizations } from "@switchboard/services/queues/Pauses"
import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { type FailingEndpoint, WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { DateTime, Duration, Effect } from "effect"
import { slugOf } from "../organizations/NamedOrganization.js"
import { nameTarget } from "../queues/TargetName.js"
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

/** Entries that have been ready for longer indicate that no worker is running. */
const maxAge = Duration.minutes(5)

const labels: Record<QueueName, string> = {
  message: "messages",
  sms: "text messages",
  whatsapp: "WhatsApp messages",
  inbound: "received mails",
  provider_event: "events of providers",
  forwarding: "forwardings",
  webhook: "webhooks",
  voice_call: "calls"
}

/** Whether the queues of a channel skip paused organizations. */
const isOfOrganizations = (channel: DeliveryChannel | null) => channel !== null && channel !== "webhook"

/** Checks the age of the oldest entry of each queue, except of queues with pauses. */
export const queueFinding = (depths: ReadonlyArray<QueueDepth>, state: PauseState): Finding => {
  const hasPaused = ({ isPaused, queue }: QueueDepth) =>
    isPaused || (isOfOrganizations(channelOf[queue]) && pausedOrganizations(state).length > 0)
  const sizes = depths.flatMap(({ leased, queue, ready }) =>
    ready + leased > 0 ? [`${labels[queue]} ${ready + leased}`] : []
  )
  const subject = `Queues: ${sizes.length === 0 ? "empty" : sizes.join(", ")}`
  const late = depths.filter((depth) => depth.oldestSeconds > Duration.toSeconds(maxAge) && !hasPaused(depth))
  if (late.length === 0) return { level: "ok", subject }
  const ages = late.map(
    ({ oldestSeconds, queue }) =>
      `${labels[queue]}: the oldest has been ready for ${Duration.format(Duration.seconds(Math.floor(oldestSeconds)))}`
  )
  return {
    level: "error",
    subject,
    advice: [...ages, 'Check that a worker is running ("switchboard serve" or "switchboard worker"), and read its log.']
  }
}

/** Reports paused domains. */
const domainFindings = Effect.fnUntraced(function* (domains: PauseState["domains"]) {
  if (domains.length === 0) return []
  const named = yield* Effect.forEach(domains.slice(0, maxNamed), ({ domain, id, organizationId, pausedAt }) =>
    Effect.map(
      slugOf(organizationId),
      (slug) => `${domain} (${id}, organization ${slug}), since ${DateTime.formatIso(pausedAt)}`
    )
  )
  const finding: Finding = {
    level: "warning",
    subject: `Paused domains: ${domains.length}`,
    advice: [
      ...named,
      ...(domains.length > named.length ? [`and ${domains.length - named.length} more`] : []),
      "Their mail waits until it is resumed in the console or by POST /v1/email/domains/{id}/resume."
    ]
  }
  return [finding]
})

/** Reports a held copy, and pauses. */
export const pauseFindings = Effect.fnUntraced(function* ({ domains, isHeld, pauses }: PauseState) {
  const paused = yield* Effect.forEach(pauses, ({ pausedAt, target }) =>
    Effect.map(
      nameTarget(target),
      ({ name, option }): Finding => ({
        level: "warning",
        subject: `Paused: ${name}, since ${DateTime.formatIso(pausedAt)}`,
        advice: [`Messages wait until "switchboard queues resume ${option}".`]
      })
    )
  )
  const held: ReadonlyArray<Finding> = isHeld
    ? [
        {
          level: "warning",
          subject: "Restored copy: nothing is sent",
          advice: [
            'Run "switchboard release --since TIME" with the time at which the service of the backup stopped, or "switchboard release --all".'
          ]
        }
      ]
    : []
  return [...held, ...paused, ...(yield* domainFindings(domains))]
})

/** Reports received mails of the last day that could not be parsed. */
export const parsingFinding = (unread: number): Finding =>
  unread === 0
    ? { level: "ok", subject: "Received mails of the last day: all parsed" }
    : {
        level: "warning",
        subject: `Received mails of the last day: ${unread} could not be parsed`,
        advice: ["Each is a message with the raw mail as an attachment: open the attachment in a mail program."]
      }

/** Checks the queues, their pauses and the received mails. */
export const queueFindings = Effect.gen(function* () {
  const { all, unparsedMails } = yield* QueueDepths
  const unread = yield* unparsedMails(DateTime.subtract(yield* DateTime.now, { days: 1 }))
  const state = yield* Effect.flatMap(PauseRepo, (repo) => repo.state)
  return [queueFinding(yield* all, state), ...(yield* pauseFindings(state)), parsingFinding(unread)]
}).pipe(Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck("Queues")(error)])))
