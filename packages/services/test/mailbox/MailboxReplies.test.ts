import { assert, describe, it } from "@effect/vitest"
import { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import { MailboxReply } from "@switchboard/domain/mailbox/MailboxReply"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MailboxInUse } from "@switchboard/services/mailbox/Mailbox"
import { MailboxReplies } from "@switchboard/services/mailbox/MailboxReplies"
import { MailboxRepo, type RawMail } from "@switchboard/services/mailbox/MailboxRepo"
import { MailParser, type ParsedMail } from "@switchboard/services/mailbox/MailParser"
import { type Brought, WayIn } from "@switchboard/services/mailbox/WayIn"
import {
  MailDeferred,
  type OutgoingMail,
  RelayUnavailable
} from "@switchboard/services/messages/delivery/MailTransport"
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

const shown: ParsedMail = {
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

const took = (recipients: ReadonlyArray<string>): Brought =>
  Effect.succeed({
    replies: recipients.map((recipient) => ({ recipient, verdict: "accepted", smtpCode: 250, response: "250 Ok" })),
    response: "250 Ok",
    providerMessageId: null
  })

const said = (recipient: string, verdict: "refused" | "deferred", response: string): Brought =>
  Effect.succeed({
    replies: [{ recipient, verdict, smtpCode: Number(response.slice(0, 3)), response }],
    response: null,
    providerMessageId: null
  })

/** Answers a mail that shows itself like this, where the way in behaves like that. */
const answered = (
  given: typeof MailboxReply.Encoded,
  {
    inUse = true,
    parsed = {},
    server = ({ rcptTo }) => took(rcptTo),
    who = organization
  }: {
    readonly inUse?: boolean
    readonly parsed?: Partial<ParsedMail>
    readonly server?: (mail: OutgoingMail) => Brought
    readonly who?: OrganizationId
  } = {}
) => {
  const brought: Array<OutgoingMail> = []
  const Ports = Layer.mergeAll(
    Layer.mock(MailboxRepo, {
      find: (asker, asked) => Effect.succeed(asker === organization && asked === id ? Option.some(mail) : Option.none())
    }),
    Layer.succeed(MailParser, { parse: () => Effect.succeed({ ...shown, ...parsed }) }),
    Layer.succeed(MailboxInUse, inUse),
    Layer.mock(WayIn, {
      bring: (one) => {
        brought.push(one)
        return server(one)
      }
    })
  )
  return Effect.gen(function* () {
    yield* TestClock.setTime(new Date("2026-11-20T10:00:00Z"))
    const { reply } = yield* MailboxReplies
    const result = yield* Effect.either(reply(who, id, Schema.decodeSync(MailboxReply)(given)))
    return { result, brought }
  }).pipe(Effect.provide(MailboxReplies.Default.pipe(Layer.provide(Ports))))
}

/** How an answer that went through was written. */
const written = (...args: Parameters<typeof answered>) =>
  Effect.map(answered(...args), ({ brought: [one], result }) => ({
    mail: one ?? assert.fail("nothing was brought"),
    answer: result._tag === "Right" ? result.right : assert.fail(JSON.stringify(result.left))
  }))

const failure = (...args: Parameters<typeof answered>) =>
  Effect.map(answered(...args), ({ brought, result }) => ({
    brought: brought.length,
    error: result._tag === "Left" ? result.left : assert.fail("it went through")
  }))

describe("The recipient of a mail", () => {
  it.effect("answers as a mail program does", () =>
    Effect.gen(function* () {
      const { answer, mail } = yield* written({ text: "Thank you!" })
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
        attachments: [],
        dkim: null
      })
      assert.deepStrictEqual(
        { ...answer },
        { messageId, from: "Ada@example.com", to: ["r+1@shop.test"], subject: "Re: Your order", response: "250 Ok" }
      )
    })
  )

  it.effect("is whom the answer names, and says what it says", () =>
    Effect.gen(function* () {
      const attachment = { filename: "a.txt", content: "aGk=", contentType: "text/plain" }
      const { mail } = yield* written({
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
      const { brought, error } = yield* failure({ text: "No", from: "eve@example.com" })
      assert.strictEqual(brought, 0)
      assert.strictEqual(error._tag, "ValidationError")
      assert.include(JSON.stringify(error), "Ada@example.com, bob@example.org")
    })
  )

  it.effect("answers the author where the mail asks for nobody else, once by one Re:, and quotes HTML as text", () =>
    Effect.gen(function* () {
      const parsed = { replyTo: [], subject: "RE: Your order", text: null, headers: [] }
      const { mail } = yield* written({ text: "Yes" }, { parsed })
      assert.deepStrictEqual(mail.to, ["shop@shop.test"])
      assert.strictEqual(mail.subject, "RE: Your order")
      assert.match(mail.text, /wrote:\n> not this\n$/)
      assert.deepStrictEqual(mail.headers, { "In-Reply-To": "<2@shop.test>", References: "<2@shop.test>" })
    })
  )

  it.effect("has it told who takes the answer, if anybody does", () =>
    Effect.gen(function* () {
      const server = ({ rcptTo: [first = "", second = ""] }: OutgoingMail): Brought =>
        Effect.succeed({
          replies: [
            { recipient: first, verdict: "refused", smtpCode: 550, response: "550 5.7.1 no" },
            { recipient: second, verdict: "accepted", smtpCode: 250, response: "250 Ok" }
          ],
          response: "250 Ok",
          providerMessageId: null
        })
      const parsed = { replyTo: ["away@example.net", "nonsense", "r+1@shop.test"] }
      const { answer, mail } = yield* written({ text: "Yes" }, { parsed, server })
      assert.deepStrictEqual([mail.rcptTo, answer.to], [["away@example.net", "r+1@shop.test"], ["r+1@shop.test"]])

      const refused = yield* failure(
        { text: "Yes" },
        { server: () => said("away@example.net", "refused", "550 5.7.1 Relaying is denied") }
      )
      assert.deepInclude(refused.error, { _tag: "ConflictError", resource: "mail" })
      assert.include(JSON.stringify(refused.error), "away@example.net: 550 5.7.1 Relaying is denied")

      const nobody = yield* failure({ text: "Yes" }, { parsed: { replyTo: [], from: "" } })
      assert.deepStrictEqual([nobody.error._tag, nobody.brought], ["ConflictError", 0])
    })
  )

  it.effect("is asked to come again where the answer can't be taken now", () =>
    Effect.gen(function* () {
      const servers: ReadonlyArray<() => Brought> = [
        () => said("r+1@shop.test", "deferred", "451 4.3.0 Please try again later"),
        () => new MailDeferred({ smtpCode: 451, response: "451 4.3.0 Please try again later" }),
        () => new RelayUnavailable({ response: "connect ECONNREFUSED" })
      ]
      for (const server of servers) {
        const { error } = yield* failure({ text: "Yes" }, { server })
        assert.deepInclude(error, { _tag: "ServiceUnavailableError", retryAfterSeconds: 1 })
      }
    })
  )

  it.effect("is there for the organization's own mail alone, and while the mailbox is in use", () =>
    Effect.gen(function* () {
      for (const options of [{ who: other }, { inUse: false }]) {
        const { brought, error } = yield* failure({ text: "Yes" }, options)
        assert.deepInclude(error, { _tag: "ResourceNotFoundError", resource: "mail", id })
        assert.strictEqual(brought, 0)
      }
    })
  )
})
