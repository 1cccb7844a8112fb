import { assert, it } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { type Tracking, untracked } from "@switchboard/domain/email/tracking/Tracking"
import { EmailSend } from "@switchboard/domain/messages/SendRequest"
import { OrganizationId, OrganizationSummary } from "@switchboard/domain/organizations/Organization"
import { Compose } from "@switchboard/services/messages/compose/Compose"
import { composeEmail, inlineBody } from "@switchboard/services/messages/compose/ComposeEmail"
import { SendSettings } from "@switchboard/services/messages/SendContext"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { BigDecimal, DateTime, Duration, Effect, Layer, Schema, TestClock } from "effect"

const organizationId = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const address = Schema.decodeSync(EmailAddress)("ada@example.com")

const caller = {
  organizationId,
  apiKeyId: ApiKeyId.make("01a1fc1d-cf9d-766f-8d6a-43d494c1944f"),
  request: { method: "POST", endpoint: "/v1/messages", ipAddress: "", userAgent: "", headers: {}, query: {} },
  traceParent: null
}

const decode = Schema.decodeUnknownSync(EmailSend)
const plain = { channel: "email", to: [{ email: address }], email: { subject: "Hello", html: "<p>Hello</p>" } }
const request = decode(plain)
const addressees = { to: [address], cc: [], bcc: [], names: {} }

const Settings = Layer.succeed(SendSettings, {
  dedupeWindow: Duration.minutes(1),
  emailUnitCost: BigDecimal.unsafeFromString("0.0004"),
  smsUnitCost: BigDecimal.unsafeFromString("0"),
  whatsappUnitCost: BigDecimal.unsafeFromString("0"),
  retrySchedule: []
})

it.scoped("uses a changed currency of the organization within ten seconds", () =>
  Effect.gen(function* () {
    let defaultCurrency = "EUR"
    const Repo = Layer.mock(OrganizationRepo, {
      find: (id) =>
        Effect.sync(() =>
          OrganizationSummary.make({
            id,
            name: "",
            slug: "",
            plan: "free",
            defaultCurrency,
            isActive: true,
            messagesUsedThisMonth: 0,
            createdAt: DateTime.unsafeMake(0)
          })
        ).pipe(Effect.asSome)
    })
    const context = yield* Layer.build(Compose.Default.pipe(Layer.provideMerge(Layer.merge(Repo, Settings))))
    const message = yield* Effect.provide(composeEmail, context)
    const currency = Effect.map(
      message(caller, request, { address, replyTo: null, tracking: untracked }, addressees, inlineBody(request)),
      ({ facts }) => facts.currency
    )
    assert.strictEqual(yield* currency, "EUR")
    defaultCurrency = "CHF"
    yield* TestClock.adjust("10001 millis")
    assert.strictEqual(yield* currency, "CHF")
  })
)

it.effect("sets Reply-To from the request, or else from the sender", () =>
  Effect.gen(function* () {
    const message = yield* composeEmail
    const help = Schema.decodeSync(EmailAddress)("help@example.com")
    const replyToOf = (given: ReadonlyArray<string> | undefined, replyTo: EmailAddress | null) =>
      Effect.gen(function* () {
        const send = decode({ ...plain, email: { ...plain.email, replyTo: given } })
        const composed = yield* message(
          caller,
          send,
          { address, replyTo, tracking: untracked },
          addressees,
          inlineBody(send)
        )
        assert.deepStrictEqual(composed.sender, { address })
        const { content } = composed.facts
        return "replyTo" in content ? [content.replyTo, content.replyToOfSender] : []
      })
    assert.deepStrictEqual(yield* replyToOf(undefined, null), [[], undefined])
    assert.deepStrictEqual(yield* replyToOf(undefined, help), [[help], true])
    assert.deepStrictEqual(yield* replyToOf([], help), [[help], true])
    assert.deepStrictEqual(yield* replyToOf(["list@example.com"], help), [["list@example.com"], undefined])
  }).pipe(
    Effect.provide(
      Compose.Default.pipe(
        Layer.provideMerge(Layer.merge(Layer.mock(OrganizationRepo, { find: () => Effect.succeedNone }), Settings))
      )
    )
  )
)

it.effect("tracks what the request says, or else the default of the sender's domain", () =>
  Effect.gen(function* () {
    const message = yield* composeEmail
    const trackingOf = (given: Partial<Tracking>, tracking: Tracking) =>
      Effect.gen(function* () {
        const send = decode({ ...plain, email: { ...plain.email, ...given } })
        const sender = { address, replyTo: null, tracking }
        const { trackClicks, trackOpens } = yield* message(caller, send, sender, addressees, inlineBody(send))
        return { trackClicks, trackOpens }
      })
    const clicks = { trackOpens: false, trackClicks: true }
    assert.deepStrictEqual(yield* trackingOf({}, untracked), untracked)
    assert.deepStrictEqual(yield* trackingOf({}, clicks), clicks)
    assert.deepStrictEqual(yield* trackingOf({ trackClicks: false }, clicks), untracked)
    assert.deepStrictEqual(yield* trackingOf({ trackOpens: true }, clicks), { trackOpens: true, trackClicks: true })
    assert.deepStrictEqual(yield* trackingOf(clicks, untracked), clicks)
  }).pipe(
    Effect.provide(
      Compose.Default.pipe(
        Layer.provideMerge(Layer.merge(Layer.mock(OrganizationRepo, { find: () => Effect.succeedNone }), Settings))
      )
    )
  )
)
