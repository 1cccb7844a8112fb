import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Engagement, EngagementRepo } from "@switchboard/services/email/tracking/EngagementRepo"
import { Engagements } from "@switchboard/services/email/tracking/Engagements"
import { clickToken, openToken } from "@switchboard/services/email/tracking/TrackingLinks"
import { RetentionSettings } from "@switchboard/services/retention/RetentionSettings"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { Chunk, DateTime, Duration, Effect, Exit, Layer, Option, Queue, Redacted, Scope, TestClock } from "effect"
import { v7 } from "uuid"

const Secrets = Signatures.Live.pipe(
  Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32))))
)
const viewed = { method: "GET", headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" } }
const mail = (place: number) => ({
  messageId: MessageId.make(v7()),
  organizationId: OrganizationId.make(v7()),
  place
})

/** Waits until a fiber sleeps on the test clock. */
const awaitSleep = Effect.repeat(Effect.zipRight(Effect.yieldNow(), TestClock.sleeps()), { until: Chunk.isNonEmpty })

/** Starts Engagements over a repository that stores with `record`, in its own scope. */
const startEngagements = (
  record: (engagements: ReadonlyArray<Engagement>) => Effect.Effect<void, ServiceUnavailableError>
) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(
      Engagements.Default.pipe(
        Layer.provide(Layer.succeed(EngagementRepo, { record })),
        Layer.provide(
          Layer.succeed(RetentionSettings, {
            messageBodies: Option.some(Duration.days(30)),
            events: Option.none(),
            inboundRaw: Option.none(),
            webhookAttempts: Duration.days(30),
            keyActivity: Duration.days(30),
            audit: Duration.days(400)
          })
        )
      ),
      scope
    )
    return { engagements: yield* Effect.provide(Engagements, context), close: Scope.close(scope, Exit.void) }
  })

it.layer(Secrets)("Engagements", (it) => {
  it.effect("stores opens with their time, and ignores invalid tokens and automatic requests", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const written = yield* Queue.unbounded<ReadonlyArray<Engagement>>()
      const { engagements } = yield* startEngagements((batch) => Queue.offer(written, batch))
      const [viewedMail, scannedMail] = [mail(0), mail(1)]
      yield* TestClock.setTime(7_000)
      yield* engagements.open(`${openToken(signatures, viewedMail)}0`, viewed)
      yield* engagements.open(openToken(signatures, scannedMail), { ...viewed, method: "HEAD" })
      yield* engagements.open(openToken(signatures, viewedMail), viewed)
      assert.deepStrictEqual(yield* Queue.take(written), [
        { mail: viewedMail, request: { at: DateTime.unsafeMake(7_000), client: "other" } }
      ])
    })
  )

  it.effect("stores clicks, also automatic ones, and returns their links", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const written = yield* Queue.unbounded<ReadonlyArray<Engagement>>()
      const { engagements } = yield* startEngagements((batch) => Queue.offer(written, batch))
      const start = 1_800_000_000_000
      yield* TestClock.setTime(start)
      const url = "https://example.com/?a=1&b=2"
      const clicked = { ...mail(1), messageId: MessageId.make(v7({ msecs: start })) }
      const token = clickToken(signatures, { ...clicked, url })
      const at = DateTime.unsafeMake(start)
      for (const [request, expected] of [
        [viewed, { client: "other", userAgent: viewed.headers["user-agent"] }],
        [
          { method: "HEAD", headers: { "user-agent": "x".repeat(501) } },
          { client: "automatic", userAgent: "x".repeat(500) }
        ],
        [
          { method: "GET", headers: {} },
          { client: "other", userAgent: undefined }
        ]
      ] as const) {
        assert.strictEqual(yield* engagements.click(token, request), url)
        assert.deepStrictEqual(yield* Queue.take(written), [{ mail: clicked, request: { at, url, ...expected } }])
      }
      // The content of the message was erased.
      yield* TestClock.setTime(start + Duration.toMillis("31 days"))
      assert.strictEqual(yield* engagements.click(token, viewed), url)
      for (const wrong of ["", token.slice(1), `${token}0`, openToken(signatures, clicked)]) {
        const error = yield* Effect.flip(engagements.click(wrong, viewed))
        assert.deepInclude(error, { _tag: "ResourceNotFoundError", resource: "link" })
      }
      assert.strictEqual(yield* Queue.size(written), 0)
    })
  )

  it.effect("retries during an outage without delaying the caller", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const batches = yield* Queue.unbounded<ReadonlyArray<Engagement>>()
      const outage = new ServiceUnavailableError({ message: "No database", retryAfterSeconds: 1 })
      let outages = 2
      const { engagements } = yield* startEngagements((batch) =>
        Effect.flatMap(Queue.offer(batches, batch), () => (outages-- > 0 ? outage : Effect.void))
      )
      const next = Effect.map(Queue.take(batches), (batch) => batch.map(({ mail: { place } }) => place))
      yield* engagements.open(openToken(signatures, mail(0)), viewed)
      assert.deepStrictEqual(yield* next, [0])
      yield* engagements.open(openToken(signatures, mail(3)), viewed)
      for (const again of [[0], [0]]) {
        yield* awaitSleep
        yield* TestClock.adjust("500 millis")
        assert.deepStrictEqual(yield* next, again)
      }
      assert.deepStrictEqual(yield* next, [3])
    })
  )

  it.effect("stores waiting opens when the process stops", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const written: Array<number> = []
      const first = yield* Queue.unbounded<void>()
      const { close, engagements } = yield* startEngagements((batch) =>
        Effect.gen(function* () {
          yield* Queue.offer(first, undefined)
          // The write is still running when the process stops.
          yield* Effect.yieldNow()
          written.push(...batch.map(({ mail: { place } }) => place))
        })
      )
      yield* engagements.open(openToken(signatures, mail(1)), viewed)
      yield* Queue.take(first)
      yield* engagements.open(openToken(signatures, mail(2)), viewed)
      yield* close
      assert.deepStrictEqual(written, [1, 2])
    })
  )
})
