import { Schema } from "effect"

/** A text of at least one character, and at most so many; what it is for is in the document. */
export const filledText = (most: number, description?: string) =>
  Schema.String.pipe(
    Schema.filter((text) => (text.length >= 1 && text.length <= most) || `must have 1 to ${most} characters`)
  ).annotations({
    jsonSchema: { type: "string", minLength: 1, maxLength: most, ...(description === undefined ? {} : { description }) }
  })
