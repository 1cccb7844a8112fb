import { Array } from "effect"
import type { Outcome } from "./LoadClient.js"
import type { Report } from "./Report.js"
import type { Sends } from "./Sends.js"
import type { Truth } from "./Truth.js"

/** A recipient of a message in the database. */
export interface StoredMessage {
  readonly id: string
  readonly recipient: string
  /** The status of the message, or that of the recipient if there are several. */
  readonly status: string
  readonly code: string | null
  readonly error: string | null
  /** The number of history entries with `possibleDuplicate`. */
  readonly flags: number
  /** The number of history entries with the status `delivered`, without those of repeated attempts. */
  readonly confirmations: number
}

/** The query for `StoredMessage` rows. */
export const storedMessages = `SELECT message_id AS id, d->>'recipient' AS recipient,
  CASE json_array_length(deliveries) WHEN 1 THEN status ELSE d->>'status' END AS status,
  error_details->>'code' AS code, error_details->>'message' AS error,
  (SELECT count(*)::int FROM json_array_elements(status_history) AS h
    WHERE (h->'metadata'->>'possibleDuplicate')::boolean) AS flags,
  (SELECT count(*)::int FROM json_array_elements(status_history) AS h
    WHERE h->>'status' = 'delivered' AND h->'metadata'->'possibleDuplicate' IS NULL) AS confirmations
  FROM message_states CROSS JOIN json_array_elements(deliveries) AS d`

/** Maximum messages of one kind that a report lists. */
const maxListed = 5

/** The view of the callers: their sends, one recipient per message, and the responses. */
export class Ledger {
  private readonly ids = new Map<string, Set<string>>()
  private readonly statuses = new Map<number, number>()

  attempted(recipient: string): void {
    if (!this.ids.has(recipient)) this.ids.set(recipient, new Set())
  }

  answered(recipient: string, { id, status }: Outcome): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status === 201 && id !== null) this.ids.get(recipient)?.add(id)
  }

  get acked(): number {
    return [...this.ids.values()].filter(({ size }) => size > 0).length
  }

  /** Compares the responses with the database and the peers, after all messages have ended. */
  compare(stored: ReadonlyArray<StoredMessage>, truth: Truth, sends: Sends): Report {
    const byRecipient = new Map(Object.entries(Array.groupBy(stored, ({ recipient }) => recipient)))
    const violations: globalThis.Array<string> = []
    let lost = 0
    for (const [recipient, ids] of this.ids) {
      const rows = byRecipient.get(recipient) ?? []
      if (ids.size > 1) violations.push(`${recipient}: one key returned ${ids.size} messages`)
      if (rows.length > 1) violations.push(`${recipient}: one key created ${rows.length} messages`)
      if (ids.size === 0) continue
      const { isRefused, parts } = truth.of(recipient)
      const row = rows.find(({ id }) => ids.has(id))
      const isComplete = row !== undefined && sends.parts(recipient, row.id).every((part) => parts.has(part))
      if (row !== undefined && (isComplete || isRefused)) continue
      lost += 1
      if (lost <= maxListed) violations.push(`${recipient} is lost: ${row?.status} ${row?.code} ${row?.error}`)
    }
    for (const recipient of byRecipient.keys()) {
      if (!this.ids.has(recipient)) violations.push(`${recipient}: a message that no caller sent`)
    }
    const unconfirmed = stored.filter(
      ({ confirmations, recipient, status }) =>
        !truth.of(recipient).isRefused && (status !== "delivered" || confirmations !== 1)
    )
    for (const { code, confirmations, recipient, status } of unconfirmed.slice(0, maxListed)) {
      violations.push(`${recipient} is ${status} ${code}, and was delivered ${confirmations} times`)
    }
    let duplicated = 0
    let unflagged = 0
    for (const [recipient, { copies, parts }] of truth.all()) {
      const rows = byRecipient.get(recipient) ?? []
      const flags = rows.reduce((sum, row) => sum + row.flags, 0)
      const more = Math.max(0, copies - 1)
      duplicated += more
      unflagged += Math.max(0, more - flags)
      const expected = new Set(rows.flatMap(({ id }) => sends.parts(recipient, id)))
      for (const part of parts.keys()) {
        if (!expected.has(part)) violations.push(`${recipient}: a copy has the part ${part}, not ${[...expected]}`)
      }
    }
    return {
      acked: this.acked,
      lost,
      duplicated,
      unflagged,
      endedWithoutTry: stored.filter(
        ({ recipient, status }) => status === "failed" && truth.of(recipient).tries.length === 0
      ).length,
      answers: Object.fromEntries([...this.statuses].sort(([a], [b]) => a - b)),
      figures: {},
      violations
    }
  }
}
