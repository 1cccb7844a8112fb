import { SqlClient } from "@effect/sql"
import { applyBounce, applyConfirmation } from "@switchboard/domain/email/feedback/ApplyReport"
import { clicked, opened } from "@switchboard/domain/email/tracking/Engagement"
import type { Confirmation } from "@switchboard/domain/messages/delivery/Confirmation"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { DeliveryOutcome, type RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { ConversationId, MessageId } from "@switchboard/domain/messages/Message"
import { cancelled, complained, nextAttemptAt, settled } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect, FastCheck } from "effect"
import { v4, v7 } from "uuid"
import { vi } from "vitest"
import { newMessage } from "../messages/Fixtures.js"
import { mailQueue, take } from "../messages/QueueFixtures.js"
import { type KnownMessages, recordMessages } from "./Recount.js"

const { constant, constantFrom, integer, nat, oneof, record } = FastCheck

const verdict = constantFrom<RecipientReply["verdict"]>("accepted", "accepted", "accepted", "refused", "deferred")

/** The next event of an organization's messages. */
const randomEvent = oneof(
  {
    weight: 3,
    arbitrary: record({
      do: constant("accept" as const),
      messages: integer({ min: 1, max: 4 }),
      recipients: integer({ min: 1, max: 3 }),
      cost: constantFrom("0", "0.0004", "0.1", "12.5"),
      isTest: constantFrom(false, false, true),
      scheduled: constantFrom(false, false, false, true)
    })
  },
  {
    weight: 5,
    arbitrary: record({
      do: constant("attempt" as const),
      verdicts: FastCheck.array(verdict, { minLength: 1, maxLength: 7 }),
      batch: constantFrom("replied", "replied", "replied", "replied", "refused", "expired", "outage"),
      confirmation: constantFrom<Confirmation>("accept", "dsn")
    })
  },
  {
    weight: 6,
    arbitrary: record({
      do: constant("report" as const),
      which: nat(),
      report: constantFrom("bounced", "delivered", "read", "clicked", "clicked", "complained", "cancelled")
    })
  },
  { weight: 1, arbitrary: record({ do: constant("delete" as const), which: nat() }) },
  { weight: 1, arbitrary: record({ do: constant("receive" as const), conversation: nat(2) }) },
  { weight: 1, arbitrary: record({ do: constant("reply" as const), conversation: nat(2) }) },
  {
    weight: 2,
    arbitrary: record({
      do: constant("move" as const),
      which: nat(2),
      country: constantFrom("DE", "FR", null),
      region: constantFrom("North", null),
      phone: constantFrom("+493012345678", "+14165550123", null)
    })
  },
  { weight: 2, arbitrary: record({ do: constant("project" as const) }) }
)

/** Events with the milliseconds before each: moments, minutes, and several hours. */
export const randomEvents = FastCheck.array(
  record({ after: oneof(nat(2_000), nat(3_600_000), nat(12_000_000)), what: randomEvent }),
  { minLength: 60, maxLength: 90 }
)

const addresses = ["ada@example.com", "bob@example.com", "eve@example.com"]

/** A past time: entries that wait until then are ready by the database's clock. */
const alreadyDue = DateTime.unsafeMake("2020-01-01T00:00:00Z")

const emptyReport = { reason: "unknown", addresses: [], response: "", smtpCode: null, enhancedCode: null } as const

const applyReport = (state: MessageState, report: string, now: DateTime.Utc): MessageState => {
  const [first] = state.deliveries
  if (first === undefined) return state
  switch (report) {
    case "bounced":
      return state.deliveries.reduce(
        (before, delivery) => applyBounce(before, delivery, { ...emptyReport, action: "failed" }, now),
        state
      )
    case "delivered":
      return applyConfirmation(state, first, { ...emptyReport, action: "delivered" }, now)
    case "read":
      return opened(state, 0, { at: now, client: "other" })
    case "clicked":
      return clicked(state, 0, { at: now, client: "other", url: "https://example.com/", userAgent: undefined })
    case "complained":
      return complained(state, first.recipient, now)
    default:
      return state.status === "scheduled" ? cancelled(state, now) : state
  }
}

/** Stores an inbound message in a conversation. */
export const receive = (organization: OrganizationId, conversation: string | null) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { id, now } = yield* newId(MessageId)
    const at = DateTime.toDateUtc(now)
    yield* sql`WITH m AS (
      INSERT INTO messages (organization_id, id, conversation_id, from_participant_id, to_participant_ids, channel,
        direction, content, addressing, cost, currency, max_retries, tags, categories, is_test, is_internal, is_automated,
        created_at)
      VALUES (${organization}, ${id}, ${conversation}::uuid, ${v4()}, ARRAY[${v4()}]::uuid[], 'email', 'inbound', '{}', '{}',
        '0', 'EUR', 0, '{}', '{}', false, false, false, ${at})
    ), s AS (
      INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, retry_count, max_retries,
        delivery_attempts, updated_at)
      VALUES (${organization}, ${id}, 'delivered', '[]', '[]', 0, 0, 0, ${at})
    ), u AS (
      UPDATE organization_usage SET messages_kept = messages_kept + 1 WHERE organization_id = ${organization}
    ) INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
      VALUES (${organization}, ${v7({ msecs: DateTime.toEpochMillis(now) })}, 'message.received', ${id}, '{}', ${at})`
    return id
  })

/** Gives a participant another place and at most one phone number. */
const movePerson = (
  organization: OrganizationId,
  address: string,
  { country, phone, region }: { country: string | null; phone: string | null; region: string | null }
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [person] = yield* sql<{ id: string }>`UPDATE participants AS p SET country = ${country}, region = ${region}
      FROM participant_addresses AS a WHERE a.organization_id = ${organization} AND a.kind = 'email'
        AND a.address = ${address} AND p.organization_id = ${organization} AND p.id = a.participant_id RETURNING p.id`
    if (person === undefined) return
    yield* sql`DELETE FROM participant_addresses WHERE organization_id = ${organization} AND kind = 'phone'
      AND participant_id = ${person.id}`
    if (phone !== null) {
      yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
        VALUES (${organization}, 'phone', ${phone}, ${person.id}) ON CONFLICT DO NOTHING`
    }
  })

export type RandomEvents = typeof randomEvents extends FastCheck.Arbitrary<infer All> ? All : never

/** Runs events from an instant on. Returns the end time and all messages. The clock advances only between events. */
export const applyEvents = Effect.fnUntraced(function* (
  organization: OrganizationId,
  what: RandomEvents,
  start: DateTime.Utc
) {
  const repo = yield* MessageRepo
  const queue = yield* mailQueue
  const rollups = yield* RollupRepo
  const conversations = [v4(), v4(), v4()].map((id) => ConversationId.make(id))
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO conversations (organization_id, id, channels, status, priority, urgency, complexity, tags,
      categories, is_test, is_internal, is_private, started_at, created_at, updated_at)
    SELECT ${organization}, id, '{email}', 'active', 2, 'low', 'simple', '{}', '{}', false, false, false, now(), now(), now()
    FROM unnest(${conversations}::uuid[]) AS c(id)`
  const known: Array<MessageId> = []
  const recorded: KnownMessages = new Map()
  let clock = DateTime.toEpochMillis(start)

  const accept = (options: Parameters<typeof newMessage>[1], cost: string, conversationId: ConversationId | null) =>
    Effect.flatMap(newMessage(organization, options), ({ facts, ...message }) =>
      Effect.map(repo.accept({ ...message, facts: { ...facts, cost, conversationId } }), ({ message: { id } }) => {
        if (conversationId === null) known.push(id)
      })
    )

  for (const { after, what: one } of what) {
    clock += after
    vi.setSystemTime(clock)
    const now = yield* DateTime.now
    const at = (which: number) => known[which % Math.max(known.length, 1)]
    switch (one.do) {
      case "accept": {
        const options = {
          to: addresses.slice(0, one.recipients),
          isTest: one.isTest,
          ...(one.scheduled ? { scheduledAt: alreadyDue } : {})
        }
        yield* Effect.all(
          Array.from({ length: one.messages }, () => accept(options, one.cost, null)),
          { concurrency: "unbounded" }
        )
        break
      }
      case "attempt": {
        yield* queue.promote
        const taken = yield* take("worker", { limit: one.verdicts.length })
        yield* queue.settle(
          "worker",
          taken.map((message, index) => ({
            message,
            decide: (state) => {
              const outcome =
                one.batch === "refused"
                  ? DeliveryOutcome.Refused({ smtpCode: 554, response: "no" })
                  : one.batch === "expired"
                    ? DeliveryOutcome.Expired()
                    : one.batch === "outage"
                      ? DeliveryOutcome.Outage({ response: "down", retryAt: now })
                      : DeliveryOutcome.Replied({
                          replies: state.deliveries.filter(isOpen).map(({ recipient }, place) => ({
                            recipient,
                            verdict: one.verdicts[(index + place) % one.verdicts.length] ?? "accepted"
                          })),
                          response: null,
                          providerMessageId: null,
                          retryAt: now
                        })
              const next = settled(state, outcome, one.confirmation, now)
              return { state: next, retryAt: nextAttemptAt(next, outcome, now) === null ? null : alreadyDue }
            }
          }))
        )
        break
      }
      case "report": {
        const id = at(one.which)
        if (id !== undefined) {
          yield* repo.change(organization, id, (state) => Effect.succeed(applyReport(state, one.report, now)))
        }
        break
      }
      case "delete": {
        const id = at(one.which)
        if (id !== undefined) yield* repo.remove(organization, id)
        break
      }
      case "receive":
        yield* receive(organization, conversations[one.conversation] ?? null)
        break
      case "reply":
        yield* accept({}, "0.5", conversations[one.conversation] ?? null)
        break
      case "move":
        // Recipients count at the place that they have when an event is folded.
        yield* rollups.project
        yield* movePerson(organization, addresses[one.which] ?? "", one)
        break
      case "project":
        yield* rollups.project
    }
    yield* recordMessages(organization, recorded)
  }
  return { end: DateTime.unsafeMake(clock), recorded }
})
