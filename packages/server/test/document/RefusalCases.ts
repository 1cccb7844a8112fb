import { Predicate } from "effect"
import type { LimitedKeys } from "./LimitedKeys.js"
import { isCallback, referencesOf } from "./OperationInputs.js"
import type { Operation } from "./Operations.js"
import { withId } from "./Requests.js"
import type { RequestParts, Texts } from "./TestClient.js"

/** A request and its expected error; null means any status except 401 and 403. */
export interface RefusalCase {
  readonly is: string
  readonly parts: RequestParts
  readonly expected: string | null
}

const key = (value: string): Texts => ({ "X-API-Key": value })
const bearer = (value: string): Texts => ({ Authorization: `Bearer ${value}` })
const unknownKey = `sk_sm_${"Z".repeat(40)}`

/** Path and body are invalid: authorization must be checked before them. */
const invalidRequest = ({ body, pathParameters }: Operation): RequestParts => ({
  path: Object.fromEntries(pathParameters.map((name) => [name, "no-id"])),
  ...(body === null ? {} : { body: "{" })
})

/** Requests with missing or insufficient authorization. */
export const authorizationCases = (
  operation: Operation,
  keys: LimitedKeys,
  unboundKey: string
): ReadonlyArray<RefusalCase> => {
  const { credentials, permission } = operation
  if (credentials.length === 0) return []
  const by = (is: string, headers: Texts, expected: string | null): RefusalCase => ({
    is,
    parts: { ...invalidRequest(operation), headers },
    expected
  })
  const unauthenticated = [
    by("without a key", {}, "401 UnauthorizedError"),
    by("with an unknown key", key(unknownKey), "401 UnauthorizedError")
  ]
  if (!credentials.includes("apiKey")) return unauthenticated
  const own = keys.by.get(permission ?? "")
  // The actions on the installation are those of no role.
  const isRead = permission?.endsWith(".read") === true && permission !== "system.read"
  return [
    ...unauthenticated,
    by("with different keys", { ...key(keys.none), ...bearer(keys.viewer) }, "401 UnauthorizedError"),
    by("with a key of no organization", key(unboundKey), "403 ForbiddenError"),
    by("with a key without permissions", key(keys.none), "403 ForbiddenError"),
    by(`with a key with all permissions except ${permission}`, key(own?.allBut ?? unknownKey), "403 ForbiddenError"),
    by(`with a Bearer key with only ${permission}`, bearer(own?.only ?? unknownKey), null),
    by(`with a key with only ${permission}`, key(own?.only ?? unknownKey), null),
    by("with a viewer's key", key(keys.viewer), isRead ? null : "403 ForbiddenError")
  ]
}

/** Tokens of links can be any text. */
const isId = (name: string) => name !== "token"

/** Invalid requests in the order of their validation. The resource is unknown, which is checked last. */
export const validationCases = (operation: Operation, unknown: RequestParts): ReadonlyArray<RefusalCase> => {
  const { body, parameters, pathParameters } = operation
  const bad = "400 BadRequestError"
  const parameter = (is: string, parts: RequestParts): RefusalCase => ({
    is,
    parts: { ...parts, ...(body && { body: "{" }) },
    expected: bad
  })
  const has = (name: string) => parameters.some((one) => one.in === "query" && one.name === name)
  return [
    ...pathParameters
      .filter(isId)
      .map((name) =>
        parameter(`with an invalid uuid as ${name}`, { ...unknown, path: { ...unknown.path, [name]: "no-id" } })
      ),
    ...referencesOf(operation)
      .filter(({ in: place }) => place === "query" || place === "header")
      .map((place) => parameter(`with an invalid uuid as ${place.name}`, withId(unknown, place, "no-id"))),
    ...(has("filters")
      ? [parameter("with an unknown filter", { ...unknown, query: { filters: '{"noSuchFilter":true}' } })]
      : []),
    ...(has("page") ? [parameter("with page 0", { ...unknown, query: { page: "0" } })] : []),
    ...(has("limit") ? [parameter("with a limit above the maximum", { ...unknown, query: { limit: "101" } })] : []),
    ...(body === null || isCallback(operation)
      ? []
      : [
          { is: "with malformed JSON", parts: { ...unknown, body: '{"' }, expected: bad },
          { is: "with an array as body", parts: { ...unknown, body: [] }, expected: bad },
          {
            is: "with a text body",
            parts: { ...unknown, headers: { "Content-Type": "text/plain" }, body: "{}" },
            expected: bad
          },
          {
            is: "with an unknown field",
            parts: {
              ...unknown,
              body: { ...(Predicate.isRecord(unknown.body) ? unknown.body : {}), noSuchField: 1 }
            },
            expected: "422 ValidationError noSuchField"
          }
        ])
  ]
}
