import { JSONSchema, Schema, SchemaAST } from "effect"

/** Requires `min` to `max` items. */
export const items =
  (min: number, max: number) =>
  <A extends ReadonlyArray<unknown>, I, R>(self: Schema.Schema<A, I, R>) =>
    self.pipe(
      Schema.filter(
        ({ length }) =>
          (length >= min && length <= max) ||
          (min === 0 ? `must have at most ${max} items` : `must have ${min} to ${max} items`),
        { jsonSchema: min === 0 ? { maxItems: max } : { minItems: min, maxItems: max } }
      )
    )

/** Requires items that differ. */
export const distinct = <A extends string, I, R>(self: Schema.Schema<ReadonlyArray<A>, I, R>) =>
  self.pipe(
    Schema.filter(
      (all) =>
        all.flatMap((one, at) => (all.indexOf(one) < at ? [{ path: [at], message: "must not be named twice" }] : [])),
      { jsonSchema: { uniqueItems: true } }
    )
  )

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number, annotations: { readonly default?: number } = {}) =>
  Schema.Number.pipe(
    Schema.filter(
      (value) =>
        (Number.isInteger(value) && value >= min && value <= max) || `must be a whole number from ${min} to ${max}`,
      { jsonSchema: { type: "integer", minimum: min, maximum: max, ...annotations } }
    )
  )

/**
 * A field of an update that a creation may omit. Null resets it as if the creation had omitted it; `undefined` keeps its
 * value. A status is changed only by its values.
 */
export const clearable = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optional(Schema.NullOr(schema))

/** The value of a field after an update. `cleared` is its value in a creation that omits it. */
export const afterUpdate = <A, B, C>(value: A | null | undefined, before: B, cleared: C): A | B | C =>
  value === undefined ? before : (value ?? cleared)

/** The fields after an update. `cleared` has the defaults of a creation; a field without a default is omitted when null. */
export const withUpdate = <A extends object, Field extends keyof A>(
  before: A,
  update: { readonly [Name in Field]?: A[Name] | null | undefined },
  cleared: Partial<A> = {}
): A => {
  const reset: Readonly<Record<string, unknown>> = { ...cleared }
  const given = Object.entries(update).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given.map(([name, value]) => [name, value ?? reset[name]])) }
}

/**
 * The annotation of a filter that is a type guard: the schema of the type that it narrows to. The types of the client are
 * derived from schemas, and a predicate does not have its type at run time.
 */
export const narrowedTo = (type: Schema.Schema.All) => ({
  [SchemaAST.SurrogateAnnotationId]: SchemaAST.typeAST(type.ast)
})

/**
 * The JSON Schema of a value that matches exactly one of `members`, for a schema that decodes it as one object with a
 * filter: the errors of a union would name the fields of every member. The document moves `$defs` to its components.
 */
export const oneOf = (...members: ReadonlyArray<Schema.Schema.All>) => {
  const $defs: Record<string, JSONSchema.JsonSchema7> = {}
  const written = members.map(({ ast }) =>
    JSONSchema.fromAST(ast, {
      definitions: $defs,
      definitionPath: "#/components/schemas/",
      target: "openApi3.1"
    })
  )
  return { oneOf: written, ...(Object.keys($defs).length === 0 ? {} : { $defs }) }
}

/** A string enum; its error lists the allowed values once. `Schema.Literal` reports one error for each value. */
export const choice = <Words extends readonly [SchemaAST.LiteralValue, ...Array<SchemaAST.LiteralValue>]>(
  ...words: Words
) =>
  Schema.Literal(...words).annotations({
    message: () => ({ message: `must be one of ${words.join(", ")}`, override: true })
  })
