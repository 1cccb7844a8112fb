import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { Counted, Erasure, ReportProgress } from "@switchboard/services/erasure/ErasureRepo"
import type { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Array, Clock, Duration, Effect, Number } from "effect"
import { retryConflicts } from "../database/Unavailable.js"
import { isMailDone } from "../retention/ExpiredContent.js"
import { eraseMessages } from "./EraseParticipants.js"
import type { Position, RecordProgress } from "./ErasureRun.js"
import { hasKey, mentionParameters, replaceStatement } from "./Mentions.js"
import { estimateRows, isInScope, type Key, type SearchedTable, searchedTables, searchPage } from "./SearchedTables.js"

/** The number of rows that one statement changes. */
const maxChanged = 100

interface OwnStatement {
  /** The changed rows. */
  readonly what: string
  /** The statement for rows with a condition on their keys. The parameter `$2` is the address in lower case. */
  readonly statement: (hasKey: string) => string
}

/** Two labels can become the same one without the address: no list finds the erased ones. */
const labelsOf = (table: string): OwnStatement => ({
  what: `mentions in ${table}`,
  statement: (hasKey) => `DELETE FROM ${table} WHERE ${hasKey} AND $2::text IS NOT NULL RETURNING 1`
})

/** SQL: the recipient `one` of a draft has the address `$2`. */
const isRecipient = `($2 IN (lower(COALESCE(one ->> 'email', '')), COALESCE(one ->> 'phone', ''),
  '+' || ltrim(COALESCE(one ->> 'whatsappId', ''), '+')))`

/** Statements for tables from which more than the address is erased. */
const ownStatements: Readonly<Record<string, OwnStatement>> = {
  conversation_labels: labelsOf("conversation_labels"),
  message_tags: labelsOf("message_tags"),
  drafts: {
    what: "recipients of drafts",
    statement: (hasKey) => `UPDATE drafts SET recipients = (
        SELECT COALESCE(json_agg(one ORDER BY place), '[]')
        FROM json_array_elements(recipients) WITH ORDINALITY AS r(one, place)
        WHERE NOT ${isRecipient}
      )
      WHERE ${hasKey} AND EXISTS (SELECT FROM json_array_elements(recipients) AS one WHERE ${isRecipient})
      RETURNING 1`
  },
  handset_texts: {
    what: "texts",
    statement: (hasKey) => `DELETE FROM handset_texts WHERE ${hasKey} AND phone = $2 RETURNING 1`
  },
  // Links and user agents can identify a person too.
  message_states: {
    what: "clicks",
    statement: (hasKey) => `UPDATE message_states SET clicks = (
        SELECT json_agg(one ORDER BY place) FROM json_array_elements(clicks) WITH ORDINALITY AS c(one, place)
        WHERE lower(one ->> 'recipient') <> $2
      )
      WHERE ${hasKey} AND EXISTS (
        SELECT FROM json_array_elements(clicks) AS one WHERE lower(one ->> 'recipient') = $2
      )
      RETURNING 1`
  },
  // Raw mail cannot be edited, since it is signed.
  inbound_mails: {
    what: "mails",
    statement: (hasKey) => `UPDATE inbound_mails SET raw = NULL
      WHERE ${hasKey} AND raw IS NOT NULL AND ${isMailDone("inbound_mails")} AND $2::text IS NOT NULL RETURNING 1`
  },
  mailbox_mails: {
    what: "mails",
    statement: (hasKey) => `DELETE FROM mailbox_mails WHERE ${hasKey} AND $2::text IS NOT NULL RETURNING 1`
  },
  // Idempotency keys must stay unique: the new key contains the message's id.
  message_claims: {
    what: "mentions in message_claims",
    statement: (hasKey) => `UPDATE message_claims SET key = 'erased ' || message_id
      WHERE ${hasKey} AND $2::text IS NOT NULL RETURNING 1`
  }
}

/** Erases the address from rows of a table that mention it. Each statement is a transaction. Returns the counts. */
const eraseRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: typeof MessageRepo.Service,
  table: SearchedTable,
  erasure: Erasure,
  keys: ReadonlyArray<Key>
) {
  const run = (what: string, statement: string, parameters: (keys: string) => ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(Array.chunksOf(keys, maxChanged), (chunk) =>
        retryConflicts(sql.unsafe(statement, parameters(JSON.stringify(chunk))))
      ),
      (changed): Counted => ({ what, count: changed.flat().length })
    )
  const removed =
    table.name !== "messages"
      ? []
      : yield* eraseMessages(
          sql,
          messages,
          erasure,
          keys.map(([organization = "", id = ""]) => [organization, id])
        )
  const own = ownStatements[table.name]
  const changed =
    own === undefined
      ? []
      : [yield* run(own.what, own.statement(hasKey(table, "$1")), (chunk) => [chunk, addressKey(erasure.address)])]
  const replaced = yield* run(`mentions in ${table.name}`, replaceStatement(table), (chunk) => [
    ...mentionParameters(erasure.address),
    chunk
  ])
  return [...removed, ...changed, replaced]
})

/** The bounds of the rows that one statement searches. The first page is small, since a row can be a large mail. */
const [minRows, maxRows] = [10, 5_000]

/** The intended duration of a search. */
const pageDuration = Duration.millis(200)

/** The limit of the next page: twice as many rows, or fewer if the page took longer than intended. */
const nextLimit = (limit: number, elapsed: number) =>
  Math.floor(
    Number.clamp(limit * Math.min(2, Duration.toMillis(pageDuration) / Math.max(1, elapsed)), {
      minimum: minRows,
      maximum: maxRows
    })
  )

/** Types of keys that contain no text of people. */
const isStorable = ({ key }: SearchedTable) => key.every(({ type }) => type !== "text")

/** Searches the texts of all tables after a position, page by page, and erases the address from them. */
export const eraseMentions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: typeof MessageRepo.Service,
  erasure: Erasure,
  position: Position | null,
  record: RecordProgress,
  report: ReportProgress
) {
  const tables = (yield* searchedTables(sql)).filter(
    (table) => isInScope(table, erasure) && table.name >= (position?.table ?? "")
  )
  for (const table of tables) {
    const estimated = yield* estimateRows(sql, table, erasure)
    let after: Key | null = position?.table === table.name ? position.after : null
    let limit = minRows
    let searched = 0
    for (let isDone = false; !isDone; ) {
      const startedAt = yield* Clock.currentTimeMillis
      const page = yield* searchPage(sql, table, erasure, after, limit)
      const elapsed = (yield* Clock.currentTimeMillis) - startedAt
      yield* record({
        position: { table: table.name, after: isStorable(table) ? page.last : null },
        erased: table.isSettings ? [] : yield* eraseRows(sql, messages, table, erasure, page.found),
        left: table.isSettings ? [{ what: table.name, count: page.found.length }] : []
      })
      searched += page.rows
      yield* report({ table: table.name, searched, estimated })
      isDone = page.rows < limit
      after = page.last
      limit = nextLimit(limit, elapsed)
    }
  }
})
