import { Schema } from "effect"

/** The 8-4-4-4-12 form with a version digit 1 to 8 and a variant digit 8, 9, a or b, or the all-zero uuid. */
const pattern =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|00000000-0000-0000-0000-000000000000)$/i

/** An identifier of any resource. Ids that the service makes are UUID version 7: they sort by creation. */
export const Uuid = Schema.String.pipe(Schema.pattern(pattern, { message: () => "must be a uuid" })).annotations({
  description: "a uuid",
  jsonSchema: { type: "string", format: "uuid", pattern: pattern.source }
})
