import { SqlClient } from "@effect/sql"
import { InstallationRepo, type StoredSecret } from "@switchboard/services/installation/InstallationRepo"
import { Effect, Layer, Option } from "effect"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"

/** The installation's row in the table `installation`, and the table `secrets`. */
export const InstallationRepoSql = Layer.effect(
  InstallationRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const stored = Effect.map(sql<{ mark: string }>`SELECT key_mark AS mark FROM installation`, ([row]) =>
      Option.map(Option.fromNullable(row), ({ mark }) => mark)
    )
    return {
      keyFingerprint: orUnavailable(stored),
      storeKeyFingerprint: (mark) =>
        sql`INSERT INTO installation (key_mark) VALUES (${mark}) ON CONFLICT DO NOTHING`.pipe(
          Effect.zipRight(stored),
          Effect.map(Option.getOrElse(() => mark)),
          orUnavailable
        ),
      replaceKeyFingerprint: (mark) => orUnavailable(Effect.asVoid(sql`UPDATE installation SET key_mark = ${mark}`)),
      secretsUnderOtherKeys: (keyId, { organizationId, owner, purpose, version }, limit) =>
        orUnavailable(
          sql<StoredSecret>`SELECT organization_id AS "organizationId", owner, purpose, version, value AS sealed
            FROM secrets WHERE substring(value FROM 2 FOR ${keyId.byteLength}::int) <> ${Buffer.from(keyId)}
              AND (organization_id, owner, purpose, version) > (${organizationId}::uuid, ${owner}, ${purpose}, ${version})
            ORDER BY organization_id, owner, purpose, version LIMIT ${limit}`
        ),
      replaceSecrets: (secrets) =>
        Effect.forEach(
          secrets,
          ({ organizationId, owner, purpose, resealed, sealed, version }) => sql`UPDATE secrets
            SET value = ${Buffer.from(resealed)} WHERE organization_id = ${organizationId} AND owner = ${owner}
              AND purpose = ${purpose} AND version = ${version} AND value = ${Buffer.from(sealed)} RETURNING 1`
        ).pipe(
          sql.withTransaction,
          Effect.map((replaced) => replaced.flat().length),
          retryConflicts,
          orUnavailable
        )
    }
  })
)
