import { channelOf } from "@switchboard/domain/system/DeliveryChannel"
import type { Finding } from "@switchboard/domain/system/Finding"
import type { QueueDepth, QueueName } from "@switchboard/domain/system/QueueDepth"
import { PauseRepo, type PauseState } from "@switchboard/services/queues/PauseRepo"
import { pausedOrganizations } from "@switchboard/services/queues/Pauses"
import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { DateTime, Duration, Effect } from "effect"
import { nameTarget } from "../queues/TargetName.js"
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

/** Checks the age of the oldest entry of each queue, except of queues with pauses. */
export const queueFinding = (depths: ReadonlyArray<QueueDepth>, state: PauseState): Finding => {
  const hasPaused = ({ isPaused, queue }: QueueDepth) =>
    isPaused || (channelOf[queue] === "email" && pausedOrganizations(state).length > 0)
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

/** Reports a held copy, and pauses. */
export const pauseFindings = Effect.fnUntraced(function* ({ isHeld, pauses }: PauseState) {
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
  return [...held, ...paused]
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
