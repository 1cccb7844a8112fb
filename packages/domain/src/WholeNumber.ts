import { Schema } from "effect"

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number, annotations: { readonly default?: number } = {}) =>
  Schema.Number.pipe(
    Schema.filter(
      (value) =>
        (Number.isInteger(value) && value >= min && value <= max) || `must be a whole number from ${min} to ${max}`,
      { jsonSchema: { type: "integer", minimum: min, maximum: max, ...annotations } }
    )
  )
