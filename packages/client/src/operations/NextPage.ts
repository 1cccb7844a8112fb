import { HttpClient, HttpClientRequest, type HttpClientResponse, UrlParams } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { type InvalidResponseError, invalidResponse } from "./CallError.js"

/** The query of a page after the first one. It replaces the query of the request. */
export class PageQuery extends Context.Reference<PageQuery>()("client/PageQuery", {
  defaultValue: (): Option.Option<UrlParams.UrlParams> => Option.none()
}) {}

/** Requests the page of `PageQuery`. */
export const atPageQuery = HttpClient.mapRequestEffect((request: HttpClientRequest.HttpClientRequest) =>
  Effect.map(
    PageQuery,
    Option.match({
      onNone: () => request,
      onSome: (urlParams) => HttpClientRequest.get(request.url, { headers: request.headers, urlParams })
    })
  )
)

/** A link of the header `Link` (RFC 8288 section 3): the target and the parameters. */
const linkValue = /\s*<([^<>]*)>((?:[^<>,"]|"[^"]*")*)(?:,|$)/g

const isNext = (parameters: string): boolean =>
  (/;\s*rel\s*=\s*"?([^";]*)/i.exec(parameters)?.[1] ?? "").toLowerCase().split(/\s+/).includes("next")

/**
 * The target of the next page, if it is a page of the list that was requested. A proxy can remove the start of the path.
 */
const resolveNext = (target: string, { request }: HttpClientResponse.HttpClientResponse) =>
  Option.flatMap(HttpClientRequest.toUrl(request), (requested) =>
    Option.liftThrowable(() => new URL(target, requested))().pipe(
      Option.filter(
        ({ href, origin, pathname }) =>
          origin === requested.origin && requested.pathname.endsWith(pathname) && href !== requested.href
      )
    )
  )

/**
 * The query of the page to which the header `Link` of a response points; none after the last page. Only the query is
 * used, so that the next request has the host and the path of the operation.
 */
export const nextPageQuery = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<Option.Option<UrlParams.UrlParams>, InvalidResponseError> => {
  const header = response.headers.link ?? ""
  const links = [...header.matchAll(linkValue)]
  if (links.map(([text]) => text).join("") !== header) {
    return invalidResponse(response, `The Link header is malformed: ${header}`)
  }
  const target = links.find(([, , parameters = ""]) => isNext(parameters))?.[1]
  if (target === undefined) return Effect.succeedNone
  return Option.match(resolveNext(target, response), {
    onNone: () => invalidResponse(response, `The Link header points to no next page of the list: ${header}`),
    onSome: ({ searchParams }) => Effect.succeedSome(UrlParams.fromInput(searchParams))
  })
}
