import type { ScriptedReply, Stage } from "@switchboard/channels/testing/ScriptedRelay"
import { Effect } from "effect"
import { caller } from "../../LiveService.js"
import { installation } from "../Installation.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

/**
 * The outcome of a message after a behaviour at its first attempt: delivered, deferred with a retry, postponed without
 * one since the relay is unavailable, bounced, or failed.
 */
type Outcome = "delivered" | "deferred" | "outage" | "bounced" | "failed"

interface Behaviour {
  /** Connections are refused at "connect". */
  readonly stage: Stage | "connect"
  readonly answer: ScriptedReply
  readonly expected: Outcome
}

const each = (
  stages: ReadonlyArray<Behaviour["stage"]>,
  answers: ReadonlyArray<ScriptedReply>,
  expected: Outcome
): ReadonlyArray<Behaviour> => stages.flatMap((stage) => answers.map((answer) => ({ stage, answer, expected })))

const noReplies: ReadonlyArray<ScriptedReply> = ["this is no reply", "\0\0\0", "999 no such code"]

const behaviours: ReadonlyArray<Behaviour> = [
  // A relay that refuses all connections is an outage.
  ...each(["connect"], ["drop"], "outage"),
  ...each(["greeting", "EHLO"], ["silence"], "outage"),
  ...each(["greeting"], ["421 4.3.2 Down", "450 4.3.0 Busy", "554 5.3.2 No service", "drop", ...noReplies], "outage"),
  ...each(["EHLO"], ["421 4.3.2 Down", "drop"], "outage"),
  ...each(["MAIL", "RCPT", "DATA", "dot"], ["421 4.3.2 Closing"], "outage"),
  ...each(
    ["greeting"],
    ["220-Welcome\r\n220-to\r\n220 relay.test", "220", { reply: "220 late", after: 300 }],
    "delivered"
  ),
  ...each(["EHLO"], ["502 5.5.1 Only HELO", "250 relay.test", { reply: "250 late", after: 300 }], "delivered"),
  ...each(
    ["MAIL", "RCPT", "dot"],
    ["250 OK", "250", "250-2.1.0 one\r\n250 2.1.0 two", { reply: "250 late", after: 300 }],
    "delivered"
  ),
  ...each(["DATA"], ["354", "354-Go\r\n354 ahead", { reply: "354 late", after: 300 }], "delivered"),
  ...each(["RCPT"], ["251 2.1.5 Will forward", "252 2.1.5 Can't verify"], "delivered"),
  ...each(
    ["MAIL", "RCPT", "DATA", "dot"],
    ["450 4.2.0 Later", "451 4.7.1 Greylisted", "452 4.3.1 Full", "drop"],
    "deferred"
  ),
  ...each(["MAIL", "RCPT", "DATA"], ["silence"], "deferred"),
  ...each(["RCPT"], ["450-4.2.0 one\r\n450 4.2.0 two", "499 4.9.9 Unusual"], "deferred"),
  ...each(
    ["RCPT"],
    ["550 5.1.1 No such user", "550 5.7.1 Blocked", "551 5.1.6 Moved", "552 5.2.2 Full", "553 5.1.3 Bad"],
    "bounced"
  ),
  ...each(["MAIL", "DATA", "dot"], ["550 5.7.1 Refused", "552 5.3.4 Too big", "554 5.6.0 Bad content"], "failed")
]

const waitFor = {
  delivered: ["delivered"],
  deferred: ["delivered"],
  outage: ["delivered"],
  bounced: ["bounced"],
  failed: ["failed"]
} as const

const recipientOf = (round: number) => `x${round}@faults.test`

/** One message per behaviour of the relay, each on a new connection. */
export const smtpMatrix: Scenario = {
  name: "smtp-matrix",
  about: `tests ${behaviours.length} behaviours of the relay`,
  rounds: { short: 3, full: behaviours.length },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { drained, end, insist, report, start, truth } = yield* installation({ SMTP_TIMEOUT: "1 second" })
      const api = yield* start("api")
      const call = caller(api.baseUrl)
      const violations: Array<string> = []
      const first = Math.floor(dice("first") * behaviours.length)
      let current: Behaviour | null = null
      let met = 0
      const relay = yield* truthRelay(truth, ({ stage }) => {
        if (current?.stage !== stage) return undefined
        const { answer } = current
        current = null
        // A message that is refused at MAIL has no recipient yet.
        const seen = truth.of(recipientOf(met))
        seen.tries.push(performance.now())
        seen.isRefused ||= typeof answer === "string" && answer.startsWith("5")
        return answer
      })
      const worker = yield* start("worker", { SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
      let wrong = 0
      for (let round = 0; round < rounds; round++) {
        const behaviour = behaviours[(first + round * 7) % behaviours.length]
        if (behaviour === undefined) continue
        relay.hangUp()
        current = behaviour
        met = round
        if (behaviour.stage === "connect") relay.refuse()
        const { id } = yield* insist(Effect.succeed(api.baseUrl), recipientOf(round))
        const wanted: ReadonlyArray<string> = waitFor[behaviour.expected]
        const { body } = yield* Effect.repeat(Effect.delay(call("GET", `/v1/messages/${id}`), "20 millis"), {
          until: ({ body }) => {
            if (behaviour.stage === "connect" && body.status === "queued") relay.listen()
            return wanted.includes(body.status) || body.status === "failed" || body.status === "bounced"
          },
          times: 1_000
        })
        const found: Outcome =
          body.status !== "delivered"
            ? body.status
            : body.retryCount > 0
              ? "deferred"
              : body.statusHistory.some((entry: { status: string }) => entry.status === "queued")
                ? "outage"
                : "delivered"
        if (found !== behaviour.expected) {
          wrong += 1
          violations.push(`${behaviour.stage} ${JSON.stringify(behaviour.answer)}: ${found}, not ${behaviour.expected}`)
        }
      }
      yield* drained()
      yield* end(worker)
      return yield* report({ behaviours: rounds, wrong }, violations)
    })
}
