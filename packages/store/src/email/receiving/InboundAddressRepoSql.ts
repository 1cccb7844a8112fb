import { SqlClient } from "@effect/sql"
import { controlledStatuses } from "@switchboard/domain/email/domains/EmailDomain"
import { withoutDetail } from "@switchboard/domain/email/EmailAddress"
import {
  type DomainOfAddress,
  InboundAddressRepo
} from "@switchboard/services/email/receiving/addresses/InboundAddressRepo"
import { Effect, Layer, Option } from "effect"
import { prepared } from "../../database/Prepared.js"
import { textList } from "../../database/TextList.js"
import { forRequest } from "../../database/Unavailable.js"

/** A domain is verified by at most one organization, which owns the address. */
const findStatement = prepared(
  "inbound_address",
  /* sql */ `
SELECT d.organization_id AS "organizationId", d.id AS "domainId", d.receiving,
  EXISTS (SELECT FROM receiving_addresses AS r
    WHERE r.organization_id = d.organization_id AND r.domain_id = d.id AND r.address = ANY ($2)) AS "isAddress",
  EXISTS (SELECT FROM catch_alls AS c
    WHERE c.organization_id = d.organization_id AND c.domain_id = d.id AND c.enabled AND NOT c.exclude && $2) AS catches,
  EXISTS (SELECT FROM catch_alls AS c
    WHERE c.organization_id = d.organization_id AND c.domain_id = d.id AND c.enabled AND c.exclude && $2) AS excluded
FROM email_domains AS d WHERE d.domain = $1 AND d.status IN ${textList(controlledStatuses)}`
)

const firstReceivingStatement = prepared(
  "inbound_first_domain",
  /* sql */ `SELECT domain FROM email_domains WHERE receiving AND status IN ${textList(controlledStatuses)} ORDER BY id LIMIT 1`
)

const hasMessageStatement = prepared(
  "inbound_signed_address",
  /* sql */ `SELECT 1 FROM messages WHERE organization_id = $1 AND id = $2`
)

const hasForwardingStatement = prepared(
  "inbound_forward_path",
  /* sql */ `SELECT 1 FROM forwardings WHERE organization_id = $1 AND id = $2`
)

/** Recipients of inbound mail, in the tables `email_domains`, `receiving_addresses` and `catch_alls`. */
export const InboundAddressRepoSql = Layer.effect(
  InboundAddressRepo,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    find: (domain, address) =>
      forRequest(
        Effect.map(
          sql.unsafe<DomainOfAddress>(findStatement, [domain, [...new Set([address, withoutDetail(address)])]]),
          ([row]) => Option.fromNullable(row)
        )
      ),
    firstReceivingDomain: forRequest(
      Effect.map(sql.unsafe<{ readonly domain: string }>(firstReceivingStatement), ([row]) =>
        Option.fromNullable(row?.domain)
      )
    ),
    hasForwarding: (organization, forwarding) =>
      forRequest(Effect.map(sql.unsafe(hasForwardingStatement, [organization, forwarding]), (rows) => rows.length > 0)),
    hasMessage: (organization, message) =>
      forRequest(Effect.map(sql.unsafe(hasMessageStatement, [organization, message]), (rows) => rows.length > 0))
  }))
)
