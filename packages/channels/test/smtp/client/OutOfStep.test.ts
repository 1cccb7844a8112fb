import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Queue } from "effect"
import { outgoing, shortTimeouts, transportTo } from "../../Fixtures.js"
import { type Script, scriptedRelay } from "../../ScriptedRelay.js"

const noPipelining = "250-relay.test\r\n250 8BITMIME"

const to = (...rcptTo: ReadonlyArray<string>) => outgoing({ rcptTo, subject: rcptTo.join(" ") })

/** Refuses the recipients that begin with "no", and DATA if all of them do. */
const selective = (accepted = "250 2.1.5 OK"): Script => {
  let isAccepted = false
  return {
    RCPT: (line) => {
      if (line.includes("<no")) return "550 5.1.1 No"
      isAccepted = true
      return accepted
    },
    DATA: () => {
      const reply = isAccepted ? "354 Go" : "503 5.5.1 RCPT first"
      isAccepted = false
      return reply
    }
  }
}

/** Mails with accepted and refused recipients in every order. */
const envelopes = [
  ["a@x.example"],
  ["no1@x.example"],
  ["b@x.example", "no2@x.example"],
  ["no3@x.example", "c@x.example"],
  ["no4@x.example", "no5@x.example"],
  ["d@x.example", "no6@x.example", "e@x.example"],
  ["f@x.example"],
  ["g@x.example"]
]

/** Sends the mails at once over one connection; returns the verdict for each recipient, or the failure of its mail. */
const verdicts = (script: Script) =>
  Effect.gen(function* () {
    const relay = yield* scriptedRelay(script)
    const transport = yield* transportTo(relay.port, { connections: 1 })
    const results = yield* Effect.forEach(
      envelopes,
      (rcptTo) =>
        Effect.match(transport.send(to(...rcptTo)), {
          onSuccess: ({ replies }) => replies.map(({ recipient, verdict }) => `${recipient} ${verdict}`),
          onFailure: ({ _tag, ...failure }) => [`${rcptTo.join()} ${_tag} ${failure.response}`]
        }),
      { concurrency: "unbounded" }
    )
    return { relay, results: results.flat() }
  })

const expected = envelopes
  .flat()
  .map((recipient) => `${recipient} ${recipient.startsWith("no") ? "refused" : "accepted"}`)
const withRecipients = envelopes.filter((rcptTo) => rcptTo.some((recipient) => !recipient.startsWith("no"))).length

const twice = "250 2.0.0 Queued\r\n250 2.0.0 Queued"
const thenAgain = (text: string) => ({ reply: text, after: 5, isConcurrent: true })

describe("A relay that replies to the final dot twice", () => {
  it.scoped.each<readonly [string, Script]>([
    ["at once", { ...selective(), dot: twice }],
    ["at once, without PIPELINING", { ...selective(), dot: twice, EHLO: noPipelining }],
    ["at once, without enhanced codes", { ...selective("250 OK"), MAIL: "250 OK", dot: "250 OK\r\n250 OK" }]
  ])("gets each mail once, and each mail has its own replies: %s", ([, script]) =>
    Effect.gen(function* () {
      const { relay, results } = yield* verdicts(script)
      assert.deepStrictEqual(results, expected)
      assert.lengthOf(relay.mails, withRecipients)
    })
  )

  it.scoped.each<readonly [string, Script]>([
    ["with PIPELINING", {}],
    ["without PIPELINING", { EHLO: noPipelining }]
  ])("does not refuse the next mail with the second reply, %s", ([, script]) =>
    Effect.gen(function* () {
      const { relay, results } = yield* verdicts({
        ...selective(),
        ...script,
        dot: "250 2.0.0 Queued\r\n554 5.6.0 Rejected"
      })
      assert.deepStrictEqual(results, expected)
      assert.lengthOf(relay.mails, withRecipients)
    })
  )

  it.scoped("does not use its connection further", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: twice })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      yield* transport.send(to("a@x.example"))
      yield* relay.closed
      yield* transport.send(to("b@x.example"))
      assert.strictEqual(relay.connections(), 2)
    })
  )

  it.scoped("has no influence on the next mail if the second reply is late", () =>
    Effect.gen(function* () {
      let dots = 0
      const relay = yield* scriptedRelay({
        ...selective(),
        // The second reply comes as the one to the next MAIL, to which there is no other.
        MAIL: (_, connection) => (connection === 1 && dots > 0 ? "250 2.0.0 Queued\r\n250 2.1.0 OK" : "250 2.1.0 OK"),
        dot: () => {
          dots++
          return "250 2.0.0 Queued"
        },
        EHLO: noPipelining
      })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      yield* transport.send(to("a@x.example"))
      const { replies } = yield* transport.send(to("b@x.example", "no@x.example"))
      assert.deepStrictEqual(
        replies.map(({ verdict }) => verdict),
        ["accepted", "refused"]
      )
      assert.lengthOf(relay.mails, 2)
    })
  )
})

describe("A relay that replies to the next envelope before it replies to the data", () => {
  it.scoped.each<readonly [string, Script]>([
    ["with enhanced codes", { ...selective(), dot: thenAgain("250 2.0.0 Queued") }],
    ["without enhanced codes", { ...selective("250 OK"), MAIL: "250 OK", dot: thenAgain("250 OK") }]
  ])("gets each mail once, and each mail has its own replies: %s", ([, script]) =>
    Effect.gen(function* () {
      const { relay, results } = yield* verdicts(script)
      assert.deepStrictEqual(results, expected)
      assert.lengthOf(relay.mails, withRecipients)
    })
  )

  it.scoped("decides about each mail", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({
        dot: (text) => thenAgain(text.includes("Subject: spam") ? "550 5.7.1 Spam" : "250 2.0.0 Ok: queued as 4XyZ")
      })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      const results = yield* Effect.forEach(
        ["spam", "good", "spam", "good"],
        (subject) => Effect.either(transport.send(outgoing({ subject }))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        results.map((result) => (Either.isRight(result) ? result.right.providerMessageId : result.left._tag)),
        ["SendRefused", "4XyZ", "SendRefused", "4XyZ"]
      )
    })
  )

  it.scoped("gets no further envelope with the end of a mail, and is recorded", () =>
    Effect.gen(function* () {
      let isAnswered = true
      let early = 0
      const relay = yield* scriptedRelay({
        MAIL: () => {
          if (!isAnswered) early++
          return "250 2.1.0 OK"
        },
        dot: () => {
          isAnswered = false
          const beforeReply = () => {
            isAnswered = true
          }
          return { ...thenAgain("250 2.0.0 Queued"), beforeReply }
        }
      })
      const faults = yield* Queue.unbounded<string>()
      const recordFault = (name: string) => Effect.asVoid(Queue.offer(faults, name))
      const transport = yield* transportTo(relay.port, { connections: 1, recordFault })
      yield* Effect.replicateEffect(transport.send(outgoing()), 10, { concurrency: "unbounded" })
      assert.strictEqual(early, 1)
      assert.strictEqual(yield* Queue.take(faults), `127.0.0.1:${relay.port}`)
      assert.strictEqual(yield* Queue.size(faults), 0)
    })
  )
})

describe("A reply 503", () => {
  it.scoped.each<readonly [string, Script]>([
    ["RCPT", { RCPT: "503 5.5.1 MAIL first" }],
    ["RCPT without PIPELINING", { RCPT: "503 5.5.1 MAIL first", EHLO: noPipelining }],
    ["MAIL", { MAIL: "503 5.5.1 Sender already given" }],
    ["DATA", { DATA: "503 5.5.1 RCPT first" }]
  ])("to %s defers the mail", ([, script]) =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay(script)
      const transport = yield* transportTo(relay.port, { connections: 1, timeouts: shortTimeouts })
      const failure = yield* Effect.flip(transport.send(to("a@x.example", "b@x.example")))
      assert.deepInclude(failure, { _tag: "SendDeferred", smtpCode: 503, mayBeTaken: false })
    })
  )

  it.scoped("in a session after another mail is answered by a new connection", () =>
    Effect.gen(function* () {
      let mails = 0
      const relay = yield* scriptedRelay({
        RCPT: (_, connection) => (connection === 1 && mails > 0 ? "503 5.5.1 MAIL first" : "250 2.1.5 OK"),
        dot: () => {
          mails++
          return "250 2.0.0 Queued"
        }
      })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      yield* transport.send(to("a@x.example"))
      assert.strictEqual((yield* transport.send(to("b@x.example"))).replies[0]?.verdict, "accepted")
      assert.strictEqual(relay.connections(), 2)
    })
  )
})

describe("A reply with octets beyond ASCII", () => {
  it.scoped.each<readonly [string, string, string]>([
    ["UTF-8", Buffer.from("450 4.2.1 später").toString("latin1"), "450 4.2.1 später"],
    ["Latin-1", "450 4.2.1 sp\u00e4ter", "450 4.2.1 später"]
  ])("is decoded as %s", ([, octets, text]) =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ RCPT: octets, DATA: "503 5.5.1 RCPT first" })
      const transport = yield* transportTo(relay.port)
      const { replies } = yield* transport.send(to("a@x.example"))
      assert.strictEqual(replies[0]?.response, text)
    })
  )
})
