import { Schema } from "effect"

/**
 * A field of an update that a creation may omit. Null resets it as if the creation had omitted it; `undefined` keeps its
 * value. A status is changed only by its values.
 */
export const clearable = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optional(Schema.NullOr(schema))

/** The value of a field after an update. `cleared` is its value in a creation that omits it. */
export const afterUpdate = <A, B, C>(value: A | null | undefined, before: B, cleared: C): A | B | C =>
  value === undefined ? before : (value ?? cleared)
