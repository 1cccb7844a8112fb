import { SqlClient } from "@effect/sql"
import * as Statement from "@effect/sql/Statement"
import { isPrepared } from "@switchboard/store/database/Prepared"
import { Effect } from "effect"
import { escapeLiteral } from "pg"

interface ExplainRow {
  readonly "QUERY PLAN": ReadonlyArray<Explained>
}

interface Explained {
  readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number }
}

/** A statement with the number of buffers that it reads. */
export interface Read {
  readonly text: string
  readonly buffers: number
  readonly plan: string
}

const explained = "EXPLAIN (ANALYZE, BUFFERS, TIMING off, FORMAT JSON)"

const literal = (value: unknown) =>
  value === null ? "NULL" : escapeLiteral(Array.isArray(value) ? `{${value.join(",")}}` : String(value))

const buffersOf = (row: ExplainRow | undefined) => {
  const plan = row?.["QUERY PLAN"][0]?.Plan
  return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0)
}

/** The statements of an effect that only reads. Each is also run under EXPLAIN: a prepared one with its generic plan. */
export const explainReads = <A, E, R>(read: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const reads: Array<Read> = []
    const explain = (text: string, values: ReadonlyArray<unknown>) =>
      Effect.map(
        isPrepared(text)
          ? Effect.gen(function* () {
              yield* sql`SET LOCAL plan_cache_mode = force_generic_plan`
              yield* sql.unsafe(`PREPARE explained AS ${text}`)
              const rows = yield* sql.unsafe<ExplainRow>(
                `${explained} EXECUTE explained${values.length === 0 ? "" : `(${values.map(literal).join(", ")})`}`
              )
              yield* sql`DEALLOCATE explained`
              return rows
            }).pipe(sql.withTransaction)
          : sql.unsafe<ExplainRow>(`${explained} ${text}`, values),
        ([row]): Read => {
          return { text, buffers: buffersOf(row), plan: JSON.stringify(row?.["QUERY PLAN"][0]) }
        }
      )
    yield* Statement.withTransformer(read, (statement) =>
      Effect.gen(function* () {
        const [text, values] = statement.compile()
        if (!/^(?:EXPLAIN|SET|PREPARE|DEALLOCATE)/.test(text)) reads.push(yield* Effect.orDie(explain(text, values)))
        return statement
      })
    )
    return reads
  })

/** The number of buffers that a statement reads. */
export const explainBuffers = (statement: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql.unsafe<ExplainRow>(`${explained} ${statement}`, parameters), ([row]) => buffersOf(row))
  )
