import { assert, describe, it } from "@effect/vitest"
import type { ProviderReply, SendFailure } from "@switchboard/services/messages/delivery/Provider"
import { Effect, Either } from "effect"
import { outgoing, shortTimeouts, transportTo } from "../Fixtures.js"
import { type Script, type ScriptedReply, type Stage, scriptedRelay } from "../ScriptedRelay.js"

type Fault = "4xx" | "5xx" | "421" | "garbage" | "NUL in text" | "silence" | "close" | "overlong line" | "wrong code"
type Class = "outage" | "message deferred" | "message refused" | "recipient deferred" | "recipient refused" | "accepted"

const faults: Readonly<Record<Fault, ScriptedReply>> = {
  "4xx": "450 4.3.0 Later",
  "5xx": "550 5.7.1 Never",
  "421": "421 4.3.2 Closing",
  garbage: "\x16\x03\x01 what?",
  "NUL in text": "450 4.2.0 later \0",
  silence: "silence",
  close: "drop",
  "overlong line": `250 ${"x".repeat(100_000)}`,
  "wrong code": "399 What now?"
}

const tls = "250-relay.test\r\n250 STARTTLS"
const auth = "250-relay.test\r\n250-PIPELINING\r\n250 AUTH PLAIN LOGIN"

const noPipelining = "250-relay.test\r\n250 8BITMIME"

/** The EHLO reply that leads a session to the stage. */
const ehloFor = (stage: Stage): Script =>
  stage === "STARTTLS" ? { EHLO: tls } : stage === "AUTH" ? { EHLO: auth } : {}

/** The scripts of a session to the stage: with and without PIPELINING where it matters. */
const sessionsTo = (stage: Stage): ReadonlyArray<Script> =>
  ["MAIL", "RCPT", "DATA", "dot"].includes(stage) ? [{}, { EHLO: noPipelining }] : [ehloFor(stage)]

/** Faults that are valid replies: the outcome of the mail is known. */
const replies: ReadonlySet<Fault> = new Set(["4xx", "5xx", "421", "NUL in text"])

const always = (result: Class): Readonly<Record<Fault, Class>> => ({
  "4xx": result,
  "5xx": result,
  "421": result,
  garbage: result,
  "NUL in text": result,
  silence: result,
  close: result,
  "overlong line": result,
  "wrong code": result
})

const ofMessage: Readonly<Record<Fault, Class>> = {
  ...always("message deferred"),
  "5xx": "message refused",
  "421": "outage"
}

/** The expected outcome of each fault at each stage, as MailTransport defines it. */
const expected: ReadonlyArray<readonly [Stage, Readonly<Record<Fault, Class>>]> = [
  ["greeting", always("outage")],
  ["EHLO", always("outage")],
  ["STARTTLS", always("outage")],
  ["AUTH", always("outage")],
  ["MAIL", ofMessage],
  [
    "RCPT",
    { ...ofMessage, "4xx": "recipient deferred", "NUL in text": "recipient deferred", "5xx": "recipient refused" }
  ],
  ["DATA", ofMessage],
  ["dot", ofMessage]
]

const classOf = (outcome: Either.Either<ProviderReply, SendFailure>): Class =>
  Either.match(outcome, {
    onLeft: ({ _tag }): Class =>
      _tag === "ProviderUnavailable" ? "outage" : _tag === "SendDeferred" ? "message deferred" : "message refused",
    onRight: ({ replies }): Class => {
      const verdict = replies[0]?.verdict
      return verdict === "deferred" ? "recipient deferred" : verdict === "refused" ? "recipient refused" : "accepted"
    }
  })

const isFault = (name: string): name is Fault => name in faults

/** The reply codes of the faults that a refused or deferred mail reports. */
const codes: Partial<Record<Fault, number>> = { "4xx": 450, "5xx": 550, "NUL in text": 450 }

/** Sends a mail to a relay with the fault, and checks the outcome. */
const check = Effect.fnUntraced(function* (stage: Stage, fault: Fault, session: Script, expected: Class) {
  const what = `${fault} ${JSON.stringify(session)}`
  const relay = yield* scriptedRelay({ HELO: "550 No", ...session, [stage]: faults[fault] })
  const transport = yield* transportTo(relay.port, {
    timeouts: shortTimeouts,
    tls: stage === "STARTTLS" ? "require" : "opportunistic",
    ...(stage === "AUTH" ? { url: `smtp://shop:s3cret@127.0.0.1:${relay.port}` } : {})
  })
  const outcome = yield* Effect.either(transport.send(outgoing()))
  assert.strictEqual(classOf(outcome), expected, what)
  const failure = Either.isLeft(outcome) ? outcome.left : null
  if (failure?._tag === "SendDeferred") {
    assert.strictEqual(failure.mayBeTaken, stage === "dot" && !replies.has(fault), what)
  }
  if (failure?._tag === "SendDeferred" || failure?._tag === "SendRefused") {
    assert.strictEqual(failure.smtpCode, codes[fault] ?? null, what)
  }
  const stored = JSON.stringify(outcome)
  assert.notMatch(stored, /\\u0000|s3cret/, what)
  assert.isBelow(stored.length, 10_000, what)
  // With PIPELINING, the relay replies to the commands after the silent one.
  const isSkipped = session.EHLO === undefined && ["MAIL", "RCPT", "DATA"].includes(stage)
  if (fault === "silence" && !isSkipped) assert.include(stored, "No reply", what)
  if (codes[fault] !== undefined && stage !== "EHLO")
    assert.include(stored, `${faults[fault]}`.replace(" \0", ""), what)
})

describe("SmtpTransport with a failing relay", () => {
  for (const [stage, classes] of expected) {
    it.effect(`reports the outcome of each fault at ${stage}`, () =>
      Effect.forEach(
        Object.keys(faults).filter(isFault),
        (fault) =>
          Effect.forEach(sessionsTo(stage), (session) => Effect.scoped(check(stage, fault, session, classes[fault]))),
        { concurrency: "unbounded" }
      )
    )
  }
})
