import { SqlClient } from "@effect/sql"
import * as Statement from "@effect/sql/Statement"
import { Effect } from "effect"

interface Explained {
  readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number }
}

/** A statement with the number of buffers that it reads. */
export interface Read {
  readonly text: string
  readonly buffers: number
  readonly plan: string
}

/** The statements of an effect that only reads. Each is also run under EXPLAIN. */
export const explainReads = <A, E, R>(read: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const reads: Array<Read> = []
    const explain = (text: string, values: ReadonlyArray<unknown>) =>
      Effect.map(
        sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<Explained> }>(
          `EXPLAIN (ANALYZE, BUFFERS, TIMING off, FORMAT JSON) ${text}`,
          [...values]
        ),
        ([row]): Read => {
          const [root] = row?.["QUERY PLAN"] ?? []
          const buffers = (root?.Plan["Shared Hit Blocks"] ?? 0) + (root?.Plan["Shared Read Blocks"] ?? 0)
          return { text, buffers, plan: JSON.stringify(root) }
        }
      )
    yield* Statement.withTransformer(read, (statement) =>
      Effect.gen(function* () {
        const [text, values] = statement.compile()
        if (!text.startsWith("EXPLAIN")) reads.push(yield* Effect.orDie(explain(text, values)))
        return statement
      })
    )
    return reads
  })
