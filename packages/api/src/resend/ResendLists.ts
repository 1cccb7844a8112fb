import { IntegerPageParams } from "@switchboard/domain/Page"
import { Uuid } from "@switchboard/domain/Uuid"
import { Schema } from "effect"

/** The query of a list: the number of items, and the id of the item after or before which they are. */
export const ResendListParams = Schema.Struct({
  limit: IntegerPageParams.limit,
  after: Schema.optional(Uuid.annotations({ description: "the id of the item before the page" })),
  before: Schema.optional(Uuid.annotations({ description: "the id of the item after the page" }))
})

/** A page of a list, newest first. */
export const ResendList = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({ object: Schema.Literal("list"), has_more: Schema.Boolean, data: Schema.Array(item) })

/** The page of a complete list that is short. */
export const pageOf = <A extends { readonly id: string }>(
  all: ReadonlyArray<A>,
  { after, before, limit = all.length }: typeof ResendListParams.Type
) => {
  const at = (id: string | undefined) => all.findIndex((one) => one.id === id)
  const rest = before === undefined ? all.slice(at(after) + 1) : all.slice(0, at(before)).reverse()
  const data = rest.slice(0, limit)
  return {
    object: "list" as const,
    has_more: rest.length > data.length,
    data: before === undefined ? data : data.reverse()
  }
}
