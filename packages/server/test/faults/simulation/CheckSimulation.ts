import type { MessageId } from "@switchboard/domain/messages/Message"
import { maxQueueLifetime } from "@switchboard/domain/messages/state/MessageLifecycle"
import { canMove, type MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { defaultRetrySchedule } from "@switchboard/domain/RetrySchedule"
import { maxLeaseExpiries } from "@switchboard/services/queues/WorkQueue"
import { Array, Duration, Effect } from "effect"
import type { SimulatedWorld } from "./SimulatedWorld.js"

/** An idempotency key and its uses by callers. */
export interface Sent {
  readonly key: string
  readonly organization: OrganizationId
  readonly recipients: ReadonlyArray<string>
  readonly scheduledAt: string | null
  /** The returned messages of sends with the key, with the body of each send. */
  readonly ids: Map<MessageId, Set<string>>
  /** The outcome of each send: status, error, or 0 for no response. */
  readonly answers: globalThis.Array<string>
  /** The state of a cancellation; null without one. */
  cancelling: "unknown" | "done" | null
}

interface Row {
  readonly id: MessageId
  readonly subject: string
  readonly status: MessageStatus
  readonly code: string | null
  readonly retries: number
  readonly history: ReadonlyArray<{
    readonly status: MessageStatus
    readonly timestamp: string
    readonly metadata?: { readonly possibleDuplicate?: boolean }
  }>
  readonly deliveries: ReadonlyArray<{ readonly recipient: string; readonly status: string }>
  readonly age: number
  readonly events: number
}

const rowsOf = `SELECT m.id, m.content->>'subject' AS subject, s.status, s.error_details->>'code' AS code,
  s.retry_count AS retries, s.status_history AS history, s.deliveries,
  extract(epoch FROM s.updated_at - COALESCE(m.scheduled_at, m.created_at))::float8 * 1000 AS age,
  (SELECT count(*)::int FROM events AS e WHERE e.organization_id = m.organization_id AND e.subject_id = m.id
    AND e.type LIKE 'message.%') AS events
FROM messages AS m JOIN message_states AS s ON s.organization_id = m.organization_id AND s.message_id = m.id
WHERE m.organization_id = ANY ($1) ORDER BY m.created_at, subject`

const leftOf = `SELECT (SELECT count(*) FROM message_queue)::int + (SELECT count(*) FROM message_waiting)::int AS left`

const usageOf = `SELECT COALESCE(sum(messages_used), 0)::int AS used FROM organization_usage WHERE organization_id = ANY ($1)`

/** Maximum difference between the clocks of a process and the database, in milliseconds. */
export const maxStep = 3_600_000

const ended: ReadonlySet<string> = new Set(["delivered", "bounced", "failed"])

/** Why the final status of a message is wrong; null if it is correct. */
const wrongEnd = (row: Row, { cancelling }: Sent, tries: number, isRefused: boolean, flags: number) => {
  const isCancelled = row.code === "cancelled"
  if (isCancelled ? cancelling === null : cancelling === "done") return `a cancellation ended as ${row.code}`
  if (row.status !== "failed") return null
  if (isCancelled) return tries === 0 ? null : "cancelled, and sent"
  if (row.code === "expired") {
    return row.age >= Duration.toMillis(maxQueueLifetime) - 2 * maxStep ? null : `expired after ${row.age} ms`
  }
  if (row.code === "poisoned") return flags >= maxLeaseExpiries ? null : `poisoned after ${flags} repeats`
  if (row.code === "retries_exhausted") {
    return row.retries >= defaultRetrySchedule.length ? null : `given up after ${row.retries} retries`
  }
  return row.code === "message_refused" && isRefused ? null : `failed for ${row.code}, and was not refused`
}

/** Compares responses, database and relay after all messages have ended. */
export const checkSimulation = (
  world: SimulatedWorld,
  organizations: ReadonlyArray<OrganizationId>,
  sent: ReadonlyArray<Sent>
) =>
  Effect.gen(function* () {
    const rows = yield* world.database.query<Row>(rowsOf, [organizations])
    const [usage] = yield* world.database.query<{ used: number }>(usageOf, [organizations])
    const [queue] = yield* world.database.query<{ left: number }>(leftOf)
    const byKey = Array.groupBy(rows, ({ subject }) => subject.split(" ")[0] ?? "")
    const violations: globalThis.Array<string> = []
    const found = { acked: 0, lost: 0, duplicated: 0, unflagged: 0, endedWithoutTry: 0, sessions: 0, repeats: 0 }
    if (usage?.used !== rows.length) violations.push(`${rows.length} messages, and ${usage?.used} units of usage`)
    if (queue?.left !== 0) violations.push(`${queue?.left} entries are left in the queue`)
    if (rows.some(({ subject }) => !sent.some(({ key }) => subject.startsWith(`${key} `)))) {
      violations.push("a message that no caller sent")
    }

    for (const one of sent) {
      const say = (what: string) => violations.push(`${one.key}: ${what}`)
      const [row, ...more] = byKey[one.key] ?? []
      if (more.length > 0) say(`one key made ${more.length + 1} messages`)
      if (one.ids.size > 1) say(`one key was answered with ${one.ids.size} messages`)
      found.acked += one.ids.size > 0 ? 1 : 0
      if ([...one.ids.keys()].some((id) => id !== row?.id)) {
        found.lost += 1
        say("accepted, and not stored")
      }
      if (row === undefined) continue
      if ([...(one.ids.get(row.id) ?? [])].some((variant) => row.subject !== `${one.key} ${variant}`)) {
        say("another request under the key was answered with its message")
      }
      if (!ended.has(row.status)) {
        found.lost += 1
        say(`has not ended: ${row.status}`)
      }
      world.note(`${one.key} ${row.status} ${row.code} ${row.history.map(({ status }) => status).join(" ")}`)
      const seen = one.recipients.map((recipient) => world.relay.of(recipient))
      const tries = Math.max(...seen.map((recipient) => recipient.tries))
      const flags = row.history.filter(({ metadata }) => metadata?.possibleDuplicate === true).length
      found.sessions += tries
      found.repeats += flags
      const problem = wrongEnd(
        row,
        one,
        tries,
        seen.some(({ isRefused }) => isRefused),
        flags
      )
      if (problem !== null) say(problem)
      if (row.status === "failed" && tries === 0 && !["cancelled", "expired", "poisoned"].includes(row.code ?? "")) {
        found.endedWithoutTry += 1
      }
      for (const { recipient, status } of row.deliveries) {
        const { copies, isRefused } = world.relay.of(recipient)
        const beyond = Math.max(0, copies - 1)
        found.duplicated += beyond
        if (beyond > flags) {
          found.unflagged += beyond - flags
          say(`${recipient} has ${copies} copies, of which ${flags} are flagged`)
        }
        if (status === "delivered" && copies === 0) say(`${recipient} is delivered, and has no copy`)
        if (status === "bounced" && !isRefused) say(`${recipient} bounced, and was not refused`)
      }
      const steps = row.history.map(({ status }) => status)
      let moves = steps[0] === "scheduled" ? 2 : 1
      for (const [from, to] of Array.zip(steps, steps.slice(1))) {
        // A repeated status is a note, except for a repeated attempt.
        if (from === to && to !== "processing") continue
        moves += 1
        if (!canMove(from, to)) say(`went from ${from} to ${to}`)
      }
      if (row.events !== moves) say(`${moves} moves, and ${row.events} events`)
    }
    const answers = sent.flatMap((one) => one.answers).filter((answer) => answer !== "409" && answer !== "late")
    return { ...found, answers, violations }
  })
