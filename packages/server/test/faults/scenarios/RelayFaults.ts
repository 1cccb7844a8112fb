import type { ScriptedReply } from "@switchboard/channels/testing/ScriptedRelay"
import { Effect } from "effect"
import { pick } from "../Dice.js"
import { installation } from "../Installation.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

/** The share of replies that are faults. */
const faulty = 0.2

const faults: readonly [ScriptedReply, ...Array<ScriptedReply>] = [
  "451 4.3.0 Try again later",
  "421 4.3.2 Closing",
  "drop",
  "this is no reply",
  "250-2.0.0 never ends",
  "451 4.3.0 with a \0 in it",
  { reply: "450 4.2.0 late", after: 300 }
]

/** Two workers deliver through a relay with faults in a fifth of its replies, none of them permanent. */
export const relayFaults: Scenario = {
  name: "relay-faults",
  about: "delivers through a relay with 20 % faults at every step",
  rounds: { short: 4, full: 300 },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { drained, insist, report, start, truth } = yield* installation()
      let count = 0
      const relay = yield* truthRelay(truth, ({ address, connection, stage, times }) => {
        const place = [stage, address ?? connection, times]
        if (dice("faulty", ...place) >= faulty) return undefined
        count += 1
        const fault = pick(faults, dice("fault", ...place))
        // Not a reply without end: the client would wait for minutes (RFC 5321 section 4.5.3.2).
        return fault === "250-2.0.0 never ends" ? { reply: `${fault}\r\n250 2.0.0 but does`, after: 200 } : fault
      })
      const smtp = { SMTP_URL: `smtp://127.0.0.1:${relay.port}` }
      const serving = yield* start("serve", smtp)
      yield* start("worker", smtp)
      const recipients = Array.from({ length: rounds }, (_, index) => `r${index}@faults.test`)
      yield* Effect.forEach(recipients, (recipient) => insist(Effect.succeed(serving.baseUrl), recipient), {
        concurrency: 8
      })
      const left = yield* drained("10 minutes")
      return yield* report({ faults: count, left })
    })
}
