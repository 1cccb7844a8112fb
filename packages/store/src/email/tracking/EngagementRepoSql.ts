import { SqlClient } from "@effect/sql"
import { clicked, opened } from "@switchboard/domain/email/tracking/Engagement"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Engagement, EngagementRepo } from "@switchboard/services/email/tracking/EngagementRepo"
import { Array, Effect, Layer } from "effect"
import { prepared } from "../../database/Prepared.js"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "../../messages/StateRows.js"

interface EngagedRow extends StateRow {
  readonly organization_id: OrganizationId
  readonly message_id: MessageId
}

/** Locks in the order of organization and message, like all transactions, with one primary key lookup per message. */
const lockStatement = prepared(
  "lock_engaged",
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

const applied = (state: MessageState, { mail: { place }, request }: Engagement): MessageState =>
  "url" in request ? clicked(state, place, request) : opened(state, place, request)

/** Opens and clicks, in the states of messages. */
export const EngagementRepoSql = Layer.effect(
  EngagementRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const record = Effect.fnUntraced(function* (engagements: ReadonlyArray<Engagement>) {
      const rows = yield* sql.unsafe<EngagedRow>(lockStatement, [
        JSON.stringify(
          engagements.map(({ mail }) => ({ organization_id: mail.organizationId, message_id: mail.messageId }))
        )
      ])
      const byMessage = Array.groupBy(engagements, ({ mail }) => keyOf(mail.organizationId, mail.messageId))
      const changes = rows.flatMap((row) => {
        const before = stateFromRow(row)
        const own = byMessage[keyOf(row.organization_id, row.message_id)] ?? []
        const after = own.reduce(applied, before)
        return after === before
          ? []
          : [{ organizationId: row.organization_id, messageId: row.message_id, before, after }]
      })
      yield* writeStates(sql, changes)
    })

    return { record: (engagements) => record(engagements).pipe(sql.withTransaction, retryConflicts, orUnavailable) }
  })
)
