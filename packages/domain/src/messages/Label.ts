import { Schema } from "effect"

/** A tag or a category: 1 to 100 characters. */
export const Label = Schema.String.pipe(
  Schema.filter((text) => (text.length >= 1 && text.length <= 100) || "must have 1 to 100 characters", {
    jsonSchema: { minLength: 1, maxLength: 100 }
  })
)
