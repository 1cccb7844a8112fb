import { SqlClient } from "@effect/sql"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { Effect, Layer, Option } from "effect"
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
      replaceKeyFingerprint: (mark) => orUnavailable(Effect.asVoid(sql`UPDATE installation SET key_mark = ${mark}`)),
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
