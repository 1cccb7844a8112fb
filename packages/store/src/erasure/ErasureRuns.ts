import { scrypt } from "node:crypto"
import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { Erasure, ErasureResult } from "@switchboard/services/erasure/ErasureRepo"
import { DateTime, Effect, Option } from "effect"
import type { Key } from "./SearchTable.js"

/** The point up to which tables are searched, in the order of names: all rows of earlier tables, and rows up to a key. */
export interface Position {
  readonly table: string
  readonly after: Key | null
}

/** A run's position and counts. */
export interface RunState extends Pick<ErasureResult, "erased" | "left"> {
  readonly position: Position | null
}

interface Row extends RunState {
  readonly startedAt: Date
}

/** An interrupted run is continued within this time; rows that were added since its start may be unsearched. */
const resumable = "7 days"

const idBytes = 32

/** The id of an erasure's run. A slow hash, since addresses can be guessed. */
const idOf = ({ address, organization }: Erasure) =>
  Effect.async<string>((resume) =>
    scrypt(
      addressKey(address),
      `switchboard erasure ${Option.getOrElse(organization, () => "")}`,
      idBytes,
      (error, id) => resume(error === null ? Effect.succeed(id.toString("hex")) : Effect.die(error))
    )
  )

/** Begins the run of an erasure, or continues an interrupted one. */
export const beginRun = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, erasure: Erasure) {
  const id = yield* idOf(erasure)
  yield* sql`DELETE FROM erasures WHERE started_at < now() - ${resumable}::interval`
  const begun =
    yield* sql`INSERT INTO erasures (id, started_at) VALUES (${id}, now()) ON CONFLICT DO NOTHING RETURNING 1`
  const [row] = yield* sql<Row>`SELECT started_at AS "startedAt", position, erased, remaining AS left FROM erasures
    WHERE id = ${id}`
  const state: RunState = row ?? { position: null, erased: [], left: [] }
  const continued = begun.length > 0 ? Option.none() : Option.fromNullable(row?.startedAt)
  return { id, continued: Option.map(continued, DateTime.unsafeFromDate), state }
})

/** Stores the position and the counts of a run. */
export const saveRun = (sql: SqlClient.SqlClient, id: string, { erased, left, position }: RunState) =>
  sql`UPDATE erasures SET position = ${JSON.stringify(position)}::json, erased = ${JSON.stringify(erased)}::json,
      remaining = ${JSON.stringify(left)}::json
    WHERE id = ${id}`

/** Deletes a complete run. */
export const endRun = (sql: SqlClient.SqlClient, id: string) => sql`DELETE FROM erasures WHERE id = ${id}`
