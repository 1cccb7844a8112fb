import { BadRequestError } from "@switchboard/domain/Errors"
import { IntegerPageParams, type Page, type PageRequest, pageRequest } from "@switchboard/domain/Page"
import { Uuid } from "@switchboard/domain/Uuid"
import { Effect, Schema } from "effect"

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
