import { Schema } from "effect"

const form = (digit: string) =>
  `(?:${digit}{8}-${digit}{4}-[1-8]${digit}{3}-[89ab]${digit}{3}-${digit}{12}|00000000-0000-0000-0000-000000000000)`

const lowerCase = new RegExp(`^${form("[0-9a-f]")}$`)

const Canonical = Schema.String.pipe(Schema.pattern(lowerCase, { message: () => "must be a uuid" }))

/**
 * The id of a resource: the 8-4-4-4-12 form with version digit 1 to 8 and variant digit 8, 9, a or b, or the nil UUID.
 * The service creates UUID version 7, which sort by creation time. Upper case is accepted and decoded to lower case, so
 * that ids can be compared as strings.
 */
export const Uuid = Schema.transform(Schema.String, Canonical, {
  strict: true,
  decode: (text) => text.toLowerCase(),
  encode: (id) => id
}).annotations({
  identifier: "Uuid",
  description: "a uuid",
  jsonSchema: {
    type: "string",
    format: "uuid",
    pattern: `^${form("[0-9a-fA-F]").replace("[89ab]", "[89abAB]")}$`
  }
})
