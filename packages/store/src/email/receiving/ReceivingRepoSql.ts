import { SqlClient } from "@effect/sql"
import { EmailDomainId, EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  type CatchAllCounts,
  type ChangedReceiving,
  type ReceivingDomain,
  ReceivingRepo
} from "@switchboard/services/email/receiving/addresses/ReceivingRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { forRequest, orUnavailable, retryConflicts } from "../../database/Unavailable.js"

const Instant = Schema.DateTimeUtcFromDate
const Texts = Schema.Array(Schema.String)

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: EmailDomainId,
    domain: Schema.String,
    status: EmailDomainStatus,
    createdAt: Instant,
    receiving: Schema.Boolean,
    addresses: Texts
  })
)

const decodeCatchAll = Schema.decodeUnknownSync(
  Schema.Struct({ enabled: Schema.Boolean, forwardTo: Texts, exclude: Texts, createdAt: Instant, updatedAt: Instant })
)

/** The columns of `email_domains AS d` for `receivingFromRow`. */
const receivingColumns = `d.id, d.domain, d.status, d.created_at AS "createdAt", d.receiving,
  ARRAY(SELECT r.address FROM receiving_addresses AS r
    WHERE r.organization_id = d.organization_id AND r.domain_id = d.id ORDER BY r.address) AS addresses`

/** The columns of `catch_alls`. */
const catchAllColumns = `enabled, forward_to AS "forwardTo", exclude, created_at AS "createdAt",
  updated_at AS "updatedAt"`

/** Decodes a domain with its catch-all, if there is one. */
const receivingFromRow = (row: object, catchAll: object | undefined): ReceivingDomain => ({
  ...decode(row),
  catchAll: Option.map(Option.fromNullable(catchAll), (found) => decodeCatchAll(found))
})

/**
 * A mail forwarded to several addresses counts once. Forwardings that are erased stay in `catch_all_counts.forwarded`.
 */
const countsStatement = /* sql */ `
SELECT COALESCE(sum(received), 0)::float8 AS received, COALESCE(sum(rejected), 0)::float8 AS rejected,
  COALESCE(sum(received) FILTER (WHERE hour > now() - interval '24 hours'), 0)::float8 AS "last24Hours",
  COALESCE(sum(received) FILTER (WHERE hour > now() - interval '30 days'), 0)::float8 AS "last30Days",
  COALESCE(sum(forwarded), 0)::float8 + (SELECT count(DISTINCT f.mail_id)::float8 FROM forwardings AS f
    WHERE f.organization_id = $1 AND f.domain_id = $2 AND f.status = 'forwarded') AS forwarded
FROM catch_all_counts WHERE organization_id = $1 AND domain_id = $2`

/** The same lock order in all transactions: no deadlock. */
const refusalsStatement = /* sql */ `
INSERT INTO catch_all_counts AS c (organization_id, domain_id, hour, rejected)
SELECT d.organization_id, d.id, date_trunc('hour', now(), 'UTC'), r.count
FROM json_to_recordset($1::json) AS r(organization_id uuid, domain_id uuid, count bigint)
  JOIN email_domains AS d ON d.organization_id = r.organization_id AND d.id = r.domain_id
ORDER BY d.organization_id, d.id
ON CONFLICT (organization_id, domain_id, hour) DO UPDATE SET rejected = c.rejected + excluded.rejected`

const zero: CatchAllCounts = { received: 0, forwarded: 0, rejected: 0, last24Hours: 0, last30Days: 0 }

/** Receiving domains, in the tables `email_domains`, `receiving_addresses`, `catch_alls` and `catch_all_counts`. */
export const ReceivingRepoSql = Layer.effect(
  ReceivingRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(receivingColumns)

    const find = Effect.fnUntraced(function* (organization: OrganizationId, domain: string) {
      const [row] = yield* sql<{ readonly id: string }>`SELECT ${columns} FROM email_domains AS d
        WHERE d.organization_id = ${organization} AND d.domain = ${domain}`
      if (row === undefined) return Option.none()
      const [catchAll] = yield* sql`SELECT ${sql.literal(catchAllColumns)} FROM catch_alls
        WHERE organization_id = ${organization} AND domain_id = ${row.id}`
      return Option.some(receivingFromRow(row, catchAll))
    })

    const writeAddresses = Effect.fnUntraced(function* (
      organization: OrganizationId,
      { addresses: before, id }: ReceivingDomain,
      addresses: ReadonlyArray<string>
    ) {
      const added = addresses.filter((address) => !before.includes(address))
      yield* sql`DELETE FROM receiving_addresses WHERE organization_id = ${organization} AND domain_id = ${id}
        AND address <> ALL (${[...addresses]})`
      yield* sql`INSERT INTO receiving_addresses (organization_id, domain_id, address, created_at)
        SELECT ${organization}::uuid, ${id}::uuid, address, now() FROM unnest(${added}::text[]) AS address`
    })

    const write = Effect.fnUntraced(function* (
      organization: OrganizationId,
      present: ReceivingDomain,
      changed: ChangedReceiving
    ) {
      if (changed.receiving !== present.receiving) {
        yield* sql`UPDATE email_domains SET receiving = ${changed.receiving}, updated_at = now()
          WHERE organization_id = ${organization} AND id = ${present.id}`
      }
      if (changed.addresses !== present.addresses) yield* writeAddresses(organization, present, changed.addresses)
      if (Option.isNone(changed.catchAll)) return
      const { createdAt, enabled, exclude, forwardTo, updatedAt } = changed.catchAll.value
      yield* sql`INSERT INTO catch_alls ${sql.insert({
        organization_id: organization,
        domain_id: present.id,
        enabled,
        forward_to: [...forwardTo],
        exclude: [...exclude],
        created_at: DateTime.toDateUtc(createdAt),
        updated_at: DateTime.toDateUtc(updatedAt)
      })} ON CONFLICT (organization_id, domain_id) DO UPDATE SET enabled = excluded.enabled,
        forward_to = excluded.forward_to, exclude = excluded.exclude, updated_at = excluded.updated_at`
    })

    return {
      find: (organization, domain) => forRequest(find(organization, domain)),
      change: (organization, domain, decide) =>
        Effect.gen(function* () {
          // A separate statement for the lock: the next statement's snapshot includes the committed addresses.
          yield* sql`SELECT FROM email_domains WHERE organization_id = ${organization} AND domain = ${domain} FOR UPDATE`
          const present = yield* find(organization, domain)
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* write(organization, present.value, changed)
          return Option.some({ ...present.value, ...changed })
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      counts: (organization, domain) =>
        sql.unsafe<CatchAllCounts>(countsStatement, [organization, domain]).pipe(
          Effect.map(([row]) => row ?? zero),
          forRequest
        ),
      addRefusals: (refusals) =>
        sql
          .unsafe(refusalsStatement, [
            JSON.stringify(
              refusals.map(({ count, domainId, organizationId }) => ({
                organization_id: organizationId,
                domain_id: domainId,
                count
              }))
            )
          ])
          .pipe(Effect.asVoid, retryConflicts, orUnavailable)
    }
  })
)
