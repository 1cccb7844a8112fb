import { Duration, Predicate } from "effect"
import type { ClientBase } from "pg"

/**
 * How long a connection keeps the plans of its prepared statements. A plan is made for tables as they are at that
 * moment: what suits sixty rows, reading all of them, is ruinous a minute later. To plan again costs about a
 * millisecond.
 */
const plansKept = Duration.seconds(2)

const mark = /^\/\* prepared (\w+) \*\//

/**
 * Marks a statement that is always the same text, so that each connection parses and plans it once and not at every
 * use. For what is asked all the time; the name is this statement's alone.
 */
export const prepared = (name: string, statement: string): string => `/* prepared ${name} */ ${statement}`

/**
 * Whether a prepared statement does not fit any more: the columns of its result have changed, as a release does that
 * migrates the schema, or somebody between us and the server has forgotten it.
 */
export const isOutdated = (error: unknown): boolean =>
  Predicate.hasProperty(error, "code") &&
  (error.code === "26000" ||
    (error.code === "0A000" && Predicate.hasProperty(error, "routine") && error.routine === "RevalidateCachedQuery"))

/**
 * Lets a connection prepare the statements that are marked. One that is outdated fails, as a conflict that is tried
 * again, and gets a new name.
 */
export const prepareMarked = (client: ClientBase, kept: Duration.Duration = plansKept): void => {
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
      if (performance.now() - plannedAt < Duration.toMillis(kept)) return run()
      plannedAt = performance.now()
      return Reflect.apply(query, self, ["DISCARD PLANS", run])
    }
  })
}
