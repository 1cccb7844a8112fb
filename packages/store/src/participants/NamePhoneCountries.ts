import type { SqlClient } from "@effect/sql"
import { countryOfPhone } from "@switchboard/services/participants/ParticipantRepo"
import { Effect } from "effect"

/** Phone numbers that one statement updates. */
export const phoneBatch = 500

interface Phone {
  readonly organization_id: string
  readonly kind: string
  readonly address: string
}

/** Stores the countries of phone numbers that have none yet; empty if unknown. Returns the number of read rows. */
export const namePhoneCountries = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const phones = yield* sql<Phone>`SELECT organization_id, kind, address FROM participant_addresses
    WHERE kind IN ('phone', 'whatsapp') AND country IS NULL LIMIT ${phoneBatch}`
  const named = phones.map((phone) => ({ ...phone, country: countryOfPhone(phone.address) ?? "" }))
  if (named.length > 0) {
    yield* sql`UPDATE participant_addresses AS a SET country = g.country
      FROM json_to_recordset(${JSON.stringify(named)}::json)
        AS g(organization_id uuid, kind text, address text, country text)
      WHERE a.organization_id = g.organization_id AND a.kind = g.kind AND a.address = g.address`
  }
  return named.length
})
