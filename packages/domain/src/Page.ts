import { ParseResult, Schema } from "effect"

/** Digits alone: the platform would also take `1e1`, `0x1` and blanks for numbers. */
const digits = /^[1-9]\d{0,8}$/

const wholeNumber = (least: number, most: number) =>
  Schema.transformOrFail(Schema.String, Schema.Number, {
    strict: true,
    decode: (text, _, ast) => {
      const value = digits.test(text) ? Number(text) : Number.NaN
      return value >= least && value <= most
        ? ParseResult.succeed(value)
        : ParseResult.fail(new ParseResult.Type(ast, text, `must be a whole number from ${least} to ${most}`))
    },
    encode: (value) => ParseResult.succeed(String(value))
  }).annotations({ description: `a whole number from ${least} to ${most}` })

/** `page` counts from 1, `limit` is the page's size. Values out of range are refused, not clamped. */
export const PageParams = {
  page: Schema.optional(
    wholeNumber(1, 10_000_000).annotations({
      jsonSchema: { type: "string", pattern: "^[1-9][0-9]*$", default: "1" }
    })
  ),
  limit: Schema.optional(
    wholeNumber(1, 100).annotations({
      jsonSchema: { type: "string", pattern: "^([1-9]|[1-9][0-9]|100)$", default: "20" }
    })
  )
}

/** What every list takes. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
}

/** The page that a caller asked for, the first twenty unless told otherwise. */
export const pageRequest = ({
  limit = 20,
  page = 1
}: {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}): PageRequest => ({ page, limit })

/** Where a list stands; `total` is exact. */
export const Pagination = Schema.Struct({
  page: Schema.Number,
  limit: Schema.Number,
  total: Schema.Number,
  totalPages: Schema.Number
}).annotations({ identifier: "Pagination" })

/** One page of a list, newest first. */
export const Page = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({ items: Schema.Array(item), pagination: Pagination })

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly pagination: typeof Pagination.Type
}

/** Joins the items of a page with where it stands. */
export const page = <A>(items: ReadonlyArray<A>, total: number, request: PageRequest): Page<A> => ({
  items,
  pagination: {
    page: request.page,
    limit: request.limit,
    total,
    totalPages: Math.ceil(total / request.limit)
  }
})
