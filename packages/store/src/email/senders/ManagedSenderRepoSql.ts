import { SqlClient } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import type { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { page } from "@switchboard/domain/Page"
import { ManagedSenderRepo } from "@switchboard/services/email/senders/ManagedSenderRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { DateTime, Effect, Layer, Option } from "effect"
import { forCaller, retryConflicts, violates, violatesReference } from "../../database/Unavailable.js"
import { insertEvents } from "../../events/InsertEvents.js"
import { found } from "../../Search.js"
import { senderOutcomes } from "./SenderOutcomes.js"
import { domainFailed, newSenderColumns, senderColumns, senderFromRow } from "./SenderRows.js"
import { updateSender, yieldDefault } from "./WriteSenders.js"

/** Senders in the table `email_senders`. */
export const ManagedSenderRepoSql = Layer.effect(
  ManagedSenderRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(senderColumns)
    const first = ([row]: ReadonlyArray<object>) => Option.map(Option.fromNullable(row), senderFromRow)

    const locked = (organization: OrganizationId, id: EmailSenderId) =>
      Effect.map(
        sql`SELECT ${columns} FROM email_senders AS s
          WHERE s.organization_id = ${organization} AND s.id = ${id} FOR UPDATE`,
        first
      )

    return {
      insert: ({ events, sender }) =>
        yieldDefault(sql, sender).pipe(
          Effect.zipRight(sql`INSERT INTO email_senders ${sql.insert(newSenderColumns(sender))}`),
          Effect.mapError((error) => {
            if (violates(error, "email_senders_email_key")) {
              return new ConflictError({
                message: `${sender.email} is a sender of the organization already`,
                resource: "sender"
              })
            }
            return violatesReference(error, "email_senders_domain_fkey")
              ? new ConflictError({ message: "The domain of the address was removed", resource: "domain" })
              : error
          }),
          Effect.zipRight(insertEvents(sql, events)),
          sql.withTransaction,
          retryConflicts,
          Effect.asVoid,
          forCaller
        ),
      find: (organization, id) =>
        forCaller(
          Effect.map(
            sql`SELECT ${columns} FROM email_senders AS s WHERE s.organization_id = ${organization} AND s.id = ${id}`,
            first
          )
        ),
      findByEmail: (organization, email) =>
        forCaller(
          Effect.map(
            sql`SELECT ${columns} FROM email_senders AS s
              WHERE s.organization_id = ${organization} AND lower(s.email) = lower(${email})`,
            first
          )
        ),
      list: (organization, { domainId, isActive, search, verificationStatus }, at, request) =>
        Effect.gen(function* () {
          const standing = sql`CASE WHEN s.verification_status = 'pending'
            AND s.confirmation_expires_at <= ${DateTime.toDateUtc(at)} THEN 'failed'
            WHEN s.verification_status = 'verified' AND ${sql.literal(domainFailed)} THEN 'failed'
            ELSE s.verification_status END`
          const where = sql.and([
            sql`s.organization_id = ${organization}`,
            ...(verificationStatus === undefined ? [] : [sql`${standing} = ${verificationStatus}`]),
            ...(domainId === undefined ? [] : [sql`s.domain_id = ${domainId}`]),
            ...(isActive === undefined ? [] : [sql`s.is_active = ${isActive}`]),
            ...(search === undefined ? [] : [found(sql, search, ["s.email", "s.name"])])
          ])
          const rows = yield* sql`SELECT ${columns} FROM email_senders AS s WHERE ${where}
            ORDER BY s.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM email_senders AS s WHERE ${where}`
          return page(yield* readableRows(rows, senderFromRow), count?.total ?? 0, request)
        }).pipe(forCaller),
      outcomes: (organization, addresses, since) => forCaller(senderOutcomes(sql, organization, addresses, since)),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = yield* locked(organization, id)
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* updateSender(sql, changed)
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forCaller),
      remove: (organization, id, tell) =>
        Effect.gen(function* () {
          const present = yield* locked(organization, id)
          if (Option.isNone(present)) return false
          yield* sql`DELETE FROM email_senders WHERE organization_id = ${organization} AND id = ${id}`
          yield* insertEvents(sql, yield* tell(present.value))
          return true
        }).pipe(sql.withTransaction, retryConflicts, forCaller)
    }
  })
)
