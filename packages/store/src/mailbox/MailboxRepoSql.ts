import { SqlClient } from "@effect/sql"
import { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { page } from "@switchboard/domain/Page"
import { MailboxRepo, type RawMail } from "@switchboard/services/mailbox/MailboxRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Layer, Option, Schema } from "effect"
import { groupCommit } from "../database/GroupCommit.js"
import { forCaller, orUnavailable } from "../database/Unavailable.js"

/** The mailbox is for looking, not for keeping. */
const kept = 10_000

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

/** The local mailbox's mails in the table `mailbox_mails`. */
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
          yield* sql.unsafe(insertMails, [JSON.stringify(rows), mails.map(({ raw }) => Buffer.from(raw))])
          sinceCleaned += mails.length
          if (sinceCleaned >= kept / 10) {
            sinceCleaned = 0
            yield* sql`DELETE FROM mailbox_mails WHERE id < (
              SELECT id FROM mailbox_mails ORDER BY id DESC OFFSET ${kept} LIMIT 1)`
          }
          return mails.map(() => Effect.void)
        })
      )

    const insert = yield* groupCommit(write, 100, ({ raw }) => raw.byteLength)
    const mail = (row: object) => decode(row)

    return {
      insert,
      list: (organization, request) =>
        forCaller(
          Effect.gen(function* () {
            const rows =
              yield* sql`SELECT ${sql.literal(columns)} FROM mailbox_mails WHERE organization_id = ${organization}
              ORDER BY id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
            const [count] = yield* sql<{ total: number }>`SELECT count(*)::int AS total FROM mailbox_mails
              WHERE organization_id = ${organization}`
            return page(yield* readableRows(rows, mail), count?.total ?? 0, request)
          })
        ),
      find: (organization, id) =>
        forCaller(
          Effect.map(
            sql`SELECT ${sql.literal(columns)} FROM mailbox_mails WHERE organization_id = ${organization} AND id = ${id}`,
            ([row]) => Option.map(Option.fromNullable(row), mail)
          )
        )
    }
  })
)
