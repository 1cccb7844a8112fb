import { SqlClient } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import type { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ManagedSenderRepo } from "@switchboard/services/email/senders/ManagedSenderRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { forRequest, retryConflicts, violates, violatesReference } from "../../database/Unavailable.js"
import { insertEvents } from "../../events/InsertEvents.js"
import { containsText } from "../../Filters.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { selectPage } from "../../Lists.js"
import { senderOutcomes } from "./SenderOutcomes.js"
import { domainFailed, newSenderColumns, senderColumns, senderFromRow } from "./SenderRows.js"
import { clearDefault, updateSender } from "./WriteSenders.js"

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
        clearDefault(sql, sender).pipe(
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
          withCreationKey(sql, () => sender.id),
          retryConflicts,
          Effect.asVoid,
          forRequest
        ),
      find: (organization, id) =>
        forRequest(
          Effect.map(
            sql`SELECT ${columns} FROM email_senders AS s WHERE s.organization_id = ${organization} AND s.id = ${id}`,
            first
          )
        ),
      findByEmail: (organization, email) =>
        forRequest(
          Effect.map(
            sql`SELECT ${columns} FROM email_senders AS s
              WHERE s.organization_id = ${organization} AND lower(s.email) = lower(${email})`,
            first
          )
        ),
      list: (organization, { domainId, isActive, search, verificationStatus }, at, request) =>
        Effect.gen(function* () {
          const status = sql`CASE WHEN s.verification_status = 'pending'
            AND s.confirmation_expires_at <= ${DateTime.toDateUtc(at)} THEN 'failed'
            WHEN s.verification_status = 'verified' AND ${sql.literal(domainFailed)} THEN 'failed'
            ELSE s.verification_status END`
          const where = [
            sql`s.organization_id = ${organization}`,
            ...(verificationStatus === undefined ? [] : [sql`${status} = ${verificationStatus}`]),
            ...(domainId === undefined ? [] : [sql`s.domain_id = ${domainId}`]),
            ...(isActive === undefined ? [] : [sql`s.is_active = ${isActive}`]),
            ...(search === undefined ? [] : [containsText(sql, search, ["s.email", "s.name"])])
          ]
          return yield* selectPage(sql, request, {
            columns: senderColumns,
            tables: "email_senders AS s",
            where,
            id: "s.id",
            read: senderFromRow
          })
        }).pipe(forRequest),
      outcomes: (organization, addresses, since) => forRequest(senderOutcomes(sql, organization, addresses, since)),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = yield* locked(organization, id)
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* updateSender(sql, changed)
          return Option.some(changed)
        }).pipe(
          sql.withTransaction,
          withCreationKey(sql, (changed) => (Option.isSome(changed) ? id : null)),
          retryConflicts,
          forRequest
        ),
      remove: (organization, id, makeEvents) =>
        Effect.gen(function* () {
          const present = yield* locked(organization, id)
          if (Option.isNone(present)) return false
          yield* sql`DELETE FROM email_senders WHERE organization_id = ${organization} AND id = ${id}`
          yield* insertEvents(sql, yield* makeEvents(present.value))
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
