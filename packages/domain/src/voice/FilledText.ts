import { Schema } from "effect"

/** A non-empty text of at most `max` characters, with a description for the API document. */
export const filledText = (max: number, description?: string) =>
  Schema.String.pipe(
    Schema.filter((text) => (text.length >= 1 && text.length <= max) || `must have 1 to ${max} characters`)
  ).annotations({
    jsonSchema: { type: "string", minLength: 1, maxLength: max, ...(description === undefined ? {} : { description }) }
  })
