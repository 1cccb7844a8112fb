import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { readArf } from "@switchboard/domain/email/feedback/Arf"
import { fieldOf } from "@switchboard/domain/email/feedback/ReportFields"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { parseFeedbackId, returnPath } from "@switchboard/services/messages/delivery/SignedReferences"
import { DateTime, Effect, Exit, Fiber, Option, Queue, Scope, TestClock } from "effect"
import PostalMime from "postal-mime"
import { messageId, organizationId, outgoing } from "../Fixtures.js"
import { rawClient } from "../RawClient.js"
import { smtpSink } from "../SmtpSink.js"
import { feedback, mailboxFixture, unavailable } from "./MailboxFixture.js"

/** Sends the commands of a transaction up to DATA, or up to `last`. */
const beginMail = Effect.fnUntraced(function* (port: number, last = "DATA") {
  const client = yield* rawClient(port)
  for (const line of ["EHLO client.test", "MAIL FROM:<a@example.com>", "RCPT TO:<b@example.com>", "DATA"]) {
    yield* client.sendLine(line)
    if (line.startsWith(last)) break
  }
  return client
})

describe("The local mailbox", () => {
  it.scoped("stores a mail unchanged, with its organization", () =>
    Effect.gen(function* () {
      const { stored, headers, transport } = yield* mailboxFixture()
      yield* TestClock.setTime(new Date("2026-03-01T12:00:00Z"))
      const receipt = yield* transport.send(
        outgoing({
          rcptTo: ["ada@example.org", "Bo@xn--bcher-kva.example"],
          headers
        })
      )
      assert.deepStrictEqual(
        receipt.replies.map(({ verdict }) => verdict),
        ["accepted", "accepted"]
      )
      const [mail = assert.fail("nothing stored")] = stored
      assert.strictEqual(mail.organizationId, organizationId)
      assert.strictEqual(mail.messageId, `<${messageId}@example.com>`)
      assert.strictEqual(mail.mailFrom, "shop@example.com")
      assert.deepStrictEqual(mail.rcptTo, ["ada@example.org", "Bo@xn--bcher-kva.example"])
      assert.strictEqual(DateTime.formatIso(mail.receivedAt), "2026-03-01T12:00:00.000Z")
      assert.include(Buffer.from(mail.raw).toString(), "Subject: Hello\r\n")
    })
  )

  it.scoped("stores a mail without a valid Feedback-ID without an organization", () =>
    Effect.gen(function* () {
      const { stored, transport } = yield* mailboxFixture()
      yield* transport.send(outgoing())
      yield* transport.send(
        outgoing({ headers: { "Feedback-ID": `${messageId}:${organizationId}:0123456789abcdef0123:switchboard` } })
      )
      assert.deepStrictEqual(
        stored.map((mail) => mail.organizationId),
        [null, null]
      )
    })
  )

  it.scoped("stores a forwarded mail for the forwarding organization, even if another organization sent it", () =>
    Effect.gen(function* () {
      const forwarder = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-5230792500ff")
      const mailFrom = "f+1.2@bounce.example.com"
      const { stored, headers, transport } = yield* mailboxFixture({ forwarders: new Map([[mailFrom, forwarder]]) })
      yield* transport.send(outgoing({ mailFrom }))
      yield* transport.send(outgoing({ mailFrom, headers }))
      assert.deepStrictEqual(
        stored.map((mail) => mail.organizationId),
        [forwarder, forwarder]
      )
    })
  )

  it.scoped("reads folded header fields, and those of a mail without a body or with a null reverse-path", () =>
    Effect.gen(function* () {
      const { stored, port, headers } = yield* mailboxFixture()
      const client = yield* rawClient(port)
      yield* client.sendLine("EHLO client.test")
      for (const mail of [
        `feedback-id:\r\n ${headers["Feedback-ID"]}\r\nMESSAGE-ID:\r\n\t<folded@example.com>\r\n`,
        `X: Feedback-ID: no\r\nFeedback-ID: ${headers["Feedback-ID"]}\r\nMessage-ID: <folded@example.com>\r\n\r\nMessage-ID: <body@x>\r\n`
      ]) {
        yield* client.sendLine("MAIL FROM:<>")
        yield* client.sendLine("RCPT TO:<ada@example.org>")
        yield* client.sendLine("DATA")
        assert.match(yield* client.sendLine(`${mail}.`), /^250 /)
      }
      assert.deepStrictEqual(
        stored.map((mail) => [mail.organizationId, mail.messageId, mail.mailFrom]),
        [
          [organizationId, "<folded@example.com>", ""],
          [organizationId, "<folded@example.com>", ""]
        ]
      )
    })
  )

  it.scoped("replies 250 only after the mail is stored", () =>
    Effect.gen(function* () {
      const { stored, storage, transport } = yield* mailboxFixture()
      storage.isDown = true
      const failure = yield* Effect.flip(transport.send(outgoing()))
      assert.strictEqual(failure._tag, "SendDeferred")
      assert.include(failure.response, "451 4.3.0")
      storage.isDown = false
      yield* transport.send(outgoing())
      assert.lengthOf(stored, 1)
    })
  )

  it.scoped("refuses +bounce with 550, and accepts other recipients", () =>
    Effect.gen(function* () {
      const { stored, transport } = yield* mailboxFixture()
      const { replies } = yield* transport.send(
        outgoing({ rcptTo: ["ada+x+Bounce@example.org", "ada+bounce+x@example.org", "bounce@example.org"] })
      )
      const refused = replies.find(({ verdict }) => verdict === "refused")
      assert.strictEqual(refused?.recipient, "ada+x+Bounce@example.org")
      assert.include(refused?.response, "550 5.1.1")
      assert.deepStrictEqual(
        stored.map(({ rcptTo }) => rcptTo),
        [["ada+bounce+x@example.org", "bounce@example.org"]]
      )
    })
  )

  it.scoped("defers +defer once per message and recipient", () =>
    Effect.gen(function* () {
      const { storage, transport } = yield* mailboxFixture()
      const attempt = (envelopeId: string, recipient: string) =>
        Effect.map(transport.send(outgoing({ envelopeId, rcptTo: [recipient] })), ({ replies }) =>
          replies[0]?.response?.slice(0, 9)
        )
      assert.strictEqual(yield* attempt("one", "ada+defer@example.org"), "451 4.7.1")
      assert.strictEqual(yield* attempt("one", "bo+defer@example.org"), "451 4.7.1")
      assert.strictEqual(yield* attempt("two", "ada+defer@example.org"), "451 4.7.1")
      storage.isDown = true
      assert.strictEqual((yield* Effect.flip(attempt("one", "ada+defer@example.org")))._tag, "SendDeferred")
      storage.isDown = false
      for (const envelopeId of ["one", "two", "one"]) {
        assert.strictEqual(yield* attempt(envelopeId, "ada+defer@example.org"), "250 OK: m")
      }
    })
  )

  it.scoped("defers +defer every second time without an envelope id", () =>
    Effect.gen(function* () {
      const { port } = yield* mailboxFixture()
      const client = yield* beginMail(port, "MAIL")
      const replies = yield* Effect.replicateEffect(client.sendLine("RCPT TO:<ada+defer@example.org>"), 4)
      assert.deepStrictEqual(
        replies.map((reply) => reply.slice(0, 3)),
        ["451", "250", "451", "250"]
      )
    })
  )

  it.scopedLive("reports +complain until the report is recorded, with its message and recipient", () =>
    Effect.gen(function* () {
      const { complaints, headers, transport } = yield* mailboxFixture({
        complaints: ["tooEarly", unavailable, "recorded"]
      })
      yield* transport.send(
        outgoing({
          rcptTo: ["ada@example.org", "bo+complain@xn--bcher-kva.example"],
          headers
        })
      )
      const reports = yield* Queue.takeN(complaints, 3)
      for (const report of reports) {
        assert.deepStrictEqual(report, { feedback, recipient: "bo+complain@xn--bcher-kva.example" })
      }
    })
  )

  it.scopedLive("does not repeat a report that is recorded or of an unknown message", () =>
    Effect.gen(function* () {
      const { complaints, headers, transport } = yield* mailboxFixture({
        complaints: ["recorded", "unknown", "tooEarly", "recorded"]
      })
      for (const name of ["a", "b", "c"]) {
        yield* transport.send(outgoing({ rcptTo: [`${name}+complain@example.org`], headers }))
      }
      // A repeated report of the first two would come before the third.
      const reports = yield* Queue.takeN(complaints, 4)
      assert.deepStrictEqual(
        Array.from(reports, ({ recipient }) => recipient[0]),
        ["a", "b", "c", "c"]
      )
    })
  )

  it.scoped("reports nothing about a mail without a valid Feedback-ID", () =>
    Effect.gen(function* () {
      const { complaints, headers, transport } = yield* mailboxFixture()
      yield* transport.send(outgoing({ rcptTo: ["a+complain@example.org"] }))
      yield* transport.send(outgoing({ rcptTo: ["b+complain@example.org"], headers }))
      assert.strictEqual((yield* Queue.take(complaints)).recipient, "b+complain@example.org")
    })
  )

  it.scopedLive("reports +complain by a mail to the return path, and retries until the inbound server accepts it", () =>
    Effect.gen(function* () {
      const received = yield* Queue.unbounded<{ readonly raw: Buffer; readonly to: ReadonlyArray<string> }>()
      let attempts = 0
      const inbound = yield* smtpSink({
        disabledCommands: ["STARTTLS", "AUTH"],
        onRcptTo: (_address, _session, callback) => {
          attempts += 1
          callback(attempts === 1 ? Object.assign(new Error("later"), { responseCode: 451 }) : null)
        },
        onData: (stream, { envelope }, callback) => {
          const chunks: Array<Buffer> = []
          stream.on("data", (chunk: Buffer) => chunks.push(chunk))
          stream.on("end", () => {
            received.unsafeOffer({ raw: Buffer.concat(chunks), to: envelope.rcptTo.map(({ address }) => address) })
            callback(null)
          })
        }
      })
      // The inbound server is not listening at first.
      const ports = [undefined, inbound.port]
      const { complaints, headers, signatures, transport } = yield* mailboxFixture({
        inbound: () => (ports.length > 1 ? ports.shift() : ports[0])
      })
      const mailFrom = returnPath.make(signatures, { messageId, domain: "shop.test" })
      yield* transport.send(
        outgoing({
          mailFrom,
          rcptTo: ["ada@example.org", "bo+complain@example.org"],
          headers
        })
      )
      const { raw, to } = yield* Queue.take(received)
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

  it.scoped("accepts 100 recipients in a transaction", () =>
    Effect.gen(function* () {
      const { stored, transport } = yield* mailboxFixture()
      const rcptTo = Array.from({ length: 102 }, (_, index) => `p${index}@example.org`)
      const { replies } = yield* transport.send(outgoing({ rcptTo }))
      // The others need another transaction.
      assert.deepStrictEqual(
        replies.map(({ recipient, verdict }) => [recipient, verdict]),
        rcptTo.slice(0, 100).map((recipient) => [recipient, "accepted"])
      )
      assert.deepStrictEqual(stored[0]?.rcptTo, rcptTo.slice(0, 100))
    })
  )

  it.scoped("refuses a mail over 35 MiB, declared with SIZE or not", () =>
    Effect.gen(function* () {
      const { stored, port, transport } = yield* mailboxFixture()
      const client = yield* rawClient(port)
      yield* client.sendLine("EHLO client.test")
      assert.match(yield* client.sendLine(`MAIL FROM:<a@example.com> SIZE=${35 * 1024 * 1024 + 1}`), /^552 /)
      assert.match(yield* client.sendLine(`MAIL FROM:<a@example.com> SIZE=${35 * 1024 * 1024}`), /^250 /)
      const failure = yield* Effect.flip(transport.send(outgoing({ text: "x".repeat(36 * 1024 * 1024) })))
      assert.deepInclude(failure, { _tag: "SendRefused", smtpCode: 552 })
      const undeclared = yield* beginMail(port)
      yield* undeclared.writeAll(Buffer.alloc(35 * 1024 * 1024 + 2, "x\r\n"))
      assert.match(yield* undeclared.sendLine("\r\n."), /^552 5\.3\.4/)
      assert.lengthOf(stored, 0)
    })
  )

  it.scoped("offers PIPELINING, 8BITMIME, DSN and SIZE, and no AUTH", () =>
    Effect.gen(function* () {
      const { transport } = yield* mailboxFixture()
      const { extensions } = yield* transport.probe
      assert.includeMembers([...extensions], ["PIPELINING", "8BITMIME", "DSN", `SIZE ${35 * 1024 * 1024}`])
      assert.notInclude(extensions.join(), "AUTH")
    })
  )

  it.scoped("survives clients that disconnect during a transaction", () =>
    Effect.gen(function* () {
      const { stored, port, transport } = yield* mailboxFixture()
      for (const last of ["EHLO", "MAIL", "RCPT", "DATA"]) {
        const client = yield* beginMail(port, last)
        client.write("Subject: half")
        client.hangUp()
      }
      yield* transport.send(outgoing())
      assert.lengthOf(stored, 1)
    })
  )

  it.scopedLive("completes an open session before it stops, and accepts no other", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { stored, port } = yield* Scope.extend(mailboxFixture(), scope)
      const client = yield* beginMail(port)
      client.write("Subject: last\r\n")
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow()
      assert.match(yield* client.sendLine("\r\nThe end\r\n."), /^250 /)
      client.hangUp()
      yield* Fiber.join(closing)
      assert.lengthOf(stored, 1)
      const late = Effect.async<string>((resume) => {
        const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed("connected")))
        socket.on("error", ({ message }) => resume(Effect.succeed(message)))
      })
      assert.include(yield* late, "ECONNREFUSED")
    })
  )

  it.scoped("names the setting to change if its port is in use", () =>
    Effect.gen(function* () {
      const { port } = yield* mailboxFixture()
      const failure = yield* Effect.flip(mailboxFixture({ port }))
      assert.include(failure.message, `127.0.0.1:${port}`)
      assert.include(failure.message, "MAILBOX_SMTP_PORT")
    })
  )
})
