import { assert, describe, it } from "@effect/vitest"
import { MailboxMailId, MailboxReply } from "@switchboard/domain/mailbox/MailboxMail"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { CreationKeyRepo } from "@switchboard/services/idempotency/CreationKeyRepo"
import { MailboxEnabled } from "@switchboard/services/mailbox/Mailbox"
import { MailboxReplies } from "@switchboard/services/mailbox/MailboxReplies"
import { MailboxRepo, MailParser, type ParsedMail, type RawMail } from "@switchboard/services/mailbox/MailboxRepo"
import { type Injection, SmtpInjector } from "@switchboard/services/mailbox/SmtpInjector"
import type { OutgoingMail } from "@switchboard/services/messages/delivery/MailTransport"
import { ProviderUnavailable, SendDeferred } from "@switchboard/services/messages/delivery/Provider"
import { DateTime, Effect, Layer, Option, Schema, TestClock } from "effect"

const organization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250001")
const id = MailboxMailId.make("01a1fc1d-e263-75b0-8c63-b51e27abcdaf")

const mail: RawMail = {
  id,
  organizationId: organization,
  messageId: "<2@shop.test>",
  mailFrom: "b+1@bounce.shop.test",
  rcptTo: ["Ada@example.com", "bob@example.org"],
  raw: new Uint8Array(),
  receivedAt: DateTime.unsafeMake("2026-11-20T09:30:00.000Z")
}

const parsedMail: ParsedMail = {
  from: "shop@shop.test",
  to: ["Ada@example.com"],
  cc: [],
  replyTo: ["r+1@shop.test"],
  subject: "Your order",
  headers: [{ name: "References", value: "<0@shop.test> <1@shop.test>" }],
  text: "It is on its way\r\n> as you asked\r\n",
  html: "<p>not this</p>",
  attachments: []
}

const accept = (recipients: ReadonlyArray<string>): Injection =>
  Effect.succeed({
    replies: recipients.map((recipient) => ({ recipient, verdict: "accepted", smtpCode: 250, response: "250 Ok" })),
    response: "250 Ok",
    providerMessageId: null
  })

const replyWith = (recipient: string, verdict: "refused" | "deferred", response: string): Injection =>
  Effect.succeed({
    replies: [{ recipient, verdict, smtpCode: Number(response.slice(0, 3)), response }],
    response: null,
    providerMessageId: null
  })

/** Replies to a mail that parses as given, with an SMTP server that responds as given. */
const runReply = (
  given: typeof MailboxReply.Encoded,
  {
    at = "2026-11-20T10:00:00Z",
    earlier,
    inUse = true,
    parsed = {},
    server = ({ rcptTo }) => accept(rcptTo),
    who = organization
  }: {
    readonly at?: string
    readonly earlier?: string
    readonly inUse?: boolean
    readonly parsed?: Partial<ParsedMail>
    readonly server?: (mail: OutgoingMail) => Injection
    readonly who?: OrganizationId
  } = {}
) => {
  const delivered: Array<OutgoingMail> = []
  const Ports = Layer.mergeAll(
    Layer.mock(MailboxRepo, {
      find: (caller, requested) =>
        Effect.succeed(caller === organization && requested === id ? Option.some(mail) : Option.none())
    }),
    Layer.succeed(MailParser, { parse: () => Effect.succeed({ ...parsedMail, ...parsed }) }),
    Layer.succeed(MailboxEnabled, inUse),
    Layer.mock(CreationKeyRepo, {}),
    Layer.mock(SmtpInjector, {
      inject: (one) => {
        delivered.push(one)
        return server(one)
      }
    })
  )
  return Effect.gen(function* () {
    yield* TestClock.setTime(new Date(at))
    const { reply } = yield* MailboxReplies
    const result = yield* Effect.either(reply(who, id, Schema.decodeSync(MailboxReply)(given), earlier))
    return { result, delivered }
  }).pipe(Effect.provide(MailboxReplies.Default.pipe(Layer.provide(Ports))))
}

/** The message and the result of a successful reply. */
const sentReply = (...args: Parameters<typeof runReply>) =>
  Effect.map(runReply(...args), ({ delivered: [one], result }) => ({
    mail: one ?? assert.fail("no message was sent"),
    sent: result._tag === "Right" ? result.right : assert.fail(JSON.stringify(result.left))
  }))

const failedReply = (...args: Parameters<typeof runReply>) =>
  Effect.map(runReply(...args), ({ delivered, result }) => ({
    delivered: delivered.length,
    error: result._tag === "Left" ? result.left : assert.fail("the reply succeeded")
  }))

describe("MailboxReplies", () => {
  it.effect("replies with subject, quotation and references as a mail program does", () =>
    Effect.gen(function* () {
      const { sent, mail } = yield* sentReply({ text: "Thank you!" })
      const { envelopeId: _, messageId, ...rest } = mail
      assert.match(messageId, /^<[0-9a-f-]{36}@example\.com>$/)
      assert.deepStrictEqual(rest, {
        mailFrom: "Ada@example.com",
        rcptTo: ["r+1@shop.test"],
        notify: false,
        date: DateTime.unsafeMake("2026-11-20T10:00:00.000Z"),
        from: { address: "Ada@example.com" },
        to: ["r+1@shop.test"],
        cc: [],
        names: {},
        replyTo: [],
        subject: "Re: Your order",
        html: "",
        text: "Thank you!\n\nOn 2026-11-20T09:30:00.000Z, shop@shop.test wrote:\n> It is on its way\n>> as you asked\n",
        headers: { "In-Reply-To": "<2@shop.test>", References: "<0@shop.test> <1@shop.test> <2@shop.test>" },
        submitted: null,
        needsSmtpUtf8: false,
        attachments: [],
        dkim: null
      })
      assert.deepStrictEqual(
        { ...sent },
        { messageId, from: "Ada@example.com", to: ["r+1@shop.test"], subject: "Re: Your order", response: "250 Ok" }
      )
    })
  )

  it.effect("sends the same mail again with the id of an earlier reply", () =>
    Effect.gen(function* () {
      const { mail, sent } = yield* sentReply({ text: "Thank you!" })
      const again = yield* sentReply({ text: "Thank you!" }, { earlier: mail.envelopeId, at: "2026-11-21T10:00:00Z" })
      assert.deepStrictEqual(again, { mail, sent })
    })
  )

  it.effect("uses the given sender, subject and content, and rejects a sender that is no recipient", () =>
    Effect.gen(function* () {
      const attachment = { filename: "a.txt", content: "aGk=", contentType: "text/plain" }
      const { mail } = yield* sentReply({
        text: "No",
        html: "<p>No</p>",
        subject: "Something else",
        from: "BOB@example.org",
        attachments: [attachment]
      })
      assert.deepInclude(mail, {
        mailFrom: "bob@example.org",
        from: { address: "bob@example.org" },
        subject: "Something else",
        html: "<p>No</p>"
      })
      assert.deepStrictEqual(mail.attachments, [
        { filename: "a.txt", contentType: "text/plain", contentId: null, content: new TextEncoder().encode("hi") }
      ])
      const { delivered, error } = yield* failedReply({ text: "No", from: "eve@example.com" })
      assert.strictEqual(delivered, 0)
      assert.strictEqual(error._tag, "ValidationError")
      assert.include(JSON.stringify(error), "Ada@example.com, bob@example.org")
    })
  )

  it.effect("replies to From without Reply-To, adds no second Re:, and quotes HTML as text", () =>
    Effect.gen(function* () {
      const parsed = { replyTo: [], subject: "RE: Your order", text: null, headers: [] }
      const { mail } = yield* sentReply({ text: "Yes" }, { parsed })
      assert.deepStrictEqual(mail.to, ["shop@shop.test"])
      assert.strictEqual(mail.subject, "RE: Your order")
      assert.match(mail.text, /wrote:\n> not this\n$/)
      assert.deepStrictEqual(mail.headers, { "In-Reply-To": "<2@shop.test>", References: "<2@shop.test>" })
    })
  )

  it.effect("returns the accepted recipients, and fails without one", () =>
    Effect.gen(function* () {
      const server = ({ rcptTo: [first = "", second = ""] }: OutgoingMail): Injection =>
        Effect.succeed({
          replies: [
            { recipient: first, verdict: "refused", smtpCode: 550, response: "550 5.7.1 no" },
            { recipient: second, verdict: "accepted", smtpCode: 250, response: "250 Ok" }
          ],
          response: "250 Ok",
          providerMessageId: null
        })
      const parsed = { replyTo: ["away@example.net", "nonsense", "r+1@shop.test"] }
      const { sent, mail } = yield* sentReply({ text: "Yes" }, { parsed, server })
      assert.deepStrictEqual([mail.rcptTo, sent.to], [["away@example.net", "r+1@shop.test"], ["r+1@shop.test"]])

      const refused = yield* failedReply(
        { text: "Yes" },
        { server: () => replyWith("away@example.net", "refused", "550 5.7.1 Relaying is denied") }
      )
      assert.deepInclude(refused.error, { _tag: "ConflictError", resource: "mail" })
      assert.include(JSON.stringify(refused.error), "away@example.net: 550 5.7.1 Relaying is denied")

      const noAddress = yield* failedReply({ text: "Yes" }, { parsed: { replyTo: [], from: "" } })
      assert.deepStrictEqual([noAddress.error._tag, noAddress.delivered], ["ConflictError", 0])
    })
  )

  it.effect("fails with a retry time if the server defers the reply", () =>
    Effect.gen(function* () {
      const servers: ReadonlyArray<() => Injection> = [
        () => replyWith("r+1@shop.test", "deferred", "451 4.3.0 Please try again later"),
        () => new SendDeferred({ smtpCode: 451, response: "451 4.3.0 Please try again later" }),
        () => new ProviderUnavailable({ response: "connect ECONNREFUSED" })
      ]
      for (const server of servers) {
        const { error } = yield* failedReply({ text: "Yes" }, { server })
        assert.deepInclude(error, { _tag: "ServiceUnavailableError", retryAfterSeconds: 1 })
      }
    })
  )

  it.effect("returns not found for another organization's mail or a disabled mailbox", () =>
    Effect.gen(function* () {
      for (const options of [{ who: other }, { inUse: false }]) {
        const { delivered, error } = yield* failedReply({ text: "Yes" }, options)
        assert.deepInclude(error, { _tag: "ResourceNotFoundError", resource: "mail", id })
        assert.strictEqual(delivered, 0)
      }
    })
  )
})
