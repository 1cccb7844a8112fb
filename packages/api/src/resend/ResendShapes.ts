import { BadRequestError, ValidationError } from "@switchboard/domain/Errors"
import { IntegerPageParams, type Page, type PageRequest, pageRequest } from "@switchboard/domain/Page"
import { Uuid } from "@switchboard/domain/Uuid"
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

/** The query of a list: the number of items, and the id of the item after or before which they are. */
export const ResendListParams = Schema.Struct({
  limit: IntegerPageParams.limit,
  after: Schema.optional(Uuid.annotations({ description: "the id of the item before the page" })),
  before: Schema.optional(Uuid.annotations({ description: "the id of the item after the page" }))
})

/** A page of a list, newest first. */
export const ResendList = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({ object: Schema.Literal("list"), has_more: Schema.Boolean, data: Schema.Array(item) })

type ListParams = typeof ResendListParams.Type

/** The page that the query of a list requests. */
export const resendPage = ({ after, before, limit }: ListParams): Effect.Effect<PageRequest, BadRequestError> =>
  after !== undefined && before !== undefined
    ? new BadRequestError({ message: "The parameters after and before exclude each other" })
    : Effect.succeed({
        ...pageRequest({ limit }),
        ...(after === undefined ? {} : { after }),
        ...(before === undefined ? {} : { before })
      })

/** A page of a list. */
export const listOf = <A, B>({ items, next }: Page<A>, toItem: (item: A) => B) => ({
  object: "list" as const,
  has_more: next !== null,
  data: items.map(toItem)
})

/** The page of a complete list that is short. */
export const pageOf = <A extends { readonly id: string }>(
  all: ReadonlyArray<A>,
  { after, before, limit = all.length }: ListParams
) => {
  const at = (id: string | undefined) => all.findIndex((one) => one.id === id)
  const rest = before === undefined ? all.slice(at(after) + 1) : all.slice(0, Math.max(0, at(before))).reverse()
  const data = rest.slice(0, limit)
  return {
    object: "list" as const,
    has_more: rest.length > data.length,
    data: before === undefined ? data : data.reverse()
  }
}

/** A file of an e-mail, with its download link. */
export const ResendFile = Schema.Struct({
  id: Uuid,
  filename: Schema.String,
  size: Schema.Int.annotations({ description: "the size in bytes" }),
  content_type: Schema.String,
  content_disposition: Schema.Literal("inline", "attachment"),
  content_id: Schema.optionalWith(Schema.String, { exact: true }),
  download_url: Schema.String.annotations({ description: "a link that needs no key" }),
  expires_at: Schema.String.annotations({ description: "the time at which the link expires" })
})

/** One file. */
export const RetrievedFile = Schema.Struct({
  object: Schema.Literal("attachment"),
  ...ResendFile.fields
}).annotations({ identifier: "RetrievedAttachment" })
