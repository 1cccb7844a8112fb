import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { openToken } from "@switchboard/services/email/opens/OpenLink"
import { type Open, OpenRepo } from "@switchboard/services/email/opens/OpenRepo"
import { Opens } from "@switchboard/services/email/opens/Opens"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { Chunk, DateTime, Effect, Exit, Layer, Queue, Redacted, Scope, TestClock } from "effect"
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

/** Starts Opens over a repository that stores with `record`, in its own scope. */
const startOpens = (record: (opens: ReadonlyArray<Open>) => Effect.Effect<void, ServiceUnavailableError>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(
      Opens.Default.pipe(Layer.provide(Layer.succeed(OpenRepo, { record }))),
      scope
    )
    return { opens: yield* Effect.provide(Opens, context), close: Scope.close(scope, Exit.void) }
  })

it.layer(Secrets)("Opens", (it) => {
  it.effect("stores opens with their time, and ignores invalid tokens and automatic requests", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const written = yield* Queue.unbounded<ReadonlyArray<Open>>()
      const { opens } = yield* startOpens((batch) => Queue.offer(written, batch))
      const [viewedMail, scannedMail] = [mail(0), mail(1)]
      yield* TestClock.setTime(7_000)
      yield* opens.record(`${openToken(signatures, viewedMail)}0`, viewed)
      yield* opens.record(openToken(signatures, scannedMail), { ...viewed, method: "HEAD" })
      yield* opens.record(openToken(signatures, viewedMail), viewed)
      assert.deepStrictEqual(yield* Queue.take(written), [{ ...viewedMail, at: DateTime.unsafeMake(7_000) }])
    })
  )

  it.effect("retries during an outage without delaying the caller", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const batches = yield* Queue.unbounded<ReadonlyArray<Open>>()
      const outage = new ServiceUnavailableError({ message: "No database", retryAfterSeconds: 1 })
      let outages = 2
      const { opens } = yield* startOpens((batch) =>
        Effect.flatMap(Queue.offer(batches, batch), () => (outages-- > 0 ? outage : Effect.void))
      )
      const next = Effect.map(Queue.take(batches), (batch) => batch.map(({ place }) => place))
      yield* opens.record(openToken(signatures, mail(0)), viewed)
      assert.deepStrictEqual(yield* next, [0])
      yield* opens.record(openToken(signatures, mail(3)), viewed)
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
      const { close, opens } = yield* startOpens((batch) =>
        Effect.gen(function* () {
          yield* Queue.offer(first, undefined)
          // The write is still running when the process stops.
          yield* Effect.yieldNow()
          written.push(...batch.map(({ place }) => place))
        })
      )
      yield* opens.record(openToken(signatures, mail(1)), viewed)
      yield* Queue.take(first)
      yield* opens.record(openToken(signatures, mail(2)), viewed)
      yield* close
      assert.deepStrictEqual(written, [1, 2])
    })
  )
})
