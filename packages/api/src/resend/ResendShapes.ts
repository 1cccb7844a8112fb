import { ValidationError } from "@switchboard/domain/Errors"
import { Effect, Schema } from "effect"

/** The id of a resource with the kind of the resource. */
export const referenceOf = <Kind extends string, A, I, R>(kind: Kind, id: Schema.Schema<A, I, R>) =>
  Schema.Struct({ object: Schema.Literal(kind), id })

/** The response of a removal. */
export const removedOf = <Kind extends string, A, I, R>(kind: Kind, id: Schema.Schema<A, I, R>) =>
  Schema.Struct({ ...referenceOf(kind, id).fields, deleted: Schema.Literal(true) })

/** A field of Resend, with the values that mean the only behaviour of this service. `reason` completes an error. */
export const onlyField = (values: ReadonlyArray<string | null>, reason: string) =>
  Schema.optional(
    Schema.Unknown.pipe(Schema.filter((value) => values.some((one) => one === value) || reason)).annotations({
      jsonSchema: { enum: values, description: reason }
    })
  )

/** Changes the names of the fields of an error. */
export const mapFields =
  (change: (field: string) => string) =>
  ({ fields = {}, message }: ValidationError) =>
    new ValidationError({
      message,
      fields: Object.fromEntries(Object.entries(fields).map(([field, sentences]) => [change(field), sentences]))
    })

/** Changes the names of the fields of validation errors: those of this service to those of Resend. */
export const renameFields =
  (change: (field: string) => string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ValidationError, R> =>
    Effect.mapError(self, (error) => (error instanceof ValidationError ? mapFields(change)(error) : error))

/** Changes the names of fields by their first segment. */
export const renameBy =
  (names: Readonly<Record<string, string>>) =>
  (field: string): string =>
    field.replace(/^[^.]+/, (name) => names[name] ?? name)
