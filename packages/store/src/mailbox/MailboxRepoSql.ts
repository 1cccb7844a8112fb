import { SqlClient } from "@effect/sql"
import { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MailboxRepo, type RawMail } from "@switchboard/services/mailbox/MailboxRepo"
import { Effect, Layer, Option, Schema } from "effect"
import { byteaArray } from "../database/ByteaArray.js"
import { groupCommit } from "../database/GroupCommit.js"
import { forRequest, orUnavailable } from "../database/Unavailable.js"
import { selectPage } from "../Lists.js"

/** Mails in the local mailbox; older ones are deleted. */
const maxMails = 10_000

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: MailboxMailId,
    organizationId: Schema.NullOr(OrganizationId),
    messageId: Schema.String,
    mailFrom: Schema.String,
    rcptTo: Schema.Array(Schema.String),
    raw: Schema.Uint8ArrayFromSelf,
    receivedAt: Schema.DateTimeUtcFromDate
  })
)

const columns = `id, organization_id AS "organizationId", message_id AS "messageId", mail_from AS "mailFrom",
  rcpt_to AS "rcptTo", raw, received_at AS "receivedAt"`

const insertMails = /* sql */ `
INSERT INTO mailbox_mails (id, organization_id, message_id, mail_from, rcpt_to, raw, received_at)
SELECT id, organization_id, message_id, mail_from, rcpt_to, raw, received_at
FROM ROWS FROM (
  json_to_recordset($1::json) AS (id uuid, organization_id uuid, message_id text, mail_from text, rcpt_to text[], received_at timestamptz),
  unnest($2::bytea[])
) AS m(id, organization_id, message_id, mail_from, rcpt_to, received_at, raw)`

/** Mails of the local mailbox in the table `mailbox_mails`. */
export const MailboxRepoSql = Layer.scoped(
  MailboxRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let sinceCleaned = 0

    const write = (mails: ReadonlyArray<RawMail>) =>
      orUnavailable(
        Effect.gen(function* () {
          const rows = mails.map(({ id, mailFrom, messageId, organizationId, rcptTo, receivedAt }) => ({
            id,
            organization_id: organizationId,
            message_id: messageId,
            mail_from: mailFrom,
            rcpt_to: rcptTo,
            received_at: receivedAt
          }))
          yield* sql.unsafe(insertMails, [JSON.stringify(rows), byteaArray(mails.map(({ raw }) => raw))])
          sinceCleaned += mails.length
          if (sinceCleaned >= maxMails / 10) {
            sinceCleaned = 0
            yield* sql`DELETE FROM mailbox_mails WHERE id < (
              SELECT id FROM mailbox_mails ORDER BY id DESC OFFSET ${maxMails} LIMIT 1)`
          }
          return mails.map(() => Effect.void)
        })
      )

    const insert = yield* groupCommit(write, { maxBatch: 100, octetsOf: ({ raw }) => raw.byteLength })
    const mail = (row: object) => decode(row)

    return {
      insert,
      list: (organization, messageId, request) =>
        forRequest(
          Effect.gen(function* () {
            return yield* selectPage(sql, request, {
              columns,
              tables: "mailbox_mails",
              where: [
                sql`organization_id = ${organization}`,
                ...(messageId === undefined ? [] : [sql`starts_with(message_id, ${`<${messageId}@`})`])
              ],
              id: "id",
              read: mail
            })
          })
        ),
      find: (organization, id) =>
        forRequest(
          Effect.map(
            sql`SELECT ${sql.literal(columns)} FROM mailbox_mails WHERE organization_id = ${organization} AND id = ${id}`,
            ([row]) => Option.map(Option.fromNullable(row), mail)
          )
        )
    }
  })
)
