import { SqlClient, type SqlError } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import { type DkimSelector, dkimSelectors } from "@switchboard/domain/email/domains/DomainRecords"
import { controlledStatuses, type EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { dkimOwner, dkimPurpose } from "@switchboard/services/email/domains/DkimKeys"
import { DomainRepo, type StoredDomain } from "@switchboard/services/email/domains/DomainRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { lookUpTogether } from "../../database/LookUpTogether.js"
import { prepared } from "../../database/Prepared.js"
import { textList } from "../../database/TextList.js"
import { forRequest, orUnavailable, retryConflicts, violates, violatesReference } from "../../database/Unavailable.js"
import { insertEvents } from "../../events/InsertEvents.js"
import { containsText } from "../../Filters.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { deleteSecrets, secretOf, storeSecret } from "../../installation/Secrets.js"
import { selectPage } from "../../Lists.js"
import { updateWaitingSenders } from "../senders/WriteSenders.js"
import { changedColumns, domainColumns, domainFromRow, signingKeyFromRow } from "./DomainRows.js"

const usesStatement = /* sql */ `
SELECT EXISTS (SELECT FROM catch_alls WHERE organization_id = $1 AND domain_id = $2 AND enabled) AS "catchAll",
  EXISTS (SELECT FROM forwarding_rules WHERE organization_id = $1 AND split_part(recipient, '@', 2) = $3) AS rule`

/** The steps before a domain can be removed. Its row must be locked. Senders are checked by their foreign key. */
const domainUses = (sql: SqlClient.SqlClient, organization: OrganizationId, { domain, id }: StoredDomain) =>
  Effect.map(
    sql.unsafe<{ readonly catchAll: boolean; readonly rule: boolean }>(usesStatement, [organization, id, domain]),
    ([uses]) => [
      ...(uses?.catchAll ? ["disable its catch-all"] : []),
      ...(uses?.rule ? ["remove the forwarding rules for it"] : [])
    ]
  )

/** A look-up of the signing key of a domain. */
interface KeyLookup {
  readonly organization: OrganizationId
  readonly domain: string
  readonly degradedSince: DateTime.Utc
}

/** A row for each look-up, in order. A LATERAL join: one look-up by index per domain with any query plan. */
const signingKeysStatement = prepared(
  "find_signing_keys",
  /* sql */ `
SELECT d.* FROM unnest($1::uuid[], $2::text[], $3::timestamptz[])
    WITH ORDINALITY AS w(organization_id, domain, degraded_since, place)
  LEFT JOIN LATERAL (
    SELECT d.id, d.active_selector AS selector, d.status = 'verified' AS "isVerified", d.receiving AS receives,
      d.track_opens AS "trackOpens", d.track_clicks AS "trackClicks",
      CASE WHEN d.is_tracking_verified THEN d.tracking_domain END AS "trackingDomain",
      ${secretOf("d.organization_id", "d.id || '/' || d.active_selector", dkimPurpose)} AS sealed
    FROM email_domains AS d WHERE d.organization_id = w.organization_id AND d.domain = w.domain
      AND (d.status = 'verified' OR d.status = 'degraded' AND d.failing_since > w.degraded_since)
  ) AS d ON true
ORDER BY w.place`
)

const conflict = (message: string) => new ConflictError({ message, resource: "domain" })

/** Domains in the table `email_domains`. */
export const DomainRepoSql = Layer.scoped(
  DomainRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(domainColumns)
    const first = ([row]: ReadonlyArray<object>) => Option.map(Option.fromNullable(row), domainFromRow)

    const verifiedElsewhere = (error: SqlError.SqlError, name: string) =>
      violates(error, "email_domains_verified_key")
        ? conflict(`The domain ${name} is verified by another organization`)
        : error

    const storeKey = ({ id, organizationId }: StoredDomain, selector: DkimSelector, sealed: Uint8Array) =>
      storeSecret(sql, organizationId, dkimPurpose, dkimOwner(id, selector), sealed)

    const locked = (organization: OrganizationId, id: EmailDomainId) =>
      Effect.map(
        sql`SELECT ${columns} FROM email_domains AS d
          WHERE d.organization_id = ${organization} AND d.id = ${id} FOR UPDATE`,
        first
      )

    const signingKey = yield* lookUpTogether((lookups: ReadonlyArray<KeyLookup>) =>
      Effect.map(
        sql.unsafe<{ readonly id: EmailDomainId | null }>(signingKeysStatement, [
          lookups.map(({ organization }) => organization),
          lookups.map(({ domain }) => domain),
          lookups.map(({ degradedSince }) => DateTime.formatIso(degradedSince))
        ]),
        (rows) => rows.map((row) => (row.id === null ? Option.none() : Option.some(signingKeyFromRow(row))))
      )
    )

    return {
      insert: (stored, sealedKeys, events) =>
        sql`INSERT INTO email_domains ${sql.insert({
          organization_id: stored.organizationId,
          id: stored.id,
          domain: stored.domain,
          verification_token: stored.verificationToken,
          created_at: DateTime.toDateUtc(stored.createdAt),
          ...changedColumns(stored)
        })}`.pipe(
          Effect.mapError((error) =>
            violates(error, "email_domains_domain_key")
              ? conflict(`The organization has the domain ${stored.domain} already`)
              : verifiedElsewhere(error, stored.domain)
          ),
          Effect.zipRight(
            Effect.forEach(dkimSelectors, (selector) => storeKey(stored, selector, sealedKeys[selector]))
          ),
          Effect.zipRight(insertEvents(sql, events)),
          sql.withTransaction,
          withCreationKey(sql, () => stored.id),
          Effect.asVoid,
          forRequest
        ),
      find: (organization, id) =>
        forRequest(
          Effect.map(
            sql`SELECT ${columns} FROM email_domains AS d WHERE d.organization_id = ${organization} AND d.id = ${id}`,
            first
          )
        ),
      findByName: (organization, domain) =>
        forRequest(
          Effect.map(
            sql`SELECT ${columns} FROM email_domains AS d
              WHERE d.organization_id = ${organization} AND d.domain = ${domain}`,
            first
          )
        ),
      list: (organization, { search, status }, request) =>
        Effect.gen(function* () {
          const where = [
            sql`d.organization_id = ${organization}`,
            ...(status === undefined ? [] : [sql`d.status = ${status}`]),
            ...(search === undefined ? [] : [containsText(sql, search, ["d.domain"])])
          ]
          return yield* selectPage(sql, request, {
            columns: domainColumns,
            tables: "email_domains AS d",
            where,
            id: "d.id",
            read: domainFromRow
          })
        }).pipe(forRequest),
      isVerifiedElsewhere: (organization, domain) =>
        forRequest(
          Effect.map(
            sql`SELECT 1 FROM email_domains
              WHERE domain = ${domain} AND status IN ${sql.literal(textList(controlledStatuses))} AND organization_id <> ${organization}`,
            (rows) => rows.length > 0
          )
        ),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = yield* locked(organization, id)
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* sql`UPDATE email_domains SET ${sql.update(changedColumns(changed.domain))}
            WHERE organization_id = ${organization} AND id = ${id}`.pipe(
            Effect.mapError((error) => verifiedElsewhere(error, changed.domain.domain))
          )
          if (changed.newKey !== null) yield* storeKey(changed.domain, changed.newKey.selector, changed.newKey.sealed)
          if (changed.clearsFigures === true) {
            yield* sql`DELETE FROM rollup_domains
              WHERE organization_id = ${organization} AND domain = ${changed.domain.domain}`
          }
          if (changed.events.length > 0) yield* insertEvents(sql, changed.events)
          if (changed.verifySenders !== undefined) {
            yield* updateWaitingSenders(sql, changed.domain, changed.verifySenders)
          }
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      remove: (organization, id, makeEvents) =>
        Effect.gen(function* () {
          const present = yield* locked(organization, id)
          if (Option.isNone(present)) return false
          const uses = yield* domainUses(sql, organization, present.value)
          if (uses.length > 0) return yield* conflict(`The domain is in use: ${uses.join(" and ")} first`)
          yield* Effect.mapError(
            sql`DELETE FROM email_domains WHERE organization_id = ${organization} AND id = ${id}`,
            (error) =>
              violatesReference(error, "email_senders_domain_fkey")
                ? conflict("The domain is in use: remove its senders first")
                : error
          )
          yield* deleteSecrets(sql, organization, ...dkimSelectors.map((selector) => dkimOwner(id, selector)))
          yield* insertEvents(sql, yield* makeEvents(present.value))
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      takeDue: (now, putOffUntil, limit) =>
        sql`UPDATE email_domains AS d SET next_check_at = ${DateTime.toDateUtc(putOffUntil)}
          FROM (
            SELECT organization_id, id FROM email_domains WHERE next_check_at <= ${DateTime.toDateUtc(now)}
            ORDER BY next_check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
          ) AS due
          WHERE d.organization_id = due.organization_id AND d.id = due.id
          RETURNING ${columns}`.pipe(
          Effect.map((rows) => rows.map(domainFromRow)),
          orUnavailable
        ),
      signingKey: (organization, domain, degradedSince) => signingKey({ organization, domain, degradedSince }),
      sends: (organization, domain, degradedSince) =>
        Effect.map(
          signingKey({ organization, domain, degradedSince }),
          Option.map(({ trackClicks, trackOpens }) => ({ trackClicks, trackOpens }))
        ),
      listAll: orUnavailable(
        Effect.map(sql`SELECT ${columns} FROM email_domains AS d ORDER BY d.domain, d.id`, (rows) =>
          rows.map(domainFromRow)
        )
      )
    }
  })
)
