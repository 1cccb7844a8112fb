import { Schema } from "effect"

/** A text of at least one character, and at most so many. */
export const filledText = (most: number) =>
  Schema.String.pipe(
    Schema.filter((text) => (text.length >= 1 && text.length <= most) || `must have 1 to ${most} characters`)
  ).annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: most } })
