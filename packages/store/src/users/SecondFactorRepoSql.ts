import { SqlClient } from "@effect/sql"
import { SecondFactorRepo, totpPurpose } from "@switchboard/services/users/SecondFactorRepo"
import { Effect, Layer, Option, Schema } from "effect"
import { forRequest, retryConflicts } from "../database/Unavailable.js"
import { secretOf, storeSecret } from "../installation/Secrets.js"
import { firstOf } from "../RowMapping.js"
import { deleteFactor } from "./UserRepoSql.js"

const decodeFactor = Schema.decodeUnknownSync(
  Schema.Struct({
    sealed: Schema.Uint8ArrayFromSelf,
    lastStep: Schema.OptionFromNullOr(Schema.Number),
    recoveryHashes: Schema.Array(Schema.String)
  })
)

/** Second factors in the columns of `users`, with their secrets in `secrets`. */
export const SecondFactorRepoSql = Layer.effect(
  SecondFactorRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secret = sql.literal(secretOf("u.organization_id", "u.id::text", totpPurpose))

    return {
      begin: ({ organizationId, user }, sealed) =>
        Effect.gen(function* () {
          const locked =
            yield* sql`SELECT FROM users WHERE id = ${user.id} AND totp_last_step IS NULL FOR NO KEY UPDATE`
          if (locked.length === 0) return false
          yield* storeSecret(sql, organizationId, totpPurpose, user.id, sealed)
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      change: ({ apiKeyId, organizationId, user }, decide) =>
        Effect.gen(function* () {
          // A statement of its own: the next one then reads the secret as the former change left it.
          yield* sql`SELECT FROM users WHERE id = ${user.id} FOR NO KEY UPDATE`
          const present = firstOf(decodeFactor)(
            yield* sql`SELECT f.* FROM (
              SELECT ${secret} AS sealed, u.totp_last_step AS "lastStep", u.recovery_code_hashes AS "recoveryHashes"
              FROM users AS u WHERE u.id = ${user.id}
            ) AS f WHERE f.sealed IS NOT NULL`
          )
          const decided = yield* decide(present)
          if (Option.isNone(decided)) return false
          const { factor, onlySession } = decided.value
          if (Option.isNone(factor)) {
            yield* deleteFactor(sql, organizationId, user.id)
          } else {
            const { lastStep, recoveryHashes } = factor.value
            yield* sql`UPDATE users SET totp_last_step = ${lastStep}, recovery_code_hashes = ${[...recoveryHashes]}
              WHERE id = ${user.id}`
          }
          if (Option.isSome(onlySession)) {
            yield* sql`DELETE FROM sessions WHERE api_key_id = ${apiKeyId} AND hash <> ${onlySession.value}`
          }
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
