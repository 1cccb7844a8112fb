import { PgClient } from "@effect/sql-pg"
import type { Duration, Redacted } from "effect"

/** How a process is connected to PostgreSQL. */
export interface DatabaseOptions {
  readonly url: Redacted.Redacted<string>
  readonly poolSize: number
  readonly applicationName: string
}

/** A server that does not answer must be noticed before callers give up. */
const connectTimeout: Duration.DurationInput = "3 seconds"

/** The pool of connections that every repository uses. */
export const database = ({ applicationName, poolSize, url }: DatabaseOptions) =>
  PgClient.layer({
    url,
    applicationName,
    maxConnections: poolSize,
    connectTimeout,
    idleTimeout: "60 seconds"
  })
