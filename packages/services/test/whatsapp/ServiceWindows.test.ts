import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { ServiceWindowId } from "@switchboard/domain/whatsapp/ServiceWindow"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { ServiceWindows } from "@switchboard/services/whatsapp/ServiceWindows"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Data, DateTime, Effect, Layer, TestClock } from "effect"
import { v7 } from "uuid"

const Live = Layer.provideMerge(ServiceWindows.Default, StoreLive)

/** A participant to whom a message was sent. */
const createParticipant = (own: OrganizationId) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const { message } = yield* repo.accept(yield* newMessage(own, { to: [`a${v7()}@example.com`] }))
    return { id: ParticipantId.make(message.toParticipantIds[0] ?? ""), messageId: message.id }
  })

const firstPage = { page: 1, limit: 20 }
const errorOf = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.map(Effect.flip(self), (error) => ({ ...error }))
const inHours = (from: DateTime.Utc, hours: number) => DateTime.formatIso(DateTime.addDuration(from, `${hours} hours`))

layer(Live)("ServiceWindows on PostgreSQL", (it) => {
  it.effect("last 24 hours from the latest inbound message", () =>
    Effect.gen(function* () {
      const windows = yield* ServiceWindows
      yield* TestClock.setTime(Date.parse("2026-11-20T09:30:00.000Z"))
      const own = yield* makeOrganization()
      const { id: ada } = yield* createParticipant(own)
      const opened = yield* windows.open(own, ada)
      const begun = yield* DateTime.now
      assert.deepInclude(opened, { participantId: ada, isServiceWindowActive: true, isFreeEntryPointActive: false })
      assert.notProperty(opened, "freeEntryPointExpiresAt")
      assert.strictEqual(DateTime.formatIso(opened.serviceWindowExpiresAt), inHours(begun, 24))
      yield* TestClock.adjust("23 hours")
      const renewed = yield* windows.open(own, ada)
      assert.strictEqual(renewed.serviceWindowId, opened.serviceWindowId)
      assert.strictEqual(DateTime.formatIso(renewed.serviceWindowExpiresAt), inHours(begun, 47))
      yield* TestClock.adjust("86399999 millis")
      assert.isTrue((yield* windows.get(own, opened.serviceWindowId)).isServiceWindowActive)
      yield* TestClock.adjust("1 millis")
      assert.isFalse((yield* windows.get(own, opened.serviceWindowId)).isServiceWindowActive)
    })
  )

  it.effect("have a free entry point for 72 hours, which repeating does not extend", () =>
    Effect.gen(function* () {
      const windows = yield* ServiceWindows
      const own = yield* makeOrganization()
      const { id: ada } = yield* createParticipant(own)
      const { serviceWindowId } = yield* windows.open(own, ada)
      const activate = (source: "ads" | "instagram") => windows.activate(own, { serviceWindowId, source })
      const begun = yield* DateTime.now
      const activated = yield* activate("ads")
      assert.notProperty(activated, "participantId")
      assert.strictEqual(DateTime.formatIso(activated.freeEntryPointExpiresAt ?? begun), inHours(begun, 72))
      yield* TestClock.adjust("5 hours")
      assert.deepStrictEqual(Data.struct(yield* activate("instagram")), Data.struct(activated))
      yield* TestClock.adjust("20 hours")
      const over = yield* windows.get(own, serviceWindowId)
      assert.deepInclude(over, { isServiceWindowActive: false, isFreeEntryPointActive: true })
      assert.deepInclude(yield* errorOf(activate("ads")), { _tag: "ConflictError", resource: "service window" })
      yield* TestClock.adjust("47 hours")
      yield* windows.open(own, ada)
      const later = yield* windows.get(own, serviceWindowId)
      assert.deepInclude(later, { isServiceWindowActive: true, isFreeEntryPointActive: false })
      assert.deepStrictEqual(later.freeEntryPointExpiresAt, activated.freeEntryPointExpiresAt)
      const again = yield* activate("ads")
      assert.strictEqual(DateTime.formatIso(again.freeEntryPointExpiresAt ?? begun), inHours(begun, 144))
    })
  )

  it.effect("are unique per participant with concurrent requests", () =>
    Effect.gen(function* () {
      const windows = yield* ServiceWindows
      const own = yield* makeOrganization()
      const [ada, bob] = yield* Effect.all([createParticipant(own), createParticipant(own)])
      const opened = yield* Effect.replicateEffect(windows.open(own, ada.id), 8, { concurrency: 8 })
      assert.lengthOf(new Set(opened.map(({ serviceWindowId }) => serviceWindowId)), 1)
      const { serviceWindowId } = yield* windows.open(own, bob.id)
      const ids = (filters: { participantId?: ParticipantId }, page = firstPage) =>
        Effect.map(windows.list(own, filters, page), ({ items, pagination }) => [
          items.map(({ participantId }) => participantId),
          pagination.total
        ])
      assert.deepStrictEqual(yield* ids({}), [[bob.id, ada.id], 2])
      assert.deepStrictEqual(yield* ids({}, { page: 2, limit: 1 }), [[ada.id], 2])
      assert.deepStrictEqual(yield* ids({ participantId: ada.id }), [[ada.id], 1])
      const other = yield* makeOrganization()
      for (const id of [serviceWindowId, ServiceWindowId.make(v7())]) {
        const request = { serviceWindowId: id, source: "ads" as const }
        assert.deepInclude(yield* errorOf(windows.get(other, id)), { resource: "service window", id })
        assert.deepInclude(yield* errorOf(windows.activate(other, request)), { resource: "service window", id })
      }
      for (const id of [ada.id, ParticipantId.make(v7())]) {
        assert.deepInclude(yield* errorOf(windows.open(other, id)), { resource: "participant", id })
      }
      assert.strictEqual((yield* windows.list(other, {}, firstPage)).pagination.total, 0)
      assert.isFalse((yield* windows.get(own, serviceWindowId)).isFreeEntryPointActive)
      // Deleting a participant deletes its window.
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM participants WHERE organization_id = ${own} AND id = ${ada.id}`
      assert.deepStrictEqual(yield* ids({}), [[bob.id], 1])
    })
  )
})
