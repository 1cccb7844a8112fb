import { Effect } from "effect"
import type { Fixtures } from "./Fixtures.js"
import type { IdPlace } from "./IdPlaces.js"
import type { Installation, Tenant } from "./Installation.js"
import { idFor, idsFor, isRefused, isSubject, referencesOf, statusOf } from "./OperationInputs.js"
import type { Operation } from "./Operations.js"
import { ownRequest, unknownLike, withId } from "./Requests.js"
import type { RequestParts, TestResponse, Texts } from "./TestClient.js"

/** Headers that differ between any two responses. */
const volatileHeaders = /^(?:x-request-id|ratelimit-.*|date|connection|keep-alive)$/

/** The comparable content of a response, without the requested ids. */
const comparable = ({ headers, status, text }: TestResponse, ids: ReadonlyArray<string>) => {
  const comparedHeaders = Object.entries(headers).filter(([name]) => !volatileHeaders.test(name))
  return ids.reduce((content, id) => content.replaceAll(id, "the id"), JSON.stringify([status, comparedHeaders, text]))
}

interface Attempt {
  readonly at: string
  /** `path` also for query parameters that select the resource. */
  readonly place: IdPlace["in"]
  readonly isRefused: boolean
  /** The foreign ids. */
  readonly ids: ReadonlyArray<string>
  readonly parts: (ids: ReadonlyArray<string>) => RequestParts
}

/** All requests of the other organization with ids of the owner. */
const attempts = Effect.fnUntraced(function* (operation: Operation, ownerFixtures: Fixtures, otherFixtures: Fixtures) {
  const own = yield* ownRequest(operation, otherFixtures)
  const theirs: Readonly<Record<string, string>> = yield* idsFor(operation, ownerFixtures)
  const all = operation.places.filter((place) => place.in === "path")
  // Each path parameter alone, and all together.
  const paths = [...all.map((place) => [place]), ...(all.length > 1 ? [all] : [])].map(
    (places): Attempt => ({
      at: places.map(({ name }) => name).join(" and "),
      place: "path",
      isRefused: false,
      ids: places.map(({ name }) => theirs[name] ?? ""),
      parts: (ids) => places.reduce((parts, place, index) => withId(parts, place, ids[index] ?? ""), own)
    })
  )
  const others = yield* Effect.forEach(referencesOf(operation), (place) =>
    Effect.map(
      idFor(operation, place, ownerFixtures),
      (id): Attempt => ({
        at: [place.in, ...place.at, ...(place.at.length === 0 ? [place.name] : [])].join("."),
        place: isSubject(operation, place) ? "path" : place.in,
        isRefused: isRefused(place),
        ids: [id],
        parts: ([first = ""]) => withId(own, place, first)
      })
    )
  )
  return [...paths, ...others]
})

/** Whether the response to an unknown id follows the contract. */
const followsContract = (operation: Operation, { isRefused, place }: Attempt, response: TestResponse) => {
  const status = statusOf(operation, response)
  if (place === "path") return status === 404 && response.text.includes('"_tag":"ResourceNotFoundError"')
  if (place === "body") return status === 404 || status === 422
  return isRefused ? status === 400 : status === 200 && response.text.includes('"items":[],"pagination":{"page":1')
}

/** Responses of an operation that differ between ids of another organization and unknown ids. */
export const foreignIdProblems = (
  { request }: Installation["Type"],
  operation: Operation,
  ownerFixtures: Fixtures,
  otherFixtures: Fixtures,
  headersOf: (scheme: string) => Effect.Effect<Texts>
) =>
  Effect.gen(function* () {
    const all = yield* attempts(operation, ownerFixtures, otherFixtures)
    const cases = all.flatMap((attempt) => operation.credentials.map((scheme) => ({ attempt, scheme })))
    const found = yield* Effect.forEach(cases, ({ attempt, scheme }) =>
      Effect.gen(function* () {
        const headers = yield* headersOf(scheme)
        const name = `${operation.id} with the other organization's ${attempt.at} and ${scheme}`
        const requestWith = (ids: ReadonlyArray<string>) => {
          const parts = attempt.parts(ids)
          return request(operation, { ...parts, headers: { ...parts.headers, ...headers } })
        }
        const foreign = yield* requestWith(attempt.ids)
        const unknown = attempt.ids.map(unknownLike)
        const missing = yield* requestWith(unknown)
        return [
          ...foreign.problems,
          ...missing.problems,
          ...(followsContract(operation, attempt, missing)
            ? []
            : [`${name} responds ${missing.status}: ${missing.text}`]),
          ...(comparable(foreign, attempt.ids) === comparable(missing, unknown)
            ? []
            : [`${name} differs from an unknown one: ${foreign.status} ${foreign.text}, not ${missing.text}`])
        ]
      })
    )
    return found.flat()
  }).pipe(Effect.catchTag("MissingFixture", ({ message }) => Effect.succeed([message])))

/**
 * The responses of all read operations to an organization, without the time of the last use of keys. The state of the
 * installation is no resource of an organization, and changes.
 */
export const readEverything = (
  { request, credentials, operations }: Installation["Type"],
  { key }: Tenant,
  fixtures: Fixtures
) => {
  const reads = operations.filter(
    ({ credentials, isStream, method, permission }) =>
      credentials.includes("apiKey") && method === "GET" && !isStream && permission !== "system.read"
  )
  return Effect.forEach(
    reads,
    (operation) =>
      Effect.gen(function* () {
        const parts = yield* ownRequest(operation, fixtures)
        const response = yield* request(operation, { ...parts, headers: yield* credentials(key, "apiKey") })
        return [operation.id, response.text.replace(/,?"(?:lastUsedAt|checkedAt)":"[^"]+"/g, "")] as const
      }).pipe(Effect.catchTag("MissingFixture", ({ message }) => Effect.succeed([operation.id, message] as const))),
    { concurrency: 8 }
  )
}

type Read = ReadonlyArray<readonly [operation: string, text: string]>

/** The operations that return each id. */
const operationsById = (read: Read) => {
  const operations = new Map<string, ReadonlySet<string>>()
  for (const [operation, text] of read) {
    for (const [id] of text.matchAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g)) {
      operations.set(id, new Set([...(operations.get(id) ?? []), operation]))
    }
  }
  return operations
}

/** Ids that both organizations read: there must be none. */
export const sharedIds = (ownerFixtures: Read, otherFixtures: Read): ReadonlyArray<string> => {
  const others = operationsById(otherFixtures)
  return [...operationsById(ownerFixtures)].flatMap(([id, byOwner]) => {
    const byOther = others.get(id)
    return byOther === undefined
      ? []
      : [`${id} is returned to one organization by ${[...byOwner]}, to the other by ${[...byOther]}`]
  })
}
