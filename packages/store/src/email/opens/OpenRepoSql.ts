import { SqlClient } from "@effect/sql"
import { opened } from "@switchboard/domain/email/opens/Opened"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Open, OpenRepo } from "@switchboard/services/email/opens/OpenRepo"
import { Array, Effect, Layer } from "effect"
import { prepared } from "../../database/Prepared.js"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "../../messages/StateRows.js"

interface OpenedRow extends StateRow {
  readonly organization_id: OrganizationId
  readonly message_id: MessageId
}

/** Locks in the order of organization and message, like all transactions, with one primary key lookup per message. */
const lockStatement = prepared(
  "lock_opened",
  /* sql */ `
SELECT s.organization_id, s.message_id, ${stateColumns}
FROM (SELECT DISTINCT organization_id, message_id
    FROM json_to_recordset($1::json) AS g(organization_id uuid, message_id uuid)
    ORDER BY organization_id, message_id) AS o
  CROSS JOIN LATERAL (
    SELECT * FROM message_states AS s
    WHERE s.organization_id = o.organization_id AND s.message_id = o.message_id FOR UPDATE
  ) AS s`
)

const keyOf = (organizationId: OrganizationId, messageId: MessageId) => `${organizationId} ${messageId}`

/** Opens, in the states of messages. */
export const OpenRepoSql = Layer.effect(
  OpenRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const record = Effect.fnUntraced(function* (opens: ReadonlyArray<Open>) {
      const rows = yield* sql.unsafe<OpenedRow>(lockStatement, [
        JSON.stringify(
          opens.map(({ messageId, organizationId }) => ({ organization_id: organizationId, message_id: messageId }))
        )
      ])
      const byMessage = Array.groupBy(opens, ({ messageId, organizationId }) => keyOf(organizationId, messageId))
      const changes = rows.flatMap((row) => {
        const before = stateFromRow(row)
        const own = byMessage[keyOf(row.organization_id, row.message_id)] ?? []
        const after = own.reduce((state, { at, place }) => opened(state, place, at), before)
        return after === before
          ? []
          : [{ organizationId: row.organization_id, messageId: row.message_id, before, after }]
      })
      yield* writeStates(sql, changes)
    })

    return { record: (opens) => record(opens).pipe(sql.withTransaction, retryConflicts, orUnavailable) }
  })
)
