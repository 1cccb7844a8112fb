import { Effect, Predicate } from "effect"
import type { Fixtures } from "../Fixtures.js"
import type { Installation } from "../Installation.js"
import { jsonSchemaProblems } from "../JsonSchemaProblems.js"
import type { JsonSchema, Parameter } from "../OpenApiDocument.js"
import { idFor, referencesOf } from "../OperationInputs.js"
import type { Operation } from "../Operations.js"
import { ownRequest } from "../Requests.js"
import { disagreements, shortened } from "./Disagreements.js"
import { randomValues, type Selection, sample, subset } from "./RandomValues.js"
import { variations } from "./Variations.js"

const textOf = (value: unknown): string => (Predicate.isString(value) ? value : JSON.stringify(value))

/** The value that a parameter's text stands for, by its schema. */
const valueOf = ({ contentSchema, type }: JsonSchema, text: string): unknown => {
  if (contentSchema === undefined && type !== "integer") return text
  try {
    const value: unknown = JSON.parse(text)
    return contentSchema !== undefined || String(value) === text ? value : text
  } catch {
    return text
  }
}

/** The disagreements of document and service on random values of the query parameters of an operation. */
export const parameterProblems = Effect.fnUntraced(function* (
  { credentials, document, owner, request }: Installation["Type"],
  operation: Operation,
  fixtures: Fixtures,
  { count, seed }: Selection
) {
  const parameters = operation.parameters.filter(({ in: place }) => place === "query")
  if (parameters.length === 0 || operation.isStream || operation.credentials.length === 0) return []
  const problems = jsonSchemaProblems(document)
  const vary = variations(document, problems)
  const own = yield* ownRequest(operation, fixtures)
  const ids = yield* Effect.forEach(referencesOf(operation), (place) => idFor(operation, place, fixtures))
  const headers = yield* credentials(owner.key, operation.credentials[0])

  const valuesFor = ({ schema }: Parameter): ReadonlyArray<string> => {
    const described = schema.contentSchema ?? schema
    const random = sample(randomValues(document, ids)(described), { count: Math.ceil(count / 4), seed })
    const varied = random.slice(0, 2).flatMap((value) => vary(described, value))
    return [...random, ...subset(varied, { count: count - random.length, seed })].map(textOf)
  }

  const isValid = ({ schema }: Parameter, text: string) =>
    problems(schema.contentSchema ?? schema, valueOf(schema, text)).length === 0

  const found = yield* Effect.forEach(
    parameters.flatMap((parameter) => valuesFor(parameter).map((text) => ({ parameter, text }))),
    ({ parameter, text }) =>
      Effect.map(
        request(operation, {
          ...own,
          headers: { ...own.headers, ...headers },
          query: { ...own.query, [parameter.name]: text }
        }),
        (response) =>
          [...response.problems, ...disagreements(isValid(parameter, text), response)].map(
            (problem) =>
              `${operation.id}: ${parameter.name}: ${shortened(problem)} (${response.status}): ${shortened(JSON.stringify(text))}`
          )
      ),
    { concurrency: 3 }
  )
  return found.flat()
})
