import { hash } from "node:crypto"
import { Duration, Predicate } from "effect"
import type { ClientBase } from "pg"

/**
 * How long a connection keeps the plans of prepared statements. A plan suits the table sizes of its time: a sequential
 * scan that is best for sixty rows is far too slow a minute later. Planning costs up to 5 ms, in which requests wait.
 */
const planLifetime = Duration.seconds(10)

const mark = /^\/\* prepared (\w+) \*\//

/**
 * Marks a statement with a constant text, so that a connection parses and plans it once. For frequent statements. The
 * name must be unique.
 */
export const prepared = (name: string, statement: string): string => `/* prepared ${name} */ ${statement}`

/**
 * The same for a statement with few texts, such as a list with different filters. A digest of the text makes the name
 * unique; PostgreSQL limits names to 63 characters.
 */
export const preparedByText = (name: string, statement: string): string =>
  prepared(`${name}_${hash("sha256", statement, "hex").slice(0, 16)}`, statement)

/** Whether connections prepare a statement. */
export const isPrepared = (statement: string): boolean => mark.test(statement)

/**
 * Whether a prepared statement is no longer valid: its result columns have changed after a migration, or a pooler has
 * closed it.
 */
export const isOutdated = (error: unknown): boolean =>
  Predicate.hasProperty(error, "code") &&
  (error.code === "26000" ||
    (error.code === "0A000" && Predicate.hasProperty(error, "routine") && error.routine === "RevalidateCachedQuery"))

/**
 * Makes a connection prepare marked statements. An outdated one fails, is retried like a conflict, and gets a new name.
 */
export const prepareMarked = (client: ClientBase, lifetime: Duration.Duration = planLifetime): void => {
  let generation = 0
  let plannedAt = performance.now()
  client.query = new Proxy(client.query, {
    apply: (query, self, args: ReadonlyArray<unknown>) => {
      const [text, values, callback] = args
      const name = Predicate.isString(text) ? mark.exec(text)?.[1] : undefined
      if (name === undefined || !Predicate.isFunction(callback)) return Reflect.apply(query, self, args)

      const done = (error: unknown, result: unknown) => {
        if (isOutdated(error)) generation++
        callback(error, result)
      }
      const run = () => Reflect.apply(query, self, [{ name: `${name}_${generation}`, text, values }, done])
      if (performance.now() - plannedAt < Duration.toMillis(lifetime)) return run()
      plannedAt = performance.now()
      return Reflect.apply(query, self, ["DISCARD PLANS", run])
    }
  })
}
