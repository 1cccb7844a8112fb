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
 * Marks a statement of few different texts, so that a connection parses and plans each of them once. For frequent
 * statements for which one plan suits all values.
 */
export const prepared = (name: string, statement: string): string => `/* prepared ${name} */ ${statement}`

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

/** The end of a transaction, or of a part of it, that restores the settings from before. */
const rollback = /^ROLLBACK/

/**
 * Makes a connection prepare marked statements. The name of each has a digest of its text, so that it is the same
 * statement in all processes that share connections of a pooler. An outdated one fails and is retried like a conflict;
 * then all get new names.
 *
 * Marked statements have `plan_cache_mode = force_generic_plan`. PostgreSQL would otherwise compare the expected costs of
 * the plan for all values with those of the first executions: after the tables have grown, or with an array of one key, it
 * plans each execution again, which takes longer than most of these statements. Other statements are planned for their
 * values.
 */
export const prepareMarked = (client: ClientBase, lifetime: Duration.Duration = planLifetime): void => {
  const names = new Map<string, string>()
  let generation = 0
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined) return known
    const label = mark.exec(text)?.[1]
    if (label === undefined) return undefined
    const name = `${label}_${hash("sha256", text, "hex").slice(0, 12)}_${generation}`
    names.set(text, name)
    return name
  }
  let plannedAt = performance.now()
  let mode: "auto" | "force_generic_plan" | "unknown" = "auto"
  const { query } = client
  const after = (setting: string, run: () => unknown) =>
    Reflect.apply(query, client, [
      setting,
      (error: unknown) => {
        if (error) mode = "unknown"
        run()
      }
    ])
  const inMode = (wanted: typeof mode, run: () => unknown) => {
    if (mode === wanted) return run()
    mode = wanted
    return after(`SET plan_cache_mode = ${wanted}`, run)
  }
  const withFreshPlan = (run: () => unknown) => {
    if (performance.now() - plannedAt < Duration.toMillis(lifetime)) return run()
    plannedAt = performance.now()
    return after("DISCARD PLANS", run)
  }
  client.query = new Proxy(query, {
    apply: (_, self, args: ReadonlyArray<unknown>) => {
      const [text, values, callback] = args
      const run = () => Reflect.apply(query, self, args)
      if (!Predicate.isString(text) || !Predicate.isFunction(callback)) return run()

      const name = nameOf(text)
      if (name === undefined) {
        if (rollback.test(text)) mode = "unknown"
        return Array.isArray(values) && values.length > 0 ? inMode("auto", run) : run()
      }
      const done = (error: unknown, result: unknown) => {
        if (isOutdated(error)) {
          generation++
          names.clear()
        }
        callback(error, result)
      }
      return inMode("force_generic_plan", () =>
        withFreshPlan(() => Reflect.apply(query, self, [{ name, text, values }, done]))
      )
    }
  })
}
