import { Predicate } from "effect"
import type { Given, Texts } from "./Ask.js"
import type { FewPermissions } from "./FewPermissions.js"
import type { Operation } from "./Operations.js"
import { withId } from "./Requests.js"

/** A request, and the error that it must get; null where it must only not be 401 or 403. */
export interface RefusalCase {
  readonly is: string
  readonly given: Given
  readonly wanted: string | null
}

const key = (value: string): Texts => ({ "X-API-Key": value })
const unknownKey = `sk_sm_${"Z".repeat(40)}`

/** As wrong as the operation lets a request be: nobody hears of that who may not ask at all. */
const wrong = ({ body, pathParameters }: Operation): Given => ({
  path: Object.fromEntries(pathParameters.map((name) => [name, "no-id"])),
  ...(body === null ? {} : { body: "{" })
})

/** Who may not ask. The rest of the request is as wrong as can be, and it is asked first who sent it. */
export const whoMayAsk = (
  operation: Operation,
  keys: FewPermissions,
  nobodysKey: string
): ReadonlyArray<RefusalCase> => {
  const { credentials, permission } = operation
  if (credentials.length === 0) return []
  const by = (is: string, headers: Texts, wanted: string | null): RefusalCase => ({
    is,
    given: { ...wrong(operation), headers },
    wanted
  })
  const nobody = [
    by("without any key", {}, "401 UnauthorizedError"),
    by("with a key that is none", key(unknownKey), "401 UnauthorizedError")
  ]
  if (!credentials.includes("apiKey")) return nobody
  const own = keys.by.get(permission ?? "")
  return [
    ...nobody,
    by("with a key of no organization", key(nobodysKey), "403 ForbiddenError"),
    by("with a key that may do nothing", key(keys.none), "403 ForbiddenError"),
    by(`with a key that may do all but ${permission}`, key(own?.allBut ?? unknownKey), "403 ForbiddenError"),
    by(`with a key that may do ${permission} alone`, key(own?.only ?? unknownKey), null),
    by("with a viewer's key", key(keys.viewer), permission?.endsWith(".read") === true ? null : "403 ForbiddenError")
  ]
}

/** A link's token is any text. */
const isId = (name: string) => name !== "token"

/** What can't be read, in the order in which it is found. What it is about is not there: that is found last. */
export const whatIsAsked = (operation: Operation, unknown: Given): ReadonlyArray<RefusalCase> => {
  const { body, parameters, pathParameters, places } = operation
  const bad = "400 BadRequestError"
  const parameter = (is: string, given: Given): RefusalCase => ({
    is,
    given: { ...given, ...(body && { body: "{" }) },
    wanted: bad
  })
  const has = (name: string) => parameters.some((one) => one.in === "query" && one.name === name)
  return [
    ...pathParameters
      .filter(isId)
      .map((name) => parameter(`with no uuid as ${name}`, { ...unknown, path: { ...unknown.path, [name]: "no-id" } })),
    ...places
      .filter(({ in: place }) => place === "query" || place === "header")
      .map((place) => parameter(`with no uuid as ${place.name}`, withId(unknown, place, "no-id"))),
    ...(has("filters")
      ? [parameter("with a filter that there is not", { ...unknown, query: { filters: '{"noSuchFilter":true}' } })]
      : []),
    ...(has("page") ? [parameter("with a page before the first", { ...unknown, query: { page: "0" } })] : []),
    ...(has("limit") ? [parameter("with too many a page", { ...unknown, query: { limit: "101" } })] : []),
    ...(body === null
      ? []
      : [
          { is: "with malformed JSON", given: { ...unknown, body: '{"' }, wanted: bad },
          { is: "with a list as its body", given: { ...unknown, body: [] }, wanted: bad },
          {
            is: "with text",
            given: { ...unknown, headers: { "Content-Type": "text/plain" }, body: "{}" },
            wanted: bad
          },
          {
            is: "with an unknown field",
            given: { ...unknown, body: { ...(Predicate.isRecord(unknown.body) ? unknown.body : {}), noSuchField: 1 } },
            wanted: "422 ValidationError noSuchField"
          }
        ])
  ]
}
