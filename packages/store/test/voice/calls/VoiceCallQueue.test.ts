import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { ConflictError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { newEvent } from "@switchboard/services/events/NewEvent"
import { newId } from "@switchboard/services/NewId"
import { VoiceLive } from "@switchboard/services/testing/voice/VoiceLive"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import type { CallRun, StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import { type CallSettlement, VoiceCallQueue } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { VoiceCallRepo } from "@switchboard/services/voice/calls/VoiceCallRepo"
import { DateTime, Duration, Effect, Option } from "effect"
import { makeOrganization } from "../../messages/Fixtures.js"
import { deliveriesOf, queueOf } from "../../webhooks/Fixtures.js"

const run: CallRun = {
  script: { nodes: [{ id: "start", type: "trigger.callStarted" }], edges: [], answers: ["Yes"], systemPrompt: null },
  apiKeyId: ApiKeyId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441"),
  maySendMessages: true,
  inbox: [],
  progress: null
}

const anyAgent = VoiceAgentId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19442")

/** Places a new call. */
const place = Effect.fnUntraced(function* (organizationId: OrganizationId, voiceAgentId = anyAgent) {
  const { id, now } = yield* newId(VoiceCallId)
  const call: StoredCall = {
    ...{ id, organizationId, voiceAgentId, transport: "pstn", direction: "outbound", status: "queued" },
    ...{ to: "+442079460018", metadata: { customFields: { speed: 5 } } },
    ...{ speed: 5, untilMs: 0, recorded: [], createdAt: now, updatedAt: now }
  }
  return yield* (yield* VoiceCallRepo).place(call, run)
})

const take = (worker: string, limit = 10) =>
  Effect.flatMap(VoiceCallQueue, (queue) =>
    queue.take({ worker, lease: Duration.seconds(60), limit, perOwner: limit, skipped: [], except: [] })
  )

const taken = Effect.fnUntraced(function* (worker: string) {
  const [one, ...others] = yield* take(worker)
  assert.isEmpty(others)
  return one ?? (yield* Effect.dieMessage("Nothing was taken"))
})

/** Settles a leased call. */
const settle = Effect.fnUntraced(function* (
  worker: string,
  one: Effect.Effect.Success<ReturnType<typeof taken>>,
  change: Partial<StoredCall>,
  overrides: Partial<CallSettlement> = {}
) {
  const dueAt = yield* DateTime.now
  const outcome = { events: [], processed: [], isDone: false, isRetry: false, dueAt, ...overrides }
  yield* (yield* VoiceCallQueue).settle(worker, [
    { taken: one, call: { ...one.call, ...change }, run: one.run, ...outcome }
  ])
})

const statusOf = ({ id, organizationId }: StoredCall) =>
  Effect.flatMap(VoiceCallRepo, (repo) =>
    Effect.map(
      repo.find(organizationId, id),
      Option.map(({ status }) => status)
    )
  )

const hangUp = ({ id, organizationId }: StoredCall) =>
  Effect.flatMap(VoiceCallRepo, (repo) =>
    Effect.flatMap(DateTime.now, (now) =>
      repo.change(organizationId, id, (call) =>
        Effect.succeed({ call: { ...call, hangUpAt: now }, events: [], work: "now" })
      )
    )
  )

/** Empties the queue. Returns a new organization. */
const empty = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.zipRight(sql`TRUNCATE voice_call_queue, voice_call_waiting`, makeOrganization())
)

layer(VoiceLive, { excludeTestServices: true })("Calls in the queue", (it) => {
  it.effect("are leased as they were placed, and read by their organization only", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* empty, yield* makeOrganization()]
      const call = yield* place(own)
      const one = yield* taken("a")
      assert.deepStrictEqual([one.call, one.run, one.leaseExpiries], [call, run, 0])
      assert.isEmpty(yield* take("b"))
      const repo = yield* VoiceCallRepo
      assert.deepStrictEqual(yield* repo.find(own, call.id), Option.some(call))
      assert.deepStrictEqual(yield* repo.find(other, call.id), Option.none())
      assert.isFalse(yield* repo.change(other, call.id, () => Effect.dieMessage("It is not theirs")))
      const page = { page: 1, limit: 10 }
      const listed = yield* repo.list(own, { status: "queued", direction: "outbound", voiceAgentId: anyAgent }, page)
      assert.deepStrictEqual(listed.items, [call])
      assert.isEmpty((yield* repo.list(own, { status: "busy" }, page)).items)
      assert.isEmpty((yield* repo.list(other, {}, page)).items)
    })
  )

  it.effect("wait until they are due, and are not leased before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* VoiceCallQueue
      const call = yield* place(yield* empty)
      const dueAt = DateTime.addDuration(yield* DateTime.now, "1 hour")
      yield* settle("a", yield* taken("a"), { status: "ringing" }, { dueAt })
      assert.deepStrictEqual([yield* queue.promote, yield* take("b")], [0, []])
      // The database's clock decides, so the time is shifted by an hour.
      yield* sql`UPDATE voice_call_waiting SET due_at = due_at - interval '1 hour' WHERE id = ${call.id}`
      assert.strictEqual(yield* queue.promote, 1)
      assert.strictEqual((yield* taken("b")).call.status, "ringing")
      yield* settle(
        "b",
        yield* Effect.succeed({ call, run, leaseExpiries: 0, isRepeat: false }),
        { status: "failed" },
        { dueAt: null }
      )
      // A worker that does not hold the call cannot settle it.
      assert.deepStrictEqual(yield* statusOf(call), Option.some("ringing"))
    })
  )

  it.effect("are processed again if a request changed them during a lease", () =>
    Effect.gen(function* () {
      const call = yield* place(yield* empty)
      const one = yield* taken("a")
      yield* hangUp(call)
      yield* settle("a", one, { status: "ringing" }, { dueAt: null })
      assert.deepStrictEqual(yield* statusOf(call), Option.some("queued"))
      const again = yield* taken("b")
      assert.isDefined(again.call.hangUpAt)
      // A completed step is stored, together with the concurrent change.
      yield* hangUp(call)
      const dueAt = DateTime.addDuration(yield* DateTime.now, "1 hour")
      yield* settle("b", again, { status: "ringing" }, { dueAt, isDone: true })
      const after = yield* taken("c")
      assert.strictEqual(after.call.status, "ringing")
      assert.notDeepEqual(after.call.hangUpAt, again.call.hangUpAt)
    })
  )

  it.effect("become ready when they are changed, and leave the queue when they end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const call = yield* place(yield* empty)
      const dueAt = DateTime.addDuration(yield* DateTime.now, "1 hour")
      yield* settle("a", yield* taken("a"), { status: "ringing" }, { dueAt })
      assert.isEmpty(yield* take("a"))
      yield* hangUp(call)
      const ended = { status: "completed", sessionId: "session-1", summary: "The callee was silent." } as const
      yield* settle("a", yield* taken("a"), ended, { dueAt: null })
      const stored = yield* (yield* VoiceCallRepo).find(call.organizationId, call.id)
      assert.deepInclude(Option.getOrThrow(stored), ended)
      assert.isEmpty(yield* sql`SELECT 1 FROM voice_call_runs WHERE call_id = ${call.id}`)
      const repo = yield* VoiceCallRepo
      const no = new ConflictError({ message: "It is over", resource: "voiceCall" })
      assert.deepStrictEqual(yield* Effect.flip(repo.change(call.organizationId, call.id, () => no)), no)
    })
  )

  it.effect("are ready at their next event, which is stored once, also while a worker holds them", () =>
    Effect.gen(function* () {
      const { deliver } = yield* VoiceCallRepo
      const queue = yield* VoiceCallQueue
      const call = yield* place(yield* empty)
      const now = DateTime.toEpochMillis(yield* DateTime.now)
      const event = (id: string, at: number, atMs: number) => ({
        ...{ id, at },
        event: { _tag: "Elapsed", of: 1, atMs } as const
      })
      const [first, second, later] = [event("b", now - 1, 20), event("a", now, 30), event("c", now + 3_600_000, 40)]
      const one = yield* taken("a")
      for (const reported of [second, later, first, second]) yield* deliver(call, reported)
      const dueAt = DateTime.addDuration(yield* DateTime.now, "2 hours")
      yield* settle("a", one, { status: "ringing" }, { dueAt })
      const again = yield* taken("b")
      assert.deepStrictEqual([again.run.inbox, again.call.untilMs], [[first, second, later], 20])
      // A step that failed is repeated when it says, regardless of its events.
      yield* settle("b", again, {}, { dueAt, isRetry: true })
      assert.deepStrictEqual([yield* queue.promote, yield* take("c")], [0, []])
      yield* deliver(call, event("d", now, 50))
      yield* settle("c", yield* taken("c"), {}, { dueAt, processed: [first, second, event("d", now, 50)] })
      assert.isEmpty(yield* take("d"))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT due_at AS at FROM voice_call_waiting WHERE id = ${call.id}`, [
        { at: new Date(later.at) }
      ])
      yield* deliver(call, event("e", now + 1_000_000, 45))
      assert.deepStrictEqual(yield* sql`SELECT due_at AS at FROM voice_call_waiting WHERE id = ${call.id}`, [
        { at: new Date(now + 1_000_000) }
      ])
      yield* deliver({ ...call, organizationId: yield* makeOrganization() }, event("f", now, 60))
      assert.isEmpty(yield* take("d"))
    })
  )

  it.effect("join the open conversation of their other party, or start one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* empty
      const [first, second] = yield* Effect.all([place(own), place(own)], { concurrency: 2 })
      assert.isDefined(first.conversationId)
      assert.strictEqual(second.conversationId, first.conversationId)
      assert.deepStrictEqual(
        (yield* take("a")).map(({ call }) => call.conversationId),
        [first.conversationId, first.conversationId]
      )
      const rows = yield* sql`SELECT c.title, c.channels, c.status, a.address, a.kind FROM conversations AS c
        JOIN conversation_participants AS p ON p.conversation_id = c.id
        JOIN participant_addresses AS a ON a.participant_id = p.participant_id WHERE c.organization_id = ${own}`
      assert.deepStrictEqual(rows, [
        { title: `Call with ${first.to}`, channels: ["voice"], status: "active", address: first.to, kind: "phone" }
      ])
      assert.deepStrictEqual(
        yield* sql`SELECT participants::int, conversations::int FROM organization_usage WHERE organization_id = ${own}`,
        [{ participants: 1, conversations: 1 }]
      )
      yield* sql`UPDATE conversations SET status = 'resolved' WHERE organization_id = ${own}`
      assert.notStrictEqual((yield* place(own)).conversationId, first.conversationId)
    })
  )

  it.effect("are reported to agents that subscribe to the event, in the same transaction", () =>
    Effect.gen(function* () {
      const own = yield* empty
      const agents = yield* VoiceAgents
      const repo = yield* VoiceCallRepo
      const agent = yield* agents.create(own, {
        name: "Desk",
        webhookConfig: { url: "https://example.com/calls", events: ["call.failed"] }
      })
      const silent = yield* agents.create(own, { name: "Silent" })
      const report = (of: VoiceAgentId, type: "call.failed" | "call.ended") =>
        Effect.gen(function* () {
          const call = yield* place(own, of)
          const event = yield* newEvent(type, own, call.id, {
            ...{
              id: call.id,
              organizationId: own,
              voiceAgentId: of,
              transport: "pstn",
              direction: "outbound",
              status: "failed"
            },
            ...{ createdAt: call.createdAt, updatedAt: call.updatedAt }
          })
          yield* repo.change(own, call.id, (present) =>
            Effect.succeed({ call: present, events: [event], work: "never" })
          )
          return event.id
        })
      const id = yield* report(agent.id, "call.failed")
      yield* report(agent.id, "call.ended")
      yield* report(silent.id, "call.failed")
      const webhook = { organizationId: own, id: WebhookEndpointId.make(agent.id) }
      const deliveries = yield* deliveriesOf(webhook)
      assert.deepStrictEqual(
        deliveries.map(({ eventId, status }) => [eventId, status]),
        [[id, "pending"]]
      )
      assert.deepStrictEqual(
        yield* queueOf(webhook),
        deliveries.map((delivery): string => delivery.id)
      )
    })
  )
})
