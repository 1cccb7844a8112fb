import { SqlClient } from "@effect/sql"
import { type MtaStsPolicy, MtaStsPolicyRepo } from "@switchboard/services/messages/delivery/MtaStsPolicyRepo"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { deleteOlder } from "../database/Batches.js"
import { orUnavailable } from "../database/Unavailable.js"

interface PolicyRow extends Pick<MtaStsPolicy, "id" | "mode" | "mx"> {
  readonly fetchedAt: Date
  readonly expiresAt: Date
}

/** MTA-STS policies of recipient domains in the table `mta_sts_policies`. */
export const MtaStsPolicyRepoSql = Layer.effect(
  MtaStsPolicyRepo,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    find: (domain) =>
      orUnavailable(
        Effect.map(
          sql<PolicyRow>`SELECT policy_id AS id, mode, mx, fetched_at AS "fetchedAt", expires_at AS "expiresAt"
            FROM mta_sts_policies WHERE domain = ${domain}`,
          ([row]) =>
            Option.map(Option.fromNullable(row), ({ expiresAt, fetchedAt, ...policy }) => ({
              ...policy,
              domain,
              fetchedAt: DateTime.unsafeFromDate(fetchedAt),
              expiresAt: DateTime.unsafeFromDate(expiresAt)
            }))
        )
      ),
    save: ({ domain, expiresAt, fetchedAt, id, mode, mx }) =>
      orUnavailable(
        Effect.asVoid(sql`INSERT INTO mta_sts_policies (domain, policy_id, mode, mx, fetched_at, expires_at)
          VALUES (${domain}, ${id}, ${mode}, ${mx}, ${DateTime.toDateUtc(fetchedAt)}, ${DateTime.toDateUtc(expiresAt)})
          ON CONFLICT (domain) DO UPDATE SET policy_id = excluded.policy_id, mode = excluded.mode, mx = excluded.mx,
            fetched_at = excluded.fetched_at, expires_at = excluded.expires_at
          WHERE mta_sts_policies.fetched_at <= excluded.fetched_at`)
      ),
    deleteExpired: deleteOlder(sql, "mta_sts_policies", "domain", "expires_at")(Duration.zero)
  }))
)
