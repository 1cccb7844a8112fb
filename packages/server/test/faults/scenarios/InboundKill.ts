import { Effect } from "effect"
import { makeLedger, sendMails } from "../../email/receiving/Ledger.js"
import { installation, untilNone } from "../Installation.js"
import type { Report } from "../Report.js"
import type { Scenario } from "../Scenario.js"

const clients = 4

/** The first sender's address, which receives in every installation. */
const to = "hello@localhost.test"

const made = `SELECT
  (SELECT array_agg(substring(convert_from(raw, 'UTF8') FROM 'Message-ID: (<[^>]+>)')) FROM inbound_mails) AS mails,
  (SELECT array_agg(rfc_message_id) FROM inbound_messages) AS messages,
  (SELECT count(*)::int FROM threads) AS threads,
  (SELECT count(*)::int FROM inbound_queue) + (SELECT count(*)::int FROM inbound_waiting) AS waiting`

interface Made {
  readonly mails: ReadonlyArray<string> | null
  readonly messages: ReadonlyArray<string> | null
  readonly threads: number
  readonly waiting: number
}

/**
 * Processes are killed between the final dot of an incoming mail and its reply; mails without reply are sent again with
 * the same Message-ID. A mail with a 250 is stored and becomes one message.
 */
export const inboundKill: Scenario = {
  name: "inbound-kill",
  about: "kills processes between the final dot of an incoming mail and its reply",
  rounds: { short: 1, full: 100 },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { cluster, end, start } = yield* installation({ DNS_SERVERS: "127.0.0.1:9" })
      const ledger = makeLedger()
      let count = 0
      let unanswered = 0
      for (let round = 0; round < rounds; round++) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const running = yield* start("serve")
            const again = [...ledger.open]
            let left = 1 + Math.floor(dice("mails", round) * 40)
            const dotSent = () => {
              left -= 1
              if (left === 0) setTimeout(() => Effect.runFork(end(running)), dice("time", round) * 4)
            }
            const next = () => again.pop() ?? `<${++count}.faults@sender.test>`
            yield* Effect.forEach(
              Array.from({ length: clients }),
              () => sendMails(running.inboundPort, ledger, next, to, dotSent),
              { concurrency: "unbounded" }
            )
            yield* end(running)
            unanswered += ledger.open.size
          })
        )
      }
      const { inboundPort } = yield* start("serve")
      const again = [...ledger.open]
      yield* sendMails(inboundPort, ledger, () => again.pop(), to)
      const look = Effect.map(
        cluster.query<Made>(made),
        ([row]) => row ?? { mails: [], messages: [], threads: 0, waiting: 0 }
      )
      yield* untilNone(Effect.map(look, ({ waiting }) => waiting))
      const found = yield* look
      const mails = found.mails ?? []
      const messages = found.messages ?? []
      const stored = new Set(messages)
      const report: Report = {
        acked: ledger.acknowledged.size,
        lost: [...ledger.acknowledged].filter((id) => !mails.includes(id) || !stored.has(id)).length,
        duplicated: messages.length - stored.size,
        unflagged: messages.length - stored.size,
        endedWithoutTry: 0,
        answers: {},
        figures: { kills: rounds, unanswered, threads: found.threads },
        violations: [
          ...(ledger.open.size === 0 ? [] : [`${ledger.open.size} mails were never answered with 250`]),
          ...(found.waiting === 0 ? [] : [`${found.waiting} mails still wait`]),
          ...(found.threads === stored.size ? [] : [`${stored.size} messages, and ${found.threads} threads`]),
          ...(unanswered > 0 ? [] : ["no process was killed between a mail and its answer"])
        ]
      }
      return report
    })
}
