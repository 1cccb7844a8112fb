import { Effect, Predicate } from "effect"
import { idFor, judged, referencesOf } from "./Fixtures.js"
import type { Asked, Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"
import { ownRequest, withId } from "./Requests.js"
import { stockOf } from "./Stock.js"

const isList = (body: unknown): body is { readonly items: ReadonlyArray<unknown> } =>
  Predicate.hasProperty(body, "items") && Array.isArray(body.items)

const unwell = (operation: Operation, what: string, answer: Asked, mustFind: boolean): ReadonlyArray<string> => {
  const status = judged(operation, answer)
  if (status >= 300) return [`${operation.id} ${what} answers its own organization ${status}: ${answer.text}`]
  const isEmpty = mustFind && isList(answer.body) && answer.body.items.length === 0
  return [...answer.problems, ...(isEmpty ? [`${operation.id} ${what} finds nothing for its own organization`] : [])]
}

/**
 * What is wrong with what an organization hears of its own: the operation asked with its own ids, and once more with
 * each id that it can name beside its path. Without this, a refusal of somebody else's ids would prove nothing.
 */
export const ownAnswers = (installation: Installation["Type"], operation: Operation) =>
  Effect.gen(function* () {
    const { ask, credentials, owner } = installation
    const tried = yield* Effect.forEach([null, ...referencesOf(operation)], (place) =>
      Effect.gen(function* () {
        const stock = yield* stockOf(installation, owner, [operation.id, place?.name, ...(place?.at ?? [])].join(" "))
        const own = yield* ownRequest(operation, stock)
        const given = place === null ? own : withId(own, place, yield* idFor(operation, place, stock))
        const headers = { ...given.headers, ...(yield* credentials(owner.key, operation.credentials[0])) }
        const answer = yield* ask(operation, { ...given, headers })
        return unwell(operation, place === null ? "" : `with a ${place.name}`, answer, place !== null)
      })
    )
    return tried.flat()
  }).pipe(Effect.catchTag("Unmade", ({ message }) => Effect.succeed([message])))
