import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { StoredDomain } from "@switchboard/services/email/domains/DomainRepo"
import { Effect } from "effect"

const usesStatement = /* sql */ `
SELECT EXISTS (SELECT FROM catch_alls WHERE organization_id = $1 AND domain_id = $2 AND enabled) AS "catchAll",
  EXISTS (SELECT FROM forwarding_rules WHERE organization_id = $1 AND split_part(recipient, '@', 2) = $3) AS rule`

/** What must be done before a domain may go, whose row is locked. Its senders are watched by their reference to it. */
export const domainUses = (sql: SqlClient.SqlClient, organization: OrganizationId, { domain, id }: StoredDomain) =>
  Effect.map(
    sql.unsafe<{ readonly catchAll: boolean; readonly rule: boolean }>(usesStatement, [organization, id, domain]),
    ([uses]) => [
      ...(uses?.catchAll ? ["disable its catch-all"] : []),
      ...(uses?.rule ? ["remove the forwarding rules for it"] : [])
    ]
  )
