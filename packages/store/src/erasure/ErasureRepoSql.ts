import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import { type Counted, type Erasure, ErasureRepo, type NamingMessage } from "@switchboard/services/erasure/ErasureRepo"
import { Effect, Layer, Option } from "effect"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { mailIsDone } from "../retention/EraseBodies.js"
import { eraseMentions, mentionsLeft } from "./EraseMentions.js"
import { loseRecipient } from "./LoseRecipient.js"
import { mentionOf } from "./Mentions.js"
import { namedOnTheWay, stopForwarding, withdrawMails } from "./WithdrawMails.js"

/** Whom it is to, in lower case. For `messages AS m`. */
const recipients = `(SELECT lower(one) AS one FROM unnest(ARRAY['to', 'cc', 'bcc']) AS role
  CROSS JOIN LATERAL json_array_elements_text(m.addressing -> role) AS one)`

const counted =
  (what: string) =>
  (rows: ReadonlyArray<unknown>): ReadonlyArray<Counted> =>
    rows.length === 0 ? [] : [{ what, count: rows.length }]

/**
 * Every place of the database where an address may be. Over a connection of its own, without the pool's limits: to look
 * through everything takes as long as it takes.
 */
export const ErasureRepoSql = Layer.scoped(
  ErasureRepo,
  Effect.gen(function* () {
    const { config } = yield* PgClient.PgClient
    const context = yield* Layer.build(PgClient.layer({ ...config, maxConnections: 1 })).pipe(orUnavailable)
    const sql = yield* Effect.provide(SqlClient.SqlClient, context)

    const only = ({ organization }: Erasure, column = "organization_id") =>
      Option.match(organization, {
        onNone: () => sql`true`,
        onSome: (id) => sql`${sql.literal(column)} = ${id}`
      })

    const work = <A, E>(statements: Effect.Effect<A, E>) =>
      statements.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    return {
      ownUses: (erasure) => {
        const key = addressKey(erasure.address)
        return work(
          Effect.map(
            Effect.all([
              sql`SELECT FROM email_senders WHERE lower(email) = ${key} AND ${only(erasure)}`.pipe(
                Effect.map(counted("sender"))
              ),
              sql`SELECT FROM receiving_addresses WHERE address = ${key} AND ${only(erasure)}`.pipe(
                Effect.map(counted("receiving address"))
              )
            ]),
            (found) => found.flat()
          )
        )
      },
      messages: (erasure) => {
        const key = addressKey(erasure.address)
        return work(sql<NamingMessage>`SELECT m.organization_id AS "organizationId", m.id,
            CASE m.direction WHEN 'inbound' THEN m.content ->> 'from' ~* ${mentionOf(erasure.address)}
              ELSE NOT EXISTS (SELECT FROM ${sql.literal(recipients)} AS r WHERE one <> ${key}) END AS "isTheirs"
          FROM messages AS m WHERE ${only(erasure, "m.organization_id")} AND (
            ${key} IN (SELECT one FROM ${sql.literal(recipients)} AS r)
            OR m.direction = 'inbound' AND m.content ->> 'from' ~* ${mentionOf(erasure.address)})`)
      },
      loseRecipient: (message, address) => work(loseRecipient(sql, message, address)),
      eraseParticipants: (erasure) =>
        work(
          Effect.map(
            sql`WITH who AS (
                DELETE FROM participant_addresses WHERE kind = 'email' AND address = ${addressKey(erasure.address)}
                  AND ${only(erasure)} RETURNING organization_id, participant_id
              )
              UPDATE participants AS p SET name = 'Erased', display_name = NULL, country = NULL, region = NULL,
                metadata = NULL, updated_at = now()
              FROM who WHERE p.organization_id = who.organization_id AND p.id = who.participant_id RETURNING p.id`,
            (rows) => rows.length
          )
        ),
      eraseFromDrafts: (erasure) =>
        work(
          Effect.map(
            sql`UPDATE drafts SET recipients = (
                SELECT COALESCE(json_agg(one ORDER BY place), '[]') FROM json_array_elements(recipients) WITH ORDINALITY AS r(one, place)
                WHERE lower(COALESCE(one ->> 'email', '')) <> ${addressKey(erasure.address)}
              )
              WHERE ${only(erasure)} AND EXISTS (SELECT FROM json_array_elements(recipients) AS one
                WHERE lower(one ->> 'email') = ${addressKey(erasure.address)}) RETURNING 1`,
            (rows) => rows.length
          )
        ),
      withdrawMails: (erasure) => work(withdrawMails(sql, erasure, only(erasure, "m.organization_id"))),
      stopForwarding: (erasure) => work(stopForwarding(sql, erasure, only(erasure, "q.organization_id"))),
      onTheWay: (erasure, within) => work(namedOnTheWay(sql, erasure, only(erasure, "m.organization_id"), within)),
      eraseMails: (erasure) => {
        const mention = mentionOf(erasure.address)
        return work(
          Effect.map(
            Effect.all([
              sql`UPDATE inbound_mails AS m SET raw = NULL
                WHERE raw IS NOT NULL AND ${sql.literal(mailIsDone("m"))} AND ${only(erasure)} AND (mail_from ~* ${mention} OR recipients::text ~* ${mention} OR encode(raw, 'escape') ~* ${mention})
                RETURNING 1`,
              sql`DELETE FROM mailbox_mails WHERE ${only(erasure)}
                AND (mail_from ~* ${mention} OR rcpt_to::text ~* ${mention} OR encode(raw, 'escape') ~* ${mention})
                RETURNING 1`
            ]),
            ([came, kept]) => came.length + kept.length
          )
        )
      },
      eraseMentions: (erasure) => work(eraseMentions(sql, erasure)),
      left: (erasure) => work(mentionsLeft(sql, erasure))
    }
  })
)
