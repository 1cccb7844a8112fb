import { Schema } from "effect"

/** Text that PostgreSQL can't hold: NUL, and halves of surrogate pairs. */
const unstorable = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Whether a text can be stored. */
export const isStorable = (text: string): boolean => !unstorable.test(text)

/** What a text that can't be stored is refused with. */
export const unstorableText = "must not contain NUL or lone surrogates"

/** A text of a query that can be stored; texts of bodies are checked with their whole body. */
export const storable = <A extends string, I>(schema: Schema.Schema<A, I>) =>
  schema.pipe(Schema.filter(isStorable, { message: () => unstorableText }))
