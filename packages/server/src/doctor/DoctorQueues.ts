import type { Finding } from "@switchboard/domain/system/Finding"
import type { QueueDepth, QueueName } from "@switchboard/domain/system/QueueDepth"
import { QueueDepths } from "@switchboard/services/queues/QueueDepths"
import { DateTime, Duration, Effect } from "effect"
import { failedCheck } from "./FailedCheck.js"

/** Entries that have been ready for longer indicate that no worker is running. */
const maxAge = Duration.minutes(5)

const labels: Record<QueueName, string> = {
  message: "messages",
  inbound: "received mails",
  forwarding: "forwardings",
  webhook: "webhooks",
  voice_call: "calls",
  voice_notice: "agent webhooks"
}

/** Checks the age of the oldest entry of each queue. */
export const queueFinding = (depths: ReadonlyArray<QueueDepth>): Finding => {
  const sizes = depths.flatMap(({ leased, queue, ready }) =>
    ready + leased > 0 ? [`${labels[queue]} ${ready + leased}`] : []
  )
  const subject = `Queues: ${sizes.length === 0 ? "empty" : sizes.join(", ")}`
  const late = depths.filter(({ oldestSeconds }) => oldestSeconds > Duration.toSeconds(maxAge))
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

/** Reports received mails of the last day that could not be parsed. */
export const parsingFinding = (unread: number): Finding =>
  unread === 0
    ? { level: "ok", subject: "Received mails of the last day: all parsed" }
    : {
        level: "warning",
        subject: `Received mails of the last day: ${unread} could not be parsed`,
        advice: ["Each is a message with the raw mail as an attachment: open the attachment in a mail program."]
      }

/** Checks the queues and the received mails. */
export const queueFindings = Effect.gen(function* () {
  const { all, unparsedMails } = yield* QueueDepths
  const unread = yield* unparsedMails(DateTime.subtract(yield* DateTime.now, { days: 1 }))
  const findings: ReadonlyArray<Finding> = [queueFinding(yield* all), parsingFinding(unread)]
  return findings
}).pipe(Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck("Queues")(error)])))
