import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option } from "effect"
import { prepared } from "../database/Prepared.js"
import { orUnavailable } from "../database/Unavailable.js"
import { type MessageRow, messageColumns, messageFromRow, messageTables } from "./MessageRows.js"

/** Which message somebody asks for. */
export interface Wanted {
  readonly organization: OrganizationId
  readonly id: MessageId
}

const findStatement = prepared(
  "find_messages",
  /* sql */ `
SELECT ${messageColumns}
FROM unnest($1::uuid[], $2::uuid[]) AS w(organization_id, id)
  JOIN (${messageTables}) ON m.organization_id = w.organization_id AND m.id = w.id`
)

const keyOf = (organization: OrganizationId, id: MessageId) => `${organization} ${id}`

/** The messages that a batch of callers asks for, in their order: one statement, each caller in its own organization. */
export const findMessages = (sql: SqlClient.SqlClient) => (batch: ReadonlyArray<Wanted>) =>
  orUnavailable(
    Effect.map(
      sql.unsafe<MessageRow>(findStatement, [batch.map(({ organization }) => organization), batch.map(({ id }) => id)]),
      (rows) => {
        const found = new Map(rows.map((row) => [keyOf(row.organization_id, row.id), row]))
        return batch.map(({ id, organization }) =>
          Effect.succeed(Option.map(Option.fromNullable(found.get(keyOf(organization, id))), messageFromRow))
        )
      }
    )
  )
