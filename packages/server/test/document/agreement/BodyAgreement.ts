import { Effect } from "effect"
import type { Fixtures } from "../Fixtures.js"
import type { Installation } from "../Installation.js"
import { jsonSchemaProblems } from "../JsonSchemaProblems.js"
import { idFor, isCallback, referencesOf } from "../OperationInputs.js"
import type { Operation } from "../Operations.js"
import { ownRequest } from "../Requests.js"
import { disagreements, shortened } from "./Disagreements.js"
import { randomValues, type Selection, sample, subset } from "./RandomValues.js"
import { variations } from "./Variations.js"

/**
 * The disagreements of document and service on bodies of an operation: a valid one, random ones, and variations of some
 * of these.
 */
export const bodyProblems = Effect.fnUntraced(function* (
  { credentials, document, owner, request }: Installation["Type"],
  operation: Operation,
  fixtures: Fixtures,
  { count, seed }: Selection
) {
  // The signature of a callback is checked before its body.
  if (operation.body === null || isCallback(operation)) return []
  const { schema } = operation.body
  const problems = jsonSchemaProblems(document)
  const own = yield* ownRequest(operation, fixtures)
  const ids = yield* Effect.forEach(referencesOf(operation), (place) => idFor(operation, place, fixtures))
  const random = sample(randomValues(document, ids)(schema), { count: Math.ceil(count / 4), seed })
  const vary = variations(document, problems)
  const varied = [own.body, ...random.slice(0, 4)].flatMap((body) => vary(schema, body))
  const bodies = [own.body, ...random, ...subset(varied, { count: count - random.length, seed })]
  const headers = yield* credentials(owner.key, operation.credentials[0])
  const found = yield* Effect.forEach(
    bodies,
    (body) => {
      const text = JSON.stringify(body)
      const isValid = problems(schema, JSON.parse(text)).length === 0
      return Effect.map(
        request(operation, { ...own, headers: { ...own.headers, ...headers }, body: text }),
        (response) =>
          [...response.problems, ...disagreements(isValid, response)].map(
            (problem) => `${operation.id}: ${shortened(problem)} (${response.status}): ${shortened(text)}`
          )
      )
    },
    { concurrency: 3 }
  )
  return found.flat()
})
