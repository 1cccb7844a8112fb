import { type QueueDepth, QueueDepths, type QueueName } from "@switchboard/services/queues/QueueDepths"
import { QueueDepthsSql } from "@switchboard/store/queues/QueueDepthsSql"
import { DateTime, Duration, Effect } from "effect"
import type { Finding } from "./Doctor.js"

/** Whatever a worker is there for is taken sooner. */
const longestWait = Duration.minutes(5)

const words: Record<QueueName, string> = {
  message: "messages",
  inbound: "mails that came in",
  forwarding: "forwardings",
  webhook: "webhooks",
  voice_call: "calls",
  voice_notice: "notices of agents"
}

/** Whether somebody works on what waits. */
export const queueFinding = (depths: ReadonlyArray<QueueDepth>): Finding => {
  const some = depths.flatMap(({ leased, queue, ready }) =>
    ready + leased > 0 ? [`${ready + leased} ${words[queue]}`] : []
  )
  const what = `what waits is worked on (${some.length === 0 ? "nothing waits" : some.join(", ")})`
  const late = depths.filter(({ oldestSeconds }) => oldestSeconds > Duration.toSeconds(longestWait))
  if (late.length === 0) return { well: true, what }
  const waits = late.map(
    ({ oldestSeconds, queue }) =>
      `of the ${words[queue]} one has waited for ${Duration.format(Duration.seconds(Math.floor(oldestSeconds)))}`
  )
  return {
    well: false,
    what,
    advice: [...waits, 'is there a worker ("switchboard serve" or "switchboard worker"), and what does it log?'].join(
      "\n       "
    )
  }
}

/** What waits in the queues, and what mail of the last day could not be read. */
export const queueFindings = Effect.gen(function* () {
  const { all, unreadMails } = yield* QueueDepths
  const unread = yield* unreadMails(DateTime.subtract(yield* DateTime.now, { days: 1 }))
  const findings: ReadonlyArray<Finding> = [
    queueFinding(yield* all),
    {
      well: true,
      what: `mail that came in is read (${unread} of the last day could not be: whoever it is for has it as a file)`
    }
  ]
  return findings
}).pipe(
  Effect.catchAll(({ message }) =>
    Effect.succeed<ReadonlyArray<Finding>>([{ well: false, what: "the queues can be read", advice: message }])
  ),
  Effect.provide(QueueDepthsSql)
)
