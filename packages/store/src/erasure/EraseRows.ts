import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { Counted, Erasure } from "@switchboard/services/erasure/ErasureRepo"
import type { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Array, Effect } from "effect"
import { retryConflicts } from "../database/Unavailable.js"
import { isMailDone } from "../retention/EraseBodies.js"
import { eraseMessages } from "./EraseMessages.js"
import { hasKey, mentionParameters, replaceStatement } from "./MentionConditions.js"
import type { SearchedTable } from "./SearchedTables.js"
import type { Key } from "./SearchTable.js"

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

/** Statements for tables from which more than the address is erased. */
const ownStatements: Readonly<Record<string, OwnStatement>> = {
  conversation_labels: labelsOf("conversation_labels"),
  message_tags: labelsOf("message_tags"),
  drafts: {
    what: "recipients of drafts",
    statement: (hasKey) => `UPDATE drafts SET recipients = (
        SELECT COALESCE(json_agg(one ORDER BY place), '[]')
        FROM json_array_elements(recipients) WITH ORDINALITY AS r(one, place)
        WHERE lower(COALESCE(one ->> 'email', '')) <> $2
      )
      WHERE ${hasKey} AND EXISTS (SELECT FROM json_array_elements(recipients) AS one WHERE lower(one ->> 'email') = $2)
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
export const eraseRows = Effect.fnUntraced(function* (
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
