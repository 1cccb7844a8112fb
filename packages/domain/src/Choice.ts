import { Schema, type SchemaAST } from "effect"

/** One of a few words. Whoever gives another is told once which there are, not once for each word that it is not. */
export const choice = <Words extends readonly [SchemaAST.LiteralValue, ...Array<SchemaAST.LiteralValue>]>(
  ...words: Words
) =>
  Schema.Literal(...words).annotations({
    message: () => ({ message: `must be one of ${words.join(", ")}`, override: true })
  })
