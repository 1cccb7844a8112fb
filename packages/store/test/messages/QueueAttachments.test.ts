import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { TakenMessage } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Array, Effect, Queue, Stream } from "effect"
import { StoreLive } from "../StoreLive.js"
import { makeOrganization, newMessage } from "./Fixtures.js"
import { emptyQueue, take } from "./QueueFixtures.js"

const mebibyte = 1024 * 1024

/** Accepts messages one by one, each with attachments of these sizes. Returns their ids. */
const acceptWithFiles = (own: OrganizationId, messages: ReadonlyArray<ReadonlyArray<number>>) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    return yield* Effect.forEach(messages, (sizes) =>
      Effect.flatMap(newMessage(own), (message) => {
        const attachments = sizes.map((size) => ({
          filename: "file",
          contentType: "application/octet-stream",
          contentId: null,
          content: new Uint8Array(size).fill(size)
        }))
        return Effect.map(repo.accept({ ...message, attachments }), (one) => one.message.id)
      })
    )
  })

layer(StoreLive, { excludeTestServices: true })("Attachments in the queue on PostgreSQL", (it) => {
  it.effect("leases each message with its own attachments, in order", () =>
    Effect.gen(function* () {
      const { own, repo } = yield* emptyQueue
      const withFiles = (...names: ReadonlyArray<string>) =>
        Effect.flatMap(newMessage(own), (message) => {
          const attachments = names.map((filename) => ({
            filename,
            contentType: "text/plain",
            contentId: null,
            content: new TextEncoder().encode(`in ${filename}`)
          }))
          return repo.accept({ ...message, attachments })
        })
      yield* withFiles("b", "a")
      yield* withFiles()
      yield* withFiles("c")
      const taken = yield* take("w")
      assert.deepStrictEqual(
        taken.map(({ attachments }) =>
          attachments.map(({ content, filename }) => `${filename}: ${new TextDecoder().decode(content)}`)
        ),
        [["b: in b", "a: in a"], [], ["c: in c"]]
      )
    })
  )

  it.effect("leases messages up to a total attachment size, and leaves the rest unchanged", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      const accepted = yield* acceptWithFiles(
        own,
        Array.makeBy(10, () => [mebibyte])
      )
      const takes: Array<ReadonlyArray<TakenMessage>> = []
      for (let done = false; !done; ) {
        const taken = yield* take("w", { attachmentBytes: 3.5 * mebibyte })
        takes.push(taken)
        done = taken.length === 0
      }
      assert.deepStrictEqual(
        takes.map((taken) => taken.length),
        [3, 3, 3, 1, 0]
      )
      assert.deepStrictEqual(
        takes.flat().map(({ messageId }) => messageId),
        accepted
      )
      assert.isTrue(
        takes
          .flat()
          .every(
            ({ attachments, state, leaseExpiries }) =>
              attachments[0]?.content.byteLength === mebibyte &&
              state.deliveryAttempts === 1 &&
              state.statusHistory.length === 2 &&
              leaseExpiries === 0
          )
      )
    })
  )

  it.effect("leases at least one message of any size, and all messages without attachments", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      const [first, second, large, last] = yield* acceptWithFiles(own, [[], [], [600, 400], []])
      const taken = (attachmentBytes: number | null) =>
        Effect.map(take("w", { attachmentBytes }), (messages) => messages.map(({ messageId }) => messageId))
      assert.deepStrictEqual(yield* taken(999), [first, second, last])
      assert.deepStrictEqual(yield* taken(null), [])
      assert.deepStrictEqual(yield* taken(0), [large])
      const [small, tiny, none] = yield* acceptWithFiles(own, [[2], [1], []])
      assert.deepStrictEqual(yield* taken(null), [none])
      // A small message does not overtake a larger one.
      assert.deepStrictEqual(yield* taken(1), [small])
      assert.deepStrictEqual(yield* taken(1), [tiny])
      const [exact] = yield* acceptWithFiles(own, [[600, 400], [1]])
      assert.deepStrictEqual(yield* taken(1000), [exact])
    })
  )

  it.effect("starts the next lease after the last organization whose message fit", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const owners = yield* Effect.replicateEffect(makeOrganization(), 3)
      yield* Effect.forEach(owners, (own) => acceptWithFiles(own, [[100], [100]]))
      const takes = yield* Effect.replicateEffect(take("w", { attachmentBytes: 200 }), 3)
      const turns = takes.flatMap((taken) => taken.map(({ organizationId }) => organizationId))
      assert.deepStrictEqual(
        Array.chunksOf(turns, 3).map((turn) => new Set(turn).size),
        [3, 3]
      )
    })
  )

  it.effect("notifies workers when messages were left because of their size", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { own, queue, sql } = yield* emptyQueue
        yield* acceptWithFiles(own, [[100], [100]])
        const notifications = yield* Queue.unbounded<void>()
        yield* Effect.forkScoped(Stream.runForEach(queue.woken, () => Queue.offer(notifications, undefined)))
        // One on subscribing, and one when the connection is made.
        yield* Queue.takeN(notifications, 2)
        yield* take("w", { attachmentBytes: 100 })
        yield* Queue.take(notifications)
        // A lease that leaves no message sends no notification: the next one is the mark.
        yield* take("w", { attachmentBytes: 100 })
        yield* sql`SELECT pg_notify('switchboard_queue', '')`
        yield* Queue.take(notifications)
        assert.strictEqual(yield* Queue.size(notifications), 0)
      })
    )
  )

  it.effect("leases all expired messages without their attachments", () =>
    Effect.gen(function* () {
      const { own, sql } = yield* emptyQueue
      yield* acceptWithFiles(own, [[100], [100]])
      yield* sql`UPDATE message_queue SET due_since = now() - interval '73 hours'`
      const late = yield* take("w", { expiredOnly: true, attachmentBytes: 0 })
      assert.deepStrictEqual(
        late.map(({ attachments }) => attachments.length),
        [0, 0]
      )
    })
  )
})
