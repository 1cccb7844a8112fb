import { scrypt } from "node:crypto"
import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import { addCounts, type Counted, type Erasure } from "@switchboard/services/erasure/ErasureRepo"
import { DateTime, Effect, Option, Ref } from "effect"

/** The point up to which tables are searched, in the order of names: all rows of earlier tables, and rows up to a key. */
export interface Position {
  readonly table: string
  readonly after: ReadonlyArray<string> | null
}

/** The counts of a step, and the position after it. */
interface Progress {
  readonly erased?: ReadonlyArray<Counted>
  readonly left?: ReadonlyArray<Counted>
  readonly position?: Position
}

/** Stores the progress of a run. */
export type RecordProgress = (progress: Progress) => Effect.Effect<void, SqlError>

interface RunState {
  readonly position: Position | null
  readonly erased: ReadonlyArray<Counted>
  readonly left: ReadonlyArray<Counted>
}

const beginning: RunState = { position: null, erased: [], left: [] }

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
  const [row] = yield* sql<RunState & { readonly startedAt: Date }>`SELECT started_at AS "startedAt", position, erased,
      remaining AS left
    FROM erasures WHERE id = ${id}`
  const continued = begun.length > 0 ? Option.none() : Option.fromNullable(row?.startedAt)
  const state = yield* Ref.make<RunState>(row ?? beginning)
  const record: RecordProgress = (progress) =>
    Effect.gen(function* () {
      const { erased, left, position } = yield* Ref.updateAndGet(state, (before) => ({
        position: progress.position ?? before.position,
        erased: addCounts(before.erased, progress.erased ?? []),
        left: addCounts(before.left, progress.left ?? [])
      }))
      yield* sql`UPDATE erasures SET position = ${JSON.stringify(position)}::json,
          erased = ${JSON.stringify(erased)}::json, remaining = ${JSON.stringify(left)}::json
        WHERE id = ${id}`
    })
  /** Deletes the run, and returns its counts. */
  const end = Effect.gen(function* () {
    yield* sql`DELETE FROM erasures WHERE id = ${id}`
    const { erased, left } = yield* Ref.get(state)
    return { erased, left, continued: Option.map(continued, DateTime.unsafeFromDate) }
  })
  return { position: row?.position ?? null, record, end }
})
