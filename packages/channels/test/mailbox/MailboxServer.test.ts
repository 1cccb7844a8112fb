import { assert, describe, it } from "@effect/vitest"
import { readArf } from "@switchboard/domain/email/feedback/Arf"
import { fieldOf } from "@switchboard/domain/email/feedback/ReportFields"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { formatFeedbackId, parseFeedbackId } from "@switchboard/services/messages/delivery/FeedbackId"
import { returnPath } from "@switchboard/services/messages/delivery/SignedAddress"
import { DateTime, Effect, Exit, Fiber, Option, Queue, Scope, TestClock } from "effect"
import PostalMime from "postal-mime"
import { messageId, organizationId, outgoing } from "../Fixtures.js"
import { rawClient } from "../RawClient.js"
import { smtpSink } from "../SmtpSink.js"
import { away, mailboxHouse } from "./MailboxHouse.js"

const feedback = { messageId, organizationId }

describe("The local mailbox", () => {
  it.scoped("keeps a mail as it came, with whose it is", () =>
    Effect.gen(function* () {
      const { kept, signatures, transport } = yield* mailboxHouse()
      yield* TestClock.setTime(new Date("2026-03-01T12:00:00Z"))
      const receipt = yield* transport.send(
        outgoing({
          rcptTo: ["ada@example.org", "Bo@xn--bcher-kva.example"],
          headers: { "Feedback-ID": formatFeedbackId(signatures, feedback) }
        })
      )
      assert.deepStrictEqual(
        receipt.replies.map(({ verdict }) => verdict),
        ["accepted", "accepted"]
      )
      const [mail = assert.fail("nothing kept")] = kept
      assert.strictEqual(mail.organizationId, organizationId)
      assert.strictEqual(mail.messageId, `<${messageId}@example.com>`)
      assert.strictEqual(mail.mailFrom, "shop@example.com")
      assert.deepStrictEqual(mail.rcptTo, ["ada@example.org", "Bo@xn--bcher-kva.example"])
      assert.strictEqual(DateTime.formatIso(mail.receivedAt), "2026-03-01T12:00:00.000Z")
      assert.include(Buffer.from(mail.raw).toString(), "Subject: Hello\r\n")
    })
  )

  it.scoped("keeps a mail that is not ours, or says falsely that it is, as nobody's", () =>
    Effect.gen(function* () {
      const { kept, transport } = yield* mailboxHouse()
      yield* transport.send(outgoing())
      yield* transport.send(
        outgoing({ headers: { "Feedback-ID": `${messageId}:${organizationId}:0123456789abcdef0123:switchboard` } })
      )
      assert.deepStrictEqual(
        kept.map((mail) => mail.organizationId),
        [null, null]
      )
    })
  )

  it.scoped("keeps what was forwarded for whoever forwarded it, also if somebody else here wrote it", () =>
    Effect.gen(function* () {
      const forwarder = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-5230792500ff")
      const mailFrom = "f+1.2@bounce.example.com"
      const { kept, signatures, transport } = yield* mailboxHouse({ forwarders: new Map([[mailFrom, forwarder]]) })
      yield* transport.send(outgoing({ mailFrom }))
      const headers = { "Feedback-ID": formatFeedbackId(signatures, feedback) }
      yield* transport.send(outgoing({ mailFrom, headers }))
      assert.deepStrictEqual(
        kept.map((mail) => mail.organizationId),
        [forwarder, forwarder]
      )
    })
  )

  it.scoped("reads folded headers, and those of a mail without a body or a sender", () =>
    Effect.gen(function* () {
      const { kept, port, signatures } = yield* mailboxHouse()
      const client = yield* rawClient(port)
      const header = formatFeedbackId(signatures, feedback)
      yield* client.say("EHLO client.test")
      for (const mail of [
        `feedback-id:\r\n ${header}\r\nMESSAGE-ID:\r\n\t<folded@example.com>\r\n`,
        `X: Feedback-ID: no\r\nFeedback-ID: ${header}\r\nMessage-ID: <folded@example.com>\r\n\r\nMessage-ID: <body@x>\r\n`
      ]) {
        yield* client.say("MAIL FROM:<>")
        yield* client.say("RCPT TO:<ada@example.org>")
        yield* client.say("DATA")
        assert.match(yield* client.say(`${mail}.`), /^250 /)
      }
      assert.deepStrictEqual(
        kept.map((mail) => [mail.organizationId, mail.messageId, mail.mailFrom]),
        [
          [organizationId, "<folded@example.com>", ""],
          [organizationId, "<folded@example.com>", ""]
        ]
      )
    })
  )

  it.scoped("says 250 only to what it has kept", () =>
    Effect.gen(function* () {
      const { kept, storage, transport } = yield* mailboxHouse()
      storage.away = true
      const failure = yield* Effect.flip(transport.send(outgoing()))
      assert.strictEqual(failure._tag, "MailDeferred")
      assert.include(failure.response, "451 4.3.0")
      storage.away = false
      yield* transport.send(outgoing())
      assert.lengthOf(kept, 1)
    })
  )

  it.scoped("refuses +bounce for good, and takes the others", () =>
    Effect.gen(function* () {
      const { kept, transport } = yield* mailboxHouse()
      const { replies } = yield* transport.send(
        outgoing({ rcptTo: ["ada+x+Bounce@example.org", "ada+bounce+x@example.org", "bounce@example.org"] })
      )
      const refused = replies.find(({ verdict }) => verdict === "refused")
      assert.strictEqual(refused?.recipient, "ada+x+Bounce@example.org")
      assert.include(refused?.response, "550 5.1.1")
      assert.deepStrictEqual(
        kept.map(({ rcptTo }) => rcptTo),
        [["ada+bounce+x@example.org", "bounce@example.org"]]
      )
    })
  )

  it.scoped("puts +defer off once for each message and recipient", () =>
    Effect.gen(function* () {
      const { storage, transport } = yield* mailboxHouse()
      const attempt = (envelopeId: string, recipient: string) =>
        Effect.map(transport.send(outgoing({ envelopeId, rcptTo: [recipient] })), ({ replies }) =>
          replies[0]?.response?.slice(0, 9)
        )
      assert.strictEqual(yield* attempt("one", "ada+defer@example.org"), "451 4.7.1")
      assert.strictEqual(yield* attempt("one", "bo+defer@example.org"), "451 4.7.1")
      assert.strictEqual(yield* attempt("two", "ada+defer@example.org"), "451 4.7.1")
      storage.away = true
      assert.strictEqual((yield* Effect.flip(attempt("one", "ada+defer@example.org")))._tag, "MailDeferred")
      storage.away = false
      for (const envelopeId of ["one", "two", "one"]) {
        assert.strictEqual(yield* attempt(envelopeId, "ada+defer@example.org"), "250 OK: m")
      }
    })
  )

  it.scoped("puts +defer off every second time for a client that names no message", () =>
    Effect.gen(function* () {
      const { port } = yield* mailboxHouse()
      const client = yield* rawClient(port)
      yield* client.say("EHLO client.test")
      yield* client.say("MAIL FROM:<shop@example.com>")
      const answers = yield* Effect.replicateEffect(client.say("RCPT TO:<ada+defer@example.org>"), 4)
      assert.deepStrictEqual(
        answers.map((answer) => answer.slice(0, 3)),
        ["451", "250", "451", "250"]
      )
    })
  )

  it.scopedLive("reports +complain until the report is taken, and says whose it is", () =>
    Effect.gen(function* () {
      const { complaints, signatures, transport } = yield* mailboxHouse({
        complaints: ["tooEarly", away, "recorded"]
      })
      yield* transport.send(
        outgoing({
          rcptTo: ["ada@example.org", "bo+complain@xn--bcher-kva.example"],
          headers: { "Feedback-ID": formatFeedbackId(signatures, feedback) }
        })
      )
      const told = yield* Queue.takeN(complaints, 3)
      for (const report of told) {
        assert.deepStrictEqual(report, { feedback, recipient: "bo+complain@xn--bcher-kva.example" })
      }
    })
  )

  it.scopedLive("reports no more what is recorded, or is nobody's message", () =>
    Effect.gen(function* () {
      const { complaints, signatures, transport } = yield* mailboxHouse({
        complaints: ["recorded", "unknown", "tooEarly", "recorded"]
      })
      const headers = { "Feedback-ID": formatFeedbackId(signatures, feedback) }
      for (const name of ["a", "b", "c"]) {
        yield* transport.send(outgoing({ rcptTo: [`${name}+complain@example.org`], headers }))
      }
      // The first two would have been told again before the third.
      const told = yield* Queue.takeN(complaints, 4)
      assert.deepStrictEqual(
        Array.from(told, ({ recipient }) => recipient[0]),
        ["a", "b", "c", "c"]
      )
    })
  )

  it.scoped("reports nothing about a mail that is not ours", () =>
    Effect.gen(function* () {
      const { complaints, signatures, transport } = yield* mailboxHouse()
      yield* transport.send(outgoing({ rcptTo: ["a+complain@example.org"] }))
      const headers = { "Feedback-ID": formatFeedbackId(signatures, feedback) }
      yield* transport.send(outgoing({ rcptTo: ["b+complain@example.org"], headers }))
      assert.strictEqual((yield* Queue.take(complaints)).recipient, "b+complain@example.org")
    })
  )

  it.scopedLive("reports +complain by a mail to the mail's return path, as soon as one can be brought there", () =>
    Effect.gen(function* () {
      const brought = yield* Queue.unbounded<{ readonly raw: Buffer; readonly to: ReadonlyArray<string> }>()
      let tries = 0
      const inbound = yield* smtpSink({
        disabledCommands: ["STARTTLS", "AUTH"],
        onRcptTo: (_address, _session, callback) => {
          tries += 1
          callback(tries === 1 ? Object.assign(new Error("later"), { responseCode: 451 }) : null)
        },
        onData: (stream, { envelope }, callback) => {
          const chunks: Array<Buffer> = []
          stream.on("data", (chunk: Buffer) => chunks.push(chunk))
          stream.on("end", () => {
            brought.unsafeOffer({ raw: Buffer.concat(chunks), to: envelope.rcptTo.map(({ address }) => address) })
            callback(null)
          })
        }
      })
      // Not known at first.
      const ports = [undefined, inbound.port]
      const { complaints, signatures, transport } = yield* mailboxHouse({
        inbound: () => (ports.length > 1 ? ports.shift() : ports[0])
      })
      const mailFrom = returnPath.make(signatures, { messageId, domain: "shop.test" })
      yield* transport.send(
        outgoing({
          mailFrom,
          rcptTo: ["ada@example.org", "bo+complain@example.org"],
          headers: { "Feedback-ID": formatFeedbackId(signatures, feedback) }
        })
      )
      const { raw, to } = yield* Queue.take(brought)
      assert.deepStrictEqual(to, [mailFrom])
      const { attachments } = yield* Effect.promise(() => PostalMime.parse(raw))
      const parts = attachments.map(({ content, mimeType }) => ({
        contentType: mimeType,
        content: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)
      }))
      const report = Option.getOrThrow(readArf(parts))
      assert.deepInclude(report, { feedbackType: "abuse", kind: "complaint", recipients: ["bo+complain@example.org"] })
      const enclosed = parseFeedbackId(signatures, fieldOf(report.original, "feedback-id"))
      assert.deepStrictEqual(enclosed, Option.some(feedback))
      assert.strictEqual(yield* Queue.size(complaints), 0)
    })
  )

  it.scoped("takes a hundred recipients, and asks to come back for more", () =>
    Effect.gen(function* () {
      const { kept, transport } = yield* mailboxHouse()
      const rcptTo = Array.from({ length: 102 }, (_, index) => `p${index}@example.org`)
      const { replies } = yield* transport.send(outgoing({ rcptTo }))
      const later = replies.filter(({ verdict }) => verdict === "deferred")
      assert.deepStrictEqual(
        later.map(({ recipient, response }) => [recipient, response?.slice(0, 9)]),
        [
          ["p100@example.org", "452 4.5.3"],
          ["p101@example.org", "452 4.5.3"]
        ]
      )
      assert.deepStrictEqual(kept[0]?.rcptTo, rcptTo.slice(0, 100))
    })
  )

  it.scoped("refuses what is larger than 35 MiB, announced or not", () =>
    Effect.gen(function* () {
      const { kept, port, transport } = yield* mailboxHouse()
      const client = yield* rawClient(port)
      yield* client.say("EHLO client.test")
      assert.match(yield* client.say(`MAIL FROM:<a@example.com> SIZE=${35 * 1024 * 1024 + 1}`), /^552 /)
      assert.match(yield* client.say(`MAIL FROM:<a@example.com> SIZE=${35 * 1024 * 1024}`), /^250 /)
      const attachments = [
        {
          filename: "large",
          contentType: "application/zip",
          contentId: null,
          content: new Uint8Array(27 * 1024 * 1024)
        }
      ]
      const failure = yield* Effect.flip(transport.send(outgoing({ attachments })))
      assert.deepInclude(failure, { _tag: "MailRefused", smtpCode: 552 })
      yield* client.say("RSET")
      yield* client.say("MAIL FROM:<a@example.com>")
      yield* client.say("RCPT TO:<ada@example.org>")
      yield* client.say("DATA")
      yield* client.pour(Buffer.alloc(35 * 1024 * 1024 + 2, "x\r\n"))
      assert.match(yield* client.say("\r\n."), /^552 5\.3\.4/)
      assert.lengthOf(kept, 0)
    })
  )

  it.scoped("offers what a relay of today does", () =>
    Effect.gen(function* () {
      const { transport } = yield* mailboxHouse()
      const { extensions } = yield* transport.probe
      assert.includeMembers([...extensions], ["PIPELINING", "8BITMIME", "DSN", `SIZE ${35 * 1024 * 1024}`])
      assert.notInclude(extensions.join(), "AUTH")
    })
  )

  it.scoped("outlives clients that hang up in the middle", () =>
    Effect.gen(function* () {
      const { kept, port, transport } = yield* mailboxHouse()
      for (const last of ["EHLO client.test", "MAIL FROM:<a@example.com>", "RCPT TO:<b@example.com>", "DATA"]) {
        const client = yield* rawClient(port)
        for (const line of ["EHLO client.test", "MAIL FROM:<a@example.com>", "RCPT TO:<b@example.com>", "DATA"]) {
          yield* client.say(line)
          if (line === last) break
        }
        client.write("Subject: half")
        client.hangUp()
      }
      yield* transport.send(outgoing())
      assert.lengthOf(kept, 1)
    })
  )

  it.scopedLive("lets a session end before it stops, and takes no other", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { kept, port } = yield* Scope.extend(mailboxHouse(), scope)
      const client = yield* rawClient(port)
      yield* client.say("EHLO client.test")
      yield* client.say("MAIL FROM:<a@example.com>")
      yield* client.say("RCPT TO:<b@example.com>")
      yield* client.say("DATA")
      client.write("Subject: last\r\n")
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow()
      assert.match(yield* client.say("\r\nThe end\r\n."), /^250 /)
      client.hangUp()
      yield* Fiber.join(closing)
      assert.lengthOf(kept, 1)
      const late = yield* Effect.exit(Effect.timeout(rawClient(port), "1 second"))
      assert.isTrue(Exit.isFailure(late))
    })
  )

  it.scoped("says which setting to change when its port is taken", () =>
    Effect.gen(function* () {
      const { port } = yield* mailboxHouse()
      const failure = yield* Effect.flip(mailboxHouse({ port }))
      assert.include(failure.message, `127.0.0.1:${port}`)
      assert.include(failure.message, "MAILBOX_SMTP_PORT")
    })
  )
})
