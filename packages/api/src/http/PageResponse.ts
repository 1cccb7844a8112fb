import { encodeCursor, type Page } from "@switchboard/domain/Page"
import { Predicate } from "effect"
import { compressible } from "./CompressResponse.js"
import { jsonTextResponse } from "./JsonResponse.js"
import { queryOf } from "./RequestTarget.js"

/** Whether the result of a handler is a page of a list. */
export const isPage = (result: unknown): result is Page<unknown> =>
  Predicate.hasProperty(result, "pagination") && Predicate.hasProperty(result, "next")

/** The body of a page: its items and its position. */
export const pageBody = ({ items, pagination }: Page<unknown>) => ({ items, pagination })

/** The query of the next page: that of the request with `after` in place of `page`. */
const nextQuery = (target: string, after: string) => {
  const query = queryOf(target)
  query.delete("page")
  query.set("after", after)
  return query
}

/**
 * The headers of a page: `Link` with the next page (RFC 8288), absent on the last page, and `Total-Estimated` if the
 * total is an estimate. The link is a query alone, which also holds below the path of a proxy. A page is compressible.
 */
export const pageHeaders = ({ isTotalEstimated, next }: Page<unknown>, target: string) => ({
  ...compressible,
  ...(next === null ? {} : { link: `<?${nextQuery(target, encodeCursor(next))}>; rel="next"` }),
  ...(isTotalEstimated ? { "total-estimated": "true" } : {})
})

/** The response to a page of items that are JSON text in their encoded form. */
export const encodedPage = (page: Page<{ readonly json: string }>, target: string) =>
  jsonTextResponse(
    `{"items":[${page.items.map(({ json }) => json).join(",")}],"pagination":${JSON.stringify(page.pagination)}}`,
    { headers: pageHeaders(page, target) }
  )
