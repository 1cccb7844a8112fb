import { describe, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import {
  InboundQueue,
  type ProcessedMail,
  ProcessMail,
  type TakenMail
} from "@switchboard/services/email/receiving/InboundQueue"
import { maxLeaseExpiries } from "@switchboard/services/queues/WorkQueue"
import { NothingPaused } from "@switchboard/services/testing/queues/NothingPaused"
import { InboundWorker } from "@switchboard/worker/email/receiving/InboundWorker"
import { WorkerConfig } from "@switchboard/worker/QueueWork"
import { DateTime, Deferred, Duration, Effect, Exit, Layer, Queue, Scope } from "effect"
import { assert } from "vitest"
import { heldQueue } from "../../HeldQueue.js"

const id = (hex: string) => `00000000-0000-7000-8000-${hex.padStart(12, "0")}`

const mail = (number: number, size = 10): InboundMail => ({
  id: MessageId.make(id(number.toString(16))),
  organizationId: OrganizationId.make(id("a")),
  mailFrom: "ada@example.com",
  recipients: [],
  remoteAddress: "192.0.2.7",
  helo: "mail.example.com",
  tls: true,
  raw: new Uint8Array(size),
  receivedAt: DateTime.unsafeMake(0)
})

interface Settled {
  readonly mail: InboundMail
  readonly processed: ProcessedMail
}

const unread: ProcessedMail = { _tag: "Done", parseError: "Not read" }

/** Starts a worker on a queue in memory, in a scope that the test closes. */
const working = (
  ready: ReadonlyArray<TakenMail>,
  process: (taken: TakenMail) => Effect.Effect<ProcessedMail, ServiceUnavailableError>
) =>
  Effect.gen(function* () {
    const waiting = [...ready]
    const settled = yield* Queue.unbounded<Settled>()
    const processed: Array<string> = []
    const queue = Layer.succeed(InboundQueue, {
      ...heldQueue,
      take: ({ limit, octets }) =>
        Effect.sync(() => {
          let capacity = octets
          const fits = waiting.findIndex(({ mail: { raw } }, index) => {
            capacity -= raw.byteLength
            return index > 0 && capacity < 0
          })
          return waiting.splice(0, Math.min(limit, fits < 0 ? limit : fits))
        }),
      settle: (_, done) => Effect.asVoid(Queue.offerAll(settled, done))
    })
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(
      InboundWorker.pipe(
        Layer.provide(Layer.merge(queue, NothingPaused)),
        Layer.provide(
          Layer.succeed(ProcessMail, {
            process: (taken) => {
              processed.push(taken.mail.id)
              return process(taken)
            },
            receiveUnparsed: () => Effect.succeed(unread)
          })
        ),
        Layer.provide(
          Layer.succeed(WorkerConfig, {
            worker: "test",
            concurrency: 10,
            batch: 40,
            idle: Duration.hours(1),
            lease: Duration.minutes(1),
            grace: Duration.seconds(10)
          })
        )
      ),
      scope
    )
    const stop = Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => stop)
    return { processed, settled, stop, waiting }
  })

const done: ProcessedMail = { _tag: "Done", parseError: null }
const fresh = (one: InboundMail): TakenMail => ({ mail: one, leaseExpiries: 0, isRepeat: false })

describe("InboundWorker", () => {
  it.scoped("settles the result of each mail", () =>
    Effect.gen(function* () {
      const later: ProcessedMail = { _tag: "Later", at: DateTime.unsafeMake("2026-11-20T10:00:00Z") }
      const unreadable: ProcessedMail = { _tag: "Done", parseError: "Too deep" }
      const outcomes = [done, later, unreadable]
      const mails = outcomes.map((_, at) => mail(at))
      const { settled } = yield* working(mails.map(fresh), ({ mail: { id } }) =>
        Effect.succeed(outcomes[mails.findIndex((one) => one.id === id)] ?? done)
      )
      const seen = yield* Queue.takeBetween(settled, 3, 3)
      assert.sameDeepMembers(
        [...seen].map(({ mail, processed }) => [mail.id, processed]),
        mails.map(({ id }, at) => [id, outcomes[at]])
      )
    })
  )

  it.scoped("delivers a mail unparsed at the limit of lease expiries, and only stores it beyond", () =>
    Effect.gen(function* () {
      const { processed, settled } = yield* working(
        [-1, 0, 1].map((more, at) => ({
          mail: mail(at + 1),
          leaseExpiries: maxLeaseExpiries + more,
          isRepeat: true
        })),
        () => Effect.succeed(done)
      )
      const expired: ProcessedMail = {
        _tag: "Done",
        parseError: `Its lease expired ${maxLeaseExpiries + 1} times while it was processed`
      }
      assert.sameDeepMembers(
        [...(yield* Queue.takeBetween(settled, 3, 3))].map(({ mail, processed }) => [mail.id, processed]),
        [done, unread, expired].map((outcome, at) => [mail(at + 1).id, outcome])
      )
      assert.deepStrictEqual(processed, [mail(1).id])
    })
  )

  it.scoped("processes a mail again after an outage", () =>
    Effect.gen(function* () {
      const { settled } = yield* working([fresh(mail(1))], () =>
        Effect.fail(new ServiceUnavailableError({ message: "down", retryAfterSeconds: 1 }))
      )
      const { processed } = yield* Queue.take(settled)
      const now = yield* DateTime.now
      assert.deepStrictEqual(processed, { _tag: "Later", at: DateTime.addDuration(now, "5 seconds") })
    })
  )

  it.scoped("lets the lease of a mail expire whose processing dies, and continues with the others", () =>
    Effect.gen(function* () {
      const { settled, stop } = yield* working([fresh(mail(1)), fresh(mail(2))], (taken) =>
        taken.mail.id === mail(1).id ? Effect.dieMessage("a bug") : Effect.succeed(done)
      )
      assert.strictEqual((yield* Queue.take(settled)).mail.id, mail(2).id)
      yield* stop
      assert.strictEqual(yield* Queue.size(settled), 0)
    })
  )

  it.scoped("limits the bytes of mail in memory", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const large = 30 * 1024 * 1024
      const { processed, settled, stop, waiting } = yield* working(
        [1, 2, 3, 4].map((number) => fresh(mail(number, large))),
        () => Effect.as(Deferred.await(gate), done)
      )
      yield* Effect.repeatN(Effect.yieldNow(), 200)
      assert.lengthOf(processed, 2)
      assert.lengthOf(waiting, 2)
      yield* Deferred.succeed(gate, undefined)
      yield* Queue.takeBetween(settled, 4, 4)
      yield* stop
      assert.isEmpty(waiting)
    })
  )
})
