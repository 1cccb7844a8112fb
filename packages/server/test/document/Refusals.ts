import { resourceActions } from "@switchboard/domain/apiKeys/Permission"
import { Effect, Predicate, Schema } from "effect"
import type { Given, Texts } from "./Ask.js"
import { lookByPost } from "./Fixtures.js"
import type { Asked, Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"
import { ownRequest, unknownLike, withId } from "./Requests.js"
import { type Stock, Unmade } from "./Stock.js"

type Permissions = Readonly<Record<string, ReadonlyArray<string>>>

/** Keys of the owner that may do little. */
export const fewPermissions = Effect.fnUntraced(function* ({ operations, owner, send }: Installation["Type"]) {
  const keyWith = (grants: { readonly permissions: Permissions } | { readonly roleName: string }) =>
    Effect.flatMap(
      send("POST", "/v1/api-keys", { headers: { "X-API-Key": owner.key }, body: { name: "Few", ...grants } }),
      ({ body, text }) =>
        Effect.mapBoth(Schema.decodeUnknown(Schema.Struct({ key: Schema.String }))(body), {
          onFailure: () => new Unmade({ sentence: `No key was made: ${text}` }),
          onSuccess: ({ key }) => key
        })
    )
  const all = Object.entries<ReadonlyArray<string>>(resourceActions)
  const split = (permission: string) => permission.split(".")
  const allBut = ([resource, action]: ReadonlyArray<string>): Permissions =>
    Object.fromEntries(
      all.map(([name, actions]) => [name, actions.filter((one) => name !== resource || one !== action)])
    )
  const named = new Set(operations.flatMap(({ permission }) => permission ?? []))
  const pairs = yield* Effect.forEach(
    named,
    (permission) =>
      Effect.map(
        Effect.all([
          keyWith({ permissions: { [split(permission)[0] ?? ""]: [split(permission)[1] ?? ""] } }),
          keyWith({ permissions: allBut(split(permission)) })
        ]),
        ([only, allButIt]) => [permission, { only, allBut: allButIt }] as const
      ),
    { concurrency: 4 }
  )
  return {
    none: yield* keyWith({ permissions: {} }),
    viewer: yield* keyWith({ roleName: "viewer" }),
    by: new Map(pairs)
  }
})
export type FewPermissions = Effect.Effect.Success<ReturnType<typeof fewPermissions>>

/** A request, and the error that it must get; null where it must only not be 401 or 403. */
interface Case {
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
const whoMayAsk = (operation: Operation, keys: FewPermissions, nobodysKey: string): ReadonlyArray<Case> => {
  const { credentials, permission } = operation
  if (credentials.length === 0) return []
  const by = (is: string, headers: Texts, wanted: string | null): Case => ({
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

/** What can't be read, in the order in which it is found. What it is about is not there: that is found last. */
const whatIsAsked = (operation: Operation, unknown: Given): ReadonlyArray<Case> => {
  const { body, parameters, pathParameters, places } = operation
  const bad = "400 BadRequestError"
  const parameter = (is: string, given: Given): Case => ({
    is,
    given: { ...given, ...(body && { body: "{" }) },
    wanted: bad
  })
  const has = (name: string) => parameters.some((one) => one.in === "query" && one.name === name)
  return [
    ...pathParameters.map((name) =>
      parameter(`with no uuid as ${name}`, { ...unknown, path: { ...unknown.path, [name]: "no-id" } })
    ),
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

const isWanted = (wanted: string | null, { status, text }: Asked) => {
  if (wanted === null) return status !== 401 && status !== 403
  const [code, tag, field] = wanted.split(" ")
  return (
    status === Number(code) &&
    text.includes(`"_tag":"${tag}"`) &&
    (field === undefined || text.includes(`"${field}":[`))
  )
}

/** What is wrong with the permission that an operation names. */
const permissionProblems = ({ credentials, id, method, path, permission }: Operation): ReadonlyArray<string> => {
  if (!credentials.includes("apiKey")) return []
  if (permission === null) return [`${id} takes a key and names no permission`]
  const looks = method === "GET" || lookByPost.has(`${method} ${path}`)
  return looks === permission.endsWith(".read") ? [] : [`${id} is ${method} and asks for ${permission}`]
}

/** Where an operation does not refuse what it must, in the order of the contract. */
export const refusalProblems = (
  { ask, credentials, nobodysKey, owner }: Installation["Type"],
  operation: Operation,
  keys: FewPermissions,
  stock: Stock
) =>
  Effect.gen(function* () {
    const own = yield* ownRequest(operation, stock)
    // It is about nothing: that would be found out last.
    const path = Object.fromEntries(Object.entries(own.path ?? {}).map(([name, id]) => [name, unknownLike(id)]))
    const known = yield* credentials(owner.key, operation.credentials[0])
    const cases = [
      ...whoMayAsk(operation, keys, nobodysKey),
      ...whatIsAsked(operation, { ...own, path }).map((one) => ({
        ...one,
        given: { ...one.given, headers: { ...known, ...one.given.headers } }
      }))
    ]
    const found = yield* Effect.forEach(cases, ({ given, is, wanted }) =>
      Effect.map(ask(operation, given), (answer) => [
        ...answer.problems,
        ...(isWanted(wanted, answer)
          ? []
          : [`${operation.id} ${is} answers ${answer.status} ${answer.text}, not ${wanted ?? "what the key may have"}`])
      ])
    )
    return [...permissionProblems(operation), ...found.flat()]
  }).pipe(Effect.catchTag("Unmade", ({ sentence }) => Effect.succeed([sentence])))

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** Whether an operation has this method and path; `/things/stats` is also the `/things/{id}` of another method. */
const isRoute = (operations: ReadonlyArray<Operation>, method: string, path: string) =>
  operations.some(
    (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path)
  )

/** Where a path answers to a method that it does not have as if there were such a route. Nobody is asked for a key. */
export const strayMethods = ({ operations, send }: Installation["Type"]) =>
  Effect.gen(function* () {
    const paths = new Set(operations.flatMap(({ path }) => [path, `${path}/and-on`]))
    const strays = [...paths].flatMap((path) =>
      methods.filter((method) => !isRoute(operations, method, path)).map((method) => ({ method, path }))
    )
    const found = yield* Effect.forEach(
      strays,
      ({ method, path }) => {
        const address = path.replace(/\{\w+\}/g, "019e0000-0000-7000-8000-000000000000")
        const wanted = JSON.stringify({ resource: "route", id: address, _tag: "ResourceNotFoundError" })
        return Effect.map(send(method, address), ({ status, text }) =>
          status === 404 && text === wanted ? [] : [`${method} ${address} answers ${status} ${text}`]
        )
      },
      { concurrency: 6 }
    )
    return found.flat()
  })
