import { Effect, Predicate } from "effect"
import { type Fixtures, makeFixtures } from "./Fixtures.js"
import type { CheckedResponse, Installation } from "./Installation.js"
import { locationProblems } from "./Locations.js"
import { idFor, isCallback, isForMailedToken, isForUsers, referencesOf, statusOf } from "./OperationInputs.js"
import type { Operation } from "./Operations.js"
import { ownRequest, withId } from "./Requests.js"

const isList = (body: unknown): body is { readonly items: ReadonlyArray<unknown> } =>
  Predicate.hasProperty(body, "items") && Array.isArray(body.items)

const problemsWith = (
  operation: Operation,
  what: string,
  response: CheckedResponse,
  mustFind: boolean
): ReadonlyArray<string> => {
  const status = statusOf(operation, response)
  if (isCallback(operation) && (status === 401 || status === 404)) return response.problems
  if (isForUsers(operation) && status === 403) return response.problems
  if (isForMailedToken(operation) && status === 401) return response.problems
  if (status >= 300 && status !== 302)
    return [`${operation.id} ${what} responds to its own organization ${status}: ${response.text}`]
  const isEmpty = mustFind && isList(response.body) && response.body.items.length === 0
  return [...response.problems, ...(isEmpty ? [`${operation.id} ${what} finds nothing for its own organization`] : [])]
}

/**
 * The problems of an operation with the organization's own ids: one request, and one more for each id outside the path.
 * Without this test, the refusal of foreign ids would prove nothing. Operations that only read share fixtures.
 */
export const ownResponseProblems = (installation: Installation["Type"], operation: Operation, readFixtures: Fixtures) =>
  Effect.gen(function* () {
    const { request, credentials, owner } = installation
    const found = yield* Effect.forEach([null, ...referencesOf(operation)], (place) =>
      Effect.gen(function* () {
        const name = [operation.id, place?.name, ...(place?.at ?? [])].join(" ")
        const fixtures = operation.method === "GET" ? readFixtures : yield* makeFixtures(installation, owner, name)
        const own = yield* ownRequest(operation, fixtures)
        const parts = place === null ? own : withId(own, place, yield* idFor(operation, place, fixtures))
        const headers = { ...parts.headers, ...(yield* credentials(owner.key, operation.credentials[0])) }
        const response = yield* request(operation, { ...parts, headers })
        return [
          ...problemsWith(operation, place === null ? "" : `with a ${place.name}`, response, place !== null),
          ...(yield* locationProblems(installation, operation, response, headers))
        ]
      })
    )
    return found.flat()
  }).pipe(Effect.catchTag("MissingFixture", ({ message }) => Effect.succeed([message])))
