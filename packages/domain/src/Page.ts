import { Either, Encoding, ParseResult, Schema } from "effect"

const firstPage = 1

/** The size of a page without `limit`. */
const defaultLimit = 20

/** The maximum size of a page. */
const maxLimit = 100

const maxPage = 10_000_000

/** Digits only: `Number` would also parse `1e1`, `0x1` and blanks. */
const digits = /^[1-9]\d{0,8}$/

/** A number in a query. Some operations declare it as an integer, others as a string of digits. */
const wholeNumber = (min: number, max: number, jsonSchema: object) =>
  Schema.transformOrFail(Schema.String, Schema.Number, {
    strict: true,
    decode: (text, _, ast) => {
      const value = digits.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max
        ? ParseResult.succeed(value)
        : ParseResult.fail(new ParseResult.Type(ast, text, `must be a whole number from ${min} to ${max}`))
    },
    encode: (value) => ParseResult.succeed(String(value))
  }).annotations({
    description: `a whole number from ${min} to ${max}`,
    jsonSchema
  })

const integer = (min: number, max: number, defaultValue: number) =>
  wholeNumber(min, max, { type: "integer", minimum: min, maximum: max, default: defaultValue })

/** `form` matches the digits of the numbers from 1 to `max`. */
const digitsUpTo = (max: number, form: string, defaultValue: number) =>
  wholeNumber(1, max, {
    type: "string",
    pattern: `^(?:${form})$`,
    default: String(defaultValue),
    description: `the digits of a number from 1 to ${max}`
  })

/** The position after the last item of a page, from which the next page continues. */
export interface Cursor {
  /** The id of the last item. */
  readonly id: string
  /** The number of the page that continues here. */
  readonly page: number
}

const cursorText = /^([1-9]\d{0,8}) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** A cursor as an opaque text: base64url of the page and the id. */
const CursorFromString = Schema.transformOrFail(
  Schema.String,
  Schema.Struct({ id: Schema.String, page: Schema.Number }).annotations({
    identifier: "Cursor",
    description: "a position between two pages of a list"
  }),
  {
    strict: true,
    decode: (text, _, ast) => {
      const [, page = "", id = ""] =
        cursorText.exec(Either.getOrElse(Encoding.decodeBase64UrlString(text), () => "")) ?? []
      return id === ""
        ? ParseResult.fail(new ParseResult.Type(ast, text, "must be the `after` of a Link header of the same list"))
        : ParseResult.succeed({ id, page: Number(page) })
    },
    encode: ({ id, page }) => ParseResult.succeed(encodeCursor({ id, page }))
  }
)

/** The text of a cursor, for the query parameter `after`. */
export const encodeCursor = ({ id, page }: Cursor): string => Encoding.encodeBase64Url(`${page} ${id}`)

const after = Schema.optional(
  CursorFromString.annotations({ jsonSchema: { type: "string", pattern: "^[A-Za-z0-9_-]{51,62}$" } })
)

/**
 * `page` counts from 1, `limit` is the page size. Values out of range are rejected, not clamped. `after` is the cursor
 * of a `Link` header; it takes precedence over `page`. The document declares numbers as strings of digits.
 */
export const PageParams = {
  page: Schema.optional(digitsUpTo(maxPage, "[1-9][0-9]{0,6}|10000000", firstPage)),
  limit: Schema.optional(digitsUpTo(maxLimit, "[1-9][0-9]?|100", defaultLimit)),
  after
}

/** The same for the lists of senders, drafts and voice, whose numbers the document declares as integers. */
export const IntegerPageParams = {
  page: Schema.optional(integer(1, maxPage, firstPage)),
  limit: Schema.optional(integer(1, maxLimit, defaultLimit)),
  after
}

/** The page to read; `page` counts from 1. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
  /** The id of the item before the page. Without it, the page is found by its number. */
  readonly after?: string
  /** The id of the item after the page, instead of `after`. */
  readonly before?: string
}

/** The requested page with defaults: page 1, 20 items. */
export const pageRequest = ({
  after,
  limit = defaultLimit,
  page = firstPage
}: {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly after?: Cursor | undefined
}): PageRequest => (after === undefined ? { page, limit } : { page: after.page, limit, after: after.id })

const Count = Schema.Number.annotations({ jsonSchema: { type: "integer" } })

/**
 * The position of a page in its list. `total` is exact up to `maxCounted`; above, it can be an estimate of at least
 * `maxCounted`, with `isTotalEstimated`.
 */
export const Pagination = Schema.Struct({
  page: Count,
  limit: Count,
  total: Count,
  totalPages: Count
}).annotations({ identifier: "Pagination" })

/** One page of a list, newest first. */
export const Page = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({ items: Schema.Array(item), pagination: Pagination })

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly pagination: typeof Pagination.Type
  /** The cursor of the next page; null on the last page. */
  readonly next: Cursor | null
  readonly isTotalEstimated: boolean
}

/** The maximum number of items that a request counts. */
export const maxCounted = 10_000

/** The end of a page, and the kind of its total. */
interface Rest {
  /** The id of the last item of the page, if more items follow. */
  readonly lastId?: string | undefined
  readonly isTotalEstimated?: boolean
}

/** Builds a page from its items and the total number of items. */
export const page = <A>(
  items: ReadonlyArray<A>,
  total: number,
  request: PageRequest,
  { isTotalEstimated = false, lastId }: Rest = {}
): Page<A> => ({
  items,
  pagination: {
    page: request.page,
    limit: request.limit,
    total,
    totalPages: Math.ceil(total / request.limit)
  },
  next: lastId === undefined ? null : { id: lastId, page: request.page + 1 },
  isTotalEstimated
})
