import { SqlClient } from "@effect/sql"
import { confirmed, returned } from "@switchboard/domain/email/feedback/Reported"
import { opened } from "@switchboard/domain/email/opens/Opened"
import type { Confirmation } from "@switchboard/domain/messages/delivery/Confirmation"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { DeliveryOutcome, type RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { ConversationId, MessageId } from "@switchboard/domain/messages/Message"
import { cancelled, complained, nextAttemptAt, settled } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { DeliveryQueue } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect, FastCheck } from "effect"
import { v4, v7 } from "uuid"
import { vi } from "vitest"
import { newMessage } from "../messages/Fixtures.js"
import { take } from "../messages/QueueFixtures.js"
import { type Remembered, remember } from "./Recount.js"

const { constant, constantFrom, integer, nat, oneof, record } = FastCheck

const verdict = constantFrom<RecipientReply["verdict"]>("accepted", "accepted", "accepted", "refused", "deferred")

/** What may happen next to the messages of an organization. */
const happening = oneof(
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
      whole: constantFrom("answered", "answered", "answered", "answered", "refused", "expired", "outage"),
      confirmation: constantFrom<Confirmation>("accept", "dsn")
    })
  },
  {
    weight: 6,
    arbitrary: record({
      do: constant("news" as const),
      which: nat(),
      news: constantFrom("back", "there", "read", "unwanted", "cancelled")
    })
  },
  { weight: 1, arbitrary: record({ do: constant("delete" as const), which: nat() }) },
  { weight: 1, arbitrary: record({ do: constant("write" as const), conversation: nat(2) }) },
  { weight: 1, arbitrary: record({ do: constant("answer" as const), conversation: nat(2) }) },
  { weight: 2, arbitrary: record({ do: constant("gather" as const) }) }
)

/** What happens, and how many milliseconds pass before each: moments, minutes, and steps over several hours. */
export const lives = FastCheck.array(
  record({ after: oneof(nat(2_000), nat(3_600_000), nat(12_000_000)), what: happening }),
  { minLength: 60, maxLength: 90 }
)

const addresses = ["ada@example.com", "bob@example.com", "eve@example.com"]

/** What waits until then is ready: the database has its own clock. */
const long = DateTime.unsafeMake("2020-01-01T00:00:00Z")

const nothingSaid = { addresses: [], response: "", smtpCode: null, enhancedCode: null } as const

const afterNews = (state: MessageState, news: string, now: DateTime.Utc): MessageState => {
  const [first] = state.deliveries
  if (first === undefined) return state
  switch (news) {
    case "back":
      return state.deliveries.reduce(
        (before, delivery) => returned(before, delivery, { ...nothingSaid, action: "failed" }, now),
        state
      )
    case "there":
      return confirmed(state, first, { ...nothingSaid, action: "delivered" }, now)
    case "read":
      return opened(state, 0, now)
    case "unwanted":
      return complained(state, first.recipient, now)
    default:
      return state.status === "scheduled" ? cancelled(state, now) : state
  }
}

/** A message from outside in a conversation, as its receiver stores it. */
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
    ) INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
      VALUES (${organization}, ${v7({ msecs: DateTime.toEpochMillis(now) })}, 'message.received', ${id}, '{}', ${at})`
    return id
  })

export type Lives = typeof lives extends FastCheck.Arbitrary<infer All> ? All : never

/**
 * Lets messages live, from an instant on, and says until when, and which there were. The clock stands still but between
 * what happens.
 */
export const live = Effect.fnUntraced(function* (organization: OrganizationId, what: Lives, start: DateTime.Utc) {
  const repo = yield* MessageRepo
  const queue = yield* DeliveryQueue
  const analytics = yield* AnalyticsRepo
  const conversations = [v4(), v4(), v4()].map((id) => ConversationId.make(id))
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO conversations (organization_id, id, channels, status, priority, urgency, complexity, tags,
      categories, is_test, is_internal, is_private, started_at, created_at, updated_at)
    SELECT ${organization}, id, '{email}', 'active', 2, 'low', 'simple', '{}', '{}', false, false, false, now(), now(), now()
    FROM unnest(${conversations}::uuid[]) AS c(id)`
  const known: Array<MessageId> = []
  const remembered: Remembered = new Map()
  let clock = DateTime.toEpochMillis(start)

  const accept = (given: Parameters<typeof newMessage>[1], cost: string, conversationId: ConversationId | null) =>
    Effect.flatMap(newMessage(organization, given), ({ facts, ...message }) =>
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
        const given = {
          to: addresses.slice(0, one.recipients),
          isTest: one.isTest,
          ...(one.scheduled ? { scheduledAt: long } : {})
        }
        yield* Effect.all(
          Array.from({ length: one.messages }, () => accept(given, one.cost, null)),
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
                one.whole === "refused"
                  ? DeliveryOutcome.Refused({ smtpCode: 554, response: "no" })
                  : one.whole === "expired"
                    ? DeliveryOutcome.Expired()
                    : one.whole === "outage"
                      ? DeliveryOutcome.Outage({ response: "down", retryAt: now })
                      : DeliveryOutcome.Answered({
                          replies: state.deliveries.filter(isOpen).map(({ recipient }, place) => ({
                            recipient,
                            verdict: one.verdicts[(index + place) % one.verdicts.length] ?? "accepted"
                          })),
                          response: null,
                          providerMessageId: null,
                          retryAt: now
                        })
              const next = settled(state, outcome, one.confirmation, now)
              return { state: next, retryAt: nextAttemptAt(next, outcome, now) === null ? null : long }
            }
          }))
        )
        break
      }
      case "news": {
        const id = at(one.which)
        if (id !== undefined) {
          yield* repo.change(organization, id, (state) => Effect.succeed(afterNews(state, one.news, now)))
        }
        break
      }
      case "delete": {
        const id = at(one.which)
        if (id !== undefined) yield* repo.remove(organization, id)
        break
      }
      case "write":
        yield* receive(organization, conversations[one.conversation] ?? null)
        break
      case "answer":
        yield* accept({}, "0.5", conversations[one.conversation] ?? null)
        break
      case "gather":
        yield* analytics.gather
    }
    yield* remember(organization, remembered)
  }
  return { end: DateTime.unsafeMake(clock), remembered }
})
