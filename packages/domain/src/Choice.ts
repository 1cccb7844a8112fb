import { Schema, type SchemaAST } from "effect"

/** A string enum; its error lists the allowed values once. `Schema.Literal` reports one error for each value. */
export const choice = <Words extends readonly [SchemaAST.LiteralValue, ...Array<SchemaAST.LiteralValue>]>(
  ...words: Words
) =>
  Schema.Literal(...words).annotations({
    message: () => ({ message: `must be one of ${words.join(", ")}`, override: true })
  })
