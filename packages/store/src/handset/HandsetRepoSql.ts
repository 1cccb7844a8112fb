import { SqlClient } from "@effect/sql"
import { HandsetChannel, HandsetText, HandsetTextId } from "@switchboard/domain/handset/HandsetText"
import { MessageId } from "@switchboard/domain/messages/Message"
import { SmsEncoding } from "@switchboard/domain/sms/SmsContent"
import { HandsetRepo, type ReceivedHandsetText } from "@switchboard/services/handset/HandsetRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { groupCommit } from "../database/GroupCommit.js"
import { forRequest, orUnavailable } from "../database/Unavailable.js"
import { selectPage } from "../Lists.js"

/** Texts of the local handset; older ones are deleted. */
const maxTexts = 10_000

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: HandsetTextId,
    channel: HandsetChannel,
    from: Schema.String,
    to: Schema.String,
    text: Schema.String,
    encoding: Schema.NullOr(SmsEncoding),
    segments: Schema.NullOr(Schema.Int),
    request: Schema.NullOr(Schema.Unknown),
    receivedAt: Schema.DateTimeUtcFromDate,
    messageId: Schema.NullOr(MessageId)
  })
)

const readText = (row: object) => new HandsetText(decode(row), { disableValidation: true })

/** The message of a text by the provider's id (`handsetProviderId`), for a text message of its first segment. */
const columns = `t.id, t.channel, t.sender AS "from", t.phone AS "to", t.text, t.encoding, t.segments, t.request,
  t.received_at AS "receivedAt",
  (SELECT p.message_id FROM provider_messages p
   WHERE p.channel = t.channel AND p.organization_id = t.organization_id
     AND p.provider_message_id = CASE t.channel WHEN 'sms' THEN t.id::text ELSE 'wamid.' || t.id END
  ) AS "messageId"`

const insertTexts = /* sql */ `
INSERT INTO handset_texts
  (id, channel, organization_id, sender, phone, text, encoding, segments, request, received_at)
SELECT t.id, t.channel, n.organization_id, t.sender, t.phone, t.text, t.encoding, t.segments, t.request, t.received_at
FROM json_to_recordset($1::json) AS t(id uuid, channel text, sender text, phone text, text text, encoding text,
  segments integer, request json, received_at timestamptz)
LEFT JOIN numbers n ON n.number = t.sender
ON CONFLICT (id) DO NOTHING`

/** Texts of the local handset in the table `handset_texts`. */
export const HandsetRepoSql = Layer.scoped(
  HandsetRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let sinceCleaned = 0

    const write = (texts: ReadonlyArray<ReceivedHandsetText>) =>
      orUnavailable(
        Effect.gen(function* () {
          const rows = texts.map(({ from, receivedAt, to, ...text }) => ({
            ...text,
            sender: from,
            phone: to,
            received_at: DateTime.formatIso(receivedAt)
          }))
          yield* sql.unsafe(insertTexts, [JSON.stringify(rows)])
          sinceCleaned += texts.length
          if (sinceCleaned >= maxTexts / 10) {
            sinceCleaned = 0
            yield* sql`DELETE FROM handset_texts WHERE id < (
              SELECT id FROM handset_texts ORDER BY id DESC OFFSET ${maxTexts} LIMIT 1)`
          }
          return texts.map(() => Effect.void)
        })
      )

    const insert = yield* groupCommit(write, { maxBatch: 100 })

    return {
      insert,
      list: (organization, request) =>
        forRequest(
          selectPage(sql, request, {
            columns,
            tables: "handset_texts t",
            where: [sql`t.organization_id = ${organization}`],
            id: "t.id",
            read: readText
          })
        ),
      find: (organization, id) =>
        forRequest(
          Effect.map(
            sql`SELECT ${sql.literal(columns)} FROM handset_texts t
              WHERE t.organization_id = ${organization} AND t.id = ${id}`,
            ([row]) => Option.map(Option.fromNullable(row), readText)
          )
        )
    }
  })
)
