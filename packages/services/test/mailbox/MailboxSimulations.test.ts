import { assert, layer } from "@effect/vitest"
import { readDsn } from "@switchboard/domain/email/feedback/DeliveryReport"
import { requestClient } from "@switchboard/domain/email/tracking/TrackedRequest"
import { MailboxMailId, type SimulatedEvent } from "@switchboard/domain/mailbox/MailboxMail"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type ComplaintOutcome, Complaints } from "@switchboard/services/email/feedback/Feedback"
import { openUrl } from "@switchboard/services/email/tracking/TrackingLinks"
import { MailboxEnabled } from "@switchboard/services/mailbox/Mailbox"
import { MailboxComplaints } from "@switchboard/services/mailbox/MailboxComplaints"
import { MailboxRepo, MailParser, type RawMail } from "@switchboard/services/mailbox/MailboxRepo"
import { MailboxSimulations } from "@switchboard/services/mailbox/MailboxSimulations"
import { type ComposedMail, type Injection, SmtpInjector } from "@switchboard/services/mailbox/SmtpInjector"
import { ProviderUnavailable } from "@switchboard/services/messages/delivery/Provider"
import { formatFeedbackId, returnPath } from "@switchboard/services/messages/delivery/SignedReferences"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import {
  type WebhookPost,
  WebhookResponse,
  WebhookTransport
} from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"

const organization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250001")
const messageId = MessageId.make("01a1fc1d-e1a0-7029-814e-d493ca640e3c")
const id = MailboxMailId.make("01a1fc1d-e263-75b0-8c63-b51e27abcdaf")
const publicUrl = "https://mail.shop.test"

const reply = (verdict: "accepted" | "refused" | "deferred", response: string): Injection =>
  Effect.succeed({
    replies: [{ recipient: "b+1@bounce.shop.test", verdict, response }],
    response: verdict === "accepted" ? response : null,
    providerMessageId: null
  })

const responded = (status: number) =>
  WebhookResponse.Responded({ status, headers: {}, body: "", retryAfterSeconds: null, durationMs: 1 })

/** The parts of a simulation that differ by test. */
interface Options {
  readonly mail?: Partial<RawMail>
  readonly html?: string
  /** The organization of the `Feedback-ID`. */
  readonly author?: OrganizationId
  readonly who?: OrganizationId
  readonly isEnabled?: boolean
  readonly injection?: Injection
  readonly outcome?: ComplaintOutcome
  readonly response?: WebhookResponse
}

/** Simulates an event, and returns its result with the mails, complaints and requests that it sent. */
const simulate = Effect.fnUntraced(function* (kind: SimulatedEvent, options: Options = {}) {
  const { author = organization, isEnabled = true, outcome = "recorded", who = organization } = options
  const signatures = yield* Signatures
  const header = `Feedback-ID: ${formatFeedbackId(signatures, { messageId, organizationId: author })}`
  const mail: RawMail = {
    id,
    organizationId: organization,
    messageId: "<1@shop.test>",
    mailFrom: returnPath.make(signatures, { messageId, domain: "shop.test" }),
    rcptTo: ["Ada@example.com", "bob@example.org"],
    raw: new TextEncoder().encode(`Subject: Hello\r\n${header}\r\n\r\nThe text\r\n`),
    receivedAt: DateTime.unsafeMake("2026-11-20T09:30:00.000Z"),
    ...options.mail
  }
  const mails: Array<ComposedMail> = []
  const complaints: Array<ReadonlyArray<string>> = []
  const requests: Array<WebhookPost> = []
  const Ports = Layer.mergeAll(
    Layer.mock(MailboxRepo, {
      find: (from, asked) => Effect.succeed(from === organization && asked === id ? Option.some(mail) : Option.none())
    }),
    Layer.succeed(MailParser, {
      parse: () =>
        Effect.succeed({
          from: "shop@shop.test",
          to: [],
          cc: [],
          replyTo: [],
          subject: "",
          headers: [],
          text: null,
          html: options.html ?? null,
          attachments: []
        })
    }),
    Layer.succeed(MailboxEnabled, isEnabled),
    Layer.succeed(PublicUrl, publicUrl),
    Layer.succeed(WebhookTransport, {
      post: (request) => {
        requests.push(request)
        return Effect.succeed(options.response ?? responded(200))
      }
    })
  )
  const Injector = Layer.mock(SmtpInjector, {
    injectComposed: (one) => {
      mails.push(one)
      return options.injection ?? reply("accepted", "250 Ok")
    }
  })
  const Recorded = Layer.succeed(
    Complaints,
    new Complaints({
      report: (_, recipients) => {
        complaints.push(recipients)
        return Effect.succeed(outcome)
      }
    })
  )
  const Live = MailboxSimulations.Default.pipe(
    Layer.provide(MailboxComplaints.Default),
    Layer.provide(Layer.mergeAll(Ports, Injector, Recorded))
  )
  const result = yield* Effect.either(
    Effect.flatMap(MailboxSimulations, (simulations) => simulations.simulate(who, id, kind))
  ).pipe(Effect.provide(Live))
  const error = result._tag === "Left" ? result.left : null
  return { complaints, error, mail, mails, requests }
})

const Live = Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32)))))

layer(Live)("A simulated event", (it) => {
  it.effect("bounces by a delivery status notification from the null reverse-path, for all recipients", () =>
    Effect.gen(function* () {
      const { error, mail, mails } = yield* simulate("bounce")
      assert.isNull(error)
      const [report = assert.fail("nothing was sent"), ...rest] = mails
      assert.lengthOf(rest, 0)
      assert.deepStrictEqual([report.mailFrom, report.rcptTo], ["", [mail.mailFrom]])
      const content = Buffer.from(report.raw).toString()
      assert.match(content, /^From: <mailer-daemon@example\.com>\r\n/)
      assert.include(content, "report-type=delivery-status")
      assert.include(content, "\r\nSubject: Hello\r\nFeedback-ID: ")
      assert.notInclude(content, "The text")
      const recipients = readDsn([{ contentType: "message/delivery-status", content: report.raw }])
      assert.deepStrictEqual(
        recipients.map(({ action, addresses, enhancedCode, smtpCode }) => [addresses, action, smtpCode, enhancedCode]),
        [
          [["Ada@example.com"], "failed", 550, "5.1.1"],
          [["bob@example.org"], "failed", 550, "5.1.1"]
        ]
      )
    })
  )

  it.effect("complains by one report for each recipient, or directly without a return path of the service", () =>
    Effect.gen(function* () {
      const byMail = yield* simulate("complaint")
      assert.isNull(byMail.error)
      assert.lengthOf(byMail.complaints, 0)
      assert.deepStrictEqual(
        byMail.mails.map(({ raw }) => /Original-Rcpt-To: <(.*)>/.exec(Buffer.from(raw).toString())?.[1]),
        ["Ada@example.com", "bob@example.org"]
      )
      const direct = yield* simulate("complaint", { mail: { mailFrom: "shop@shop.test" } })
      assert.isNull(direct.error)
      assert.lengthOf(direct.mails, 0)
      assert.deepStrictEqual(direct.complaints, [["Ada@example.com"], ["bob@example.org"]])
      const early = yield* simulate("complaint", { mail: { mailFrom: "shop@shop.test" }, outcome: "tooEarly" })
      assert.strictEqual(early.error?._tag, "ServiceUnavailableError")
    })
  )

  it.effect("reads by one request to the public URL for the pixel, which does not count as automatic", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const own = { messageId, organizationId: organization, place: 0 }
      const foreign = `<img src="https://evil.test/v1/email/open?token=a.b.c.d">`
      const { error, requests } = yield* simulate("read", {
        html: `<body>${foreign}<img src="${openUrl(signatures, "https://links.shop.test", own)}"></body>`
      })
      assert.isNull(error)
      const [request = assert.fail("nothing was requested"), ...rest] = requests
      assert.lengthOf(rest, 0)
      assert.match(
        request.url,
        new RegExp(`^${publicUrl}/v1/email/open\\?token=${messageId}\\.${organization}\\.0\\.[0-9a-f]{20}$`)
      )
      const headers = { "user-agent": request.userAgent }
      assert.strictEqual(requestClient({ method: request.method ?? "", headers }), "mailbox")
    })
  )

  it.effect("fails with a conflict if it can't apply to the mail", () =>
    Effect.gen(function* () {
      const cases = yield* Effect.all([
        simulate("bounce", { mail: { mailFrom: "shop@shop.test" } }),
        simulate("bounce", { mail: { mailFrom: `b+${messageId}.00000000000000000000@bounce.shop.test` } }),
        simulate("bounce", { injection: reply("refused", "550 5.1.1 Unknown address") }),
        simulate("complaint", { author: other }),
        simulate("complaint", { mail: { raw: new TextEncoder().encode("Subject: Hello\r\n\r\n") } }),
        simulate("read"),
        simulate("read", { html: "<p>Hello</p>" }),
        simulate("read", { html: `<img src="https://evil.test/v1/email/open?token=a.b.c.d">` })
      ])
      for (const { complaints, error, requests } of cases) {
        assert.deepInclude(error, { _tag: "ConflictError", resource: "mail" })
        assert.deepStrictEqual([complaints, requests], [[], []])
      }
      assert.include(cases[2].error?.message, "550 5.1.1 Unknown address")
    })
  )

  it.effect("fails with a retry time if the service can't be reached", () =>
    Effect.gen(function* () {
      const own = { messageId, organizationId: organization, place: 0 }
      const html = `<img src="${openUrl(yield* Signatures, publicUrl, own)}">`
      const error = "The connection was refused"
      const cases = yield* Effect.all([
        simulate("bounce", { injection: reply("deferred", "451 4.3.0 Please try again later") }),
        simulate("bounce", { injection: new ProviderUnavailable({ response: "connect ECONNREFUSED" }) }),
        simulate("complaint", { injection: new ProviderUnavailable({ response: "connect ECONNREFUSED" }) }),
        simulate("read", { html, response: WebhookResponse.Unreachable({ error, durationMs: 1 }) }),
        simulate("read", { html, response: responded(502) })
      ])
      for (const one of cases) {
        assert.deepInclude(one.error, { _tag: "ServiceUnavailableError", retryAfterSeconds: 1 })
      }
      assert.include(cases[3].error?.message, error)
      assert.include(cases[4].error?.message, "502")
    })
  )

  it.effect("is not found for another organization's mail or a disabled mailbox", () =>
    Effect.gen(function* () {
      for (const options of [{ who: other }, { isEnabled: false }]) {
        const { error, mails } = yield* simulate("bounce", options)
        assert.deepInclude(error, { _tag: "ResourceNotFoundError", resource: "mail", id })
        assert.lengthOf(mails, 0)
      }
    })
  )
})
