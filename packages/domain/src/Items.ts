import { Schema } from "effect"

/** Requires `min` to `max` items. */
export const items =
  (min: number, max: number) =>
  <A extends ReadonlyArray<unknown>, I, R>(self: Schema.Schema<A, I, R>) =>
    self.pipe(
      Schema.filter(
        ({ length }) =>
          (length >= min && length <= max) ||
          (min === 0 ? `must have at most ${max} items` : `must have ${min} to ${max} items`),
        { jsonSchema: min === 0 ? { maxItems: max } : { minItems: min, maxItems: max } }
      )
    )

/** Requires items that differ. */
export const distinct = <A extends string, I, R>(self: Schema.Schema<ReadonlyArray<A>, I, R>) =>
  self.pipe(
    Schema.filter(
      (all) =>
        all.flatMap((one, at) => (all.indexOf(one) < at ? [{ path: [at], message: "must not be named twice" }] : [])),
      { jsonSchema: { uniqueItems: true } }
    )
  )
