import { SqlClient } from "@effect/sql"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { orUnavailable } from "../database/Unavailable.js"

/** The installation's row in the table `installation`. */
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
      restoration: orUnavailable(
        Effect.map(
          sql<{ is_held: boolean; ended_before: Date | null }>`SELECT held_at IS NOT NULL AS is_held, ended_before
            FROM installation`,
          ([row]) => ({
            isHeld: row?.is_held ?? false,
            endedBefore: Option.map(Option.fromNullable(row?.ended_before), DateTime.unsafeFromDate)
          })
        )
      ),
      hold: orUnavailable(Effect.asVoid(sql`UPDATE installation SET held_at = now()`)),
      release: (endedBefore) =>
        sql`UPDATE installation SET held_at = NULL,
          ended_before = ${Option.getOrNull(Option.map(endedBefore, DateTime.toDateUtc))}
          WHERE held_at IS NOT NULL RETURNING 1`.pipe(
          Effect.map((rows) => rows.length > 0),
          orUnavailable
        ),
      sampleSecrets: orUnavailable(
        Effect.map(
          sql<{ sealed: Uint8Array }>`(SELECT sm1_private_key AS sealed FROM email_domains LIMIT 1)
            UNION ALL (SELECT secret FROM webhook_endpoints LIMIT 1)
            UNION ALL (SELECT webhook_secret FROM voice_agents WHERE webhook_secret IS NOT NULL LIMIT 1)`,
          (rows) => rows.map(({ sealed }) => sealed)
        )
      )
    }
  })
)
