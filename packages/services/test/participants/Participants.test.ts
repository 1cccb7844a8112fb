import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  type CreateParticipant,
  Participant,
  ParticipantId,
  type UpdateParticipant
} from "@switchboard/domain/participants/Participant"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Participants } from "@switchboard/services/participants/Participants"
import { receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { Effect, Either, Schema } from "effect"
import { MailLive } from "../messages/MailLive.js"

const email = Schema.decodeSync(EmailAddress)
const all = { page: 1, limit: 100 }

const create = (organization: OrganizationId, given: Partial<CreateParticipant> = {}) =>
  Effect.flatMap(Participants, (participants) => participants.create(organization, { name: "Ada", ...given }))

const update = (organization: OrganizationId, id: ParticipantId, given: UpdateParticipant) =>
  Effect.flatMap(Participants, (participants) => participants.update(organization, id, given))

const get = (organization: OrganizationId, id: ParticipantId) =>
  Effect.flatMap(Participants, (participants) => participants.get(organization, id))

/** Sends a mail; returns the message and the contact of its recipient. */
const send = (organization: OrganizationId, to: string) =>
  Effect.gen(function* () {
    const { accept } = yield* MessageRepo
    const { message } = yield* accept(yield* newMessage(organization, { to: [to] }))
    return { message, contact: ParticipantId.make(message.toParticipantIds[0] ?? "") }
  })

/** The JSON that the API returns. */
const encoded = (participant: Participant) => JSON.parse(JSON.stringify(Schema.encodeSync(Participant)(participant)))

layer(MailLive, { excludeTestServices: true })("Participants on PostgreSQL", (it) => {
  it.effect("stores and returns the given fields", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const given = {
        displayName: "Countess",
        email: email("Ada@Example.com"),
        phone: "+49 30 123456",
        whatsappId: "4930123456",
        country: "DE",
        region: "Berlin",
        metadata: { tier: "gold", visits: 3 }
      }
      const created = yield* create(own, given)
      assert.deepStrictEqual(encoded(created).channelIdentities, {
        email: ["ada@example.com"],
        phone: ["+4930123456"],
        whatsapp: ["+4930123456"]
      })
      assert.deepStrictEqual(encoded(yield* get(own, created.id)), encoded(created))
      const bare = yield* create(own)
      assert.sameMembers(Object.keys(encoded(bare)), [
        "id",
        "organizationId",
        "name",
        "type",
        "channelIdentities",
        "createdAt",
        "updatedAt"
      ])
      assert.deepStrictEqual(encoded(yield* get(own, bare.id)), encoded(bare))
    })
  )

  it.effect("matches recipients and senders of mail by address, ignoring case", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const ada = yield* create(own, { email: email("ada@example.com") })
      const sent = yield* send(own, "ADA@Example.com")
      assert.deepStrictEqual(sent.message.toParticipantIds, [ada.id])
      assert.deepInclude(sent.message.toParticipants?.[0], { id: ada.id, name: "Ada" })
      const { find } = yield* MessageRepo
      const reply = yield* Effect.flatten(
        find(own, yield* receive(own, { from: { name: "A.", address: "Ada@example.com" } }))
      )
      assert.strictEqual(reply.fromParticipantId, ada.id)
      assert.strictEqual((yield* get(own, ada.id)).displayName, undefined)
    })
  )

  it.effect("adopts a contact that was created by mail, once", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { contact, message } = yield* send(own, "ada@example.com")
      const created = yield* create(own, { email: email("ada@example.com"), phone: "+4930123456", country: "DE" })
      assert.strictEqual(created.id, contact)
      assert.strictEqual(created.createdAt.epochMillis, message.createdAt.epochMillis)
      assert.deepStrictEqual(encoded(yield* get(own, contact)), encoded(created))
      const again = yield* Effect.flip(create(own, { email: email("ada@example.com") }))
      assert.deepInclude(again, {
        _tag: "ConflictError",
        resource: "participant",
        message: `ada@example.com belongs to the participant ${contact}`
      })
      // Both addresses must belong to the same participant.
      yield* send(own, "bob@example.com")
      const mixed = yield* Effect.flip(create(own, { email: email("bob@example.com"), phone: "+4930123456" }))
      assert.include(mixed.message, `+4930123456 belongs to the participant ${contact}`)
      // Two contacts that were created by mail are not merged.
      const { contact: caller } = yield* send(own, "cyd@example.com")
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
        VALUES (${own}, 'phone', '+4930123457', ${caller})`
      const two = yield* Effect.flip(create(own, { email: email("bob@example.com"), phone: "+4930123457" }))
      assert.strictEqual(two._tag, "ConflictError")
      const { find } = yield* MessageRepo
      assert.strictEqual((yield* Effect.flatten(find(own, message.id))).toParticipants?.[0]?.name, "Ada")
    })
  )

  it.effect("creates one participant per address with concurrent requests", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const ada = { email: email("ada@example.com"), phone: "+4930123456" }
      const sends = Effect.replicateEffect(send(own, "ada@example.com"), 4, { concurrency: 4 })
      const adds = Effect.replicateEffect(Effect.either(create(own, ada)), 8, { concurrency: 8 })
      const [, added] = yield* Effect.all([sends, adds], { concurrency: 2 })
      assert.lengthOf(added.filter(Either.isRight), 1)
      const { list } = yield* Participants
      const { items } = yield* list(own, { search: "ada@" }, all)
      assert.strictEqual(items.length, 1)
      assert.deepStrictEqual(items[0]?.channelIdentities, { email: ["ada@example.com"], phone: ["+4930123456"] })
    })
  )

  it.effect("updates the given fields, removes null fields and rejects another participant's address", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const ada = yield* create(own, { email: email("ada@example.com"), phone: "+4930123456", metadata: { a: 1 } })
      const bob = yield* create(own, { name: "Bob", email: email("bob@example.com") })
      const refused = yield* Effect.flip(update(own, bob.id, { email: email("ADA@example.com") }))
      assert.deepInclude(refused, { message: `ada@example.com belongs to the participant ${ada.id}` })
      assert.deepStrictEqual(encoded(yield* get(own, bob.id)), encoded(bob))
      const changed = yield* update(own, ada.id, { name: "Ada L.", email: null, metadata: null, region: "Kent" })
      assert.deepStrictEqual(encoded(yield* get(own, ada.id)), encoded(changed))
      assert.deepStrictEqual(changed.channelIdentities, { phone: ["+4930123456"] })
      assert.deepInclude(encoded(changed), { name: "Ada L.", region: "Kent" })
      assert.notProperty(encoded(changed), "metadata")
      const moved = yield* update(own, bob.id, { email: email("ada@example.com") })
      assert.deepStrictEqual(moved.channelIdentities, { email: ["ada@example.com"] })
      assert.strictEqual((yield* send(own, "ada@example.com")).contact, bob.id)
      assert.notStrictEqual((yield* send(own, "bob@example.com")).contact, bob.id)
    })
  )

  it.effect("removes a participant only if no message or conversation refers to it", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { remove } = yield* Participants
      const messages = yield* MessageRepo
      const { contact, message } = yield* send(own, "ada@example.com")
      assert.include((yield* Effect.flip(remove(own, contact))).message, "Messages name this participant")
      yield* messages.remove(own, message.id)
      yield* remove(own, contact)
      assert.deepInclude(yield* Effect.flip(get(own, contact)), { resource: "participant", id: contact })
      assert.notStrictEqual((yield* send(own, "ada@example.com")).contact, contact)
      // A participant of a conversation can't be removed, also without messages.
      const wrote = yield* receive(own, { from: { name: "Bob", address: "bob@example.com" } })
      const from = ParticipantId.make((yield* Effect.flatten(messages.find(own, wrote))).fromParticipantId)
      yield* messages.remove(own, wrote)
      assert.include((yield* Effect.flip(remove(own, from))).message, "Conversations have this participant")
    })
  )

  it.effect("lists participants newest first, filtered by type, name and address, with the exact total", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { list } = yield* Participants
      const participants = yield* Effect.forEach(["Ada", "Bob", "Cyd"], (name, n) =>
        create(own, { name, displayName: `Nr ${n}`, email: email(`${name}@example.com`), phone: `+493012345${n}` })
      )
      yield* send(own, "ada@example.com")
      const found = (filters: Parameters<typeof list>[1], page = all) =>
        Effect.map(list(own, filters, page), ({ items, pagination }) => [
          items.map(({ name }) => name),
          pagination.total
        ])
      assert.deepStrictEqual(yield* found({ type: "contact" }), [["Cyd", "Bob", "Ada"], 3])
      assert.deepStrictEqual(yield* found({}, { page: 2, limit: 3 }), [["Ada"], 4])
      assert.deepStrictEqual(yield* found({ type: "sender" }), [["Us"], 1])
      assert.deepStrictEqual(yield* found({ search: "BOB@" }), [["Bob"], 1])
      assert.deepStrictEqual(yield* found({ search: "nr 2" }), [["Cyd"], 1])
      assert.deepStrictEqual(yield* found({ search: "+4930123450" }), [["Ada"], 1])
      assert.deepStrictEqual(yield* found({ search: "%" }), [[], 0])
      const { items } = yield* list(own, { type: "contact" }, all)
      assert.deepStrictEqual(items.map(encoded), participants.toReversed().map(encoded))
    })
  )

  it.effect("finds a contact of mail by its address, and by each name that it gets", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { list } = yield* Participants
      const found = (search: string) =>
        Effect.map(list(own, { search }, all), ({ items, pagination }) => [items.map(({ id }) => id), pagination.total])
      const { contact } = yield* send(own, "Ada@Example.com")
      assert.deepStrictEqual(yield* found("ada@example"), [[contact], 1])
      yield* receive(own, { from: { name: "Countess of Lovelace", address: "ada@example.com" } })
      assert.deepStrictEqual(yield* found("lovelace"), [[contact], 1])
      const { contact: other } = yield* send(own, "bob@example.com")
      yield* update(own, other, { name: "carol@example.org" })
      assert.deepStrictEqual(yield* found("carol@"), [[other], 1])
      assert.deepStrictEqual(yield* found("BOB@"), [[other], 1])
      const { contact: mailer } = yield* send(own, "dee@example.com")
      const sql = yield* SqlClient.SqlClient
      const unnamed = yield* sql`SELECT id FROM participants WHERE organization_id = ${own} AND NOT is_named`
      assert.deepStrictEqual(unnamed, [{ id: mailer }])
      yield* update(own, mailer, { email: email("eve@example.com") })
      assert.deepStrictEqual(yield* found("dee@"), [[mailer], 1])
    })
  )
})
