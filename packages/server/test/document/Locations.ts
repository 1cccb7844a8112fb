import { Effect, Predicate } from "effect"
import type { CheckedResponse, Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"
import type { Texts } from "./TestClient.js"

const schemaOf = ({ responses }: Operation, status: number) =>
  responses[status]?.content?.["application/json"]?.schema.$ref

/** Whether the document has a GET of the resource that an operation creates: below its path, or of the same schema. */
const hasGet = (operations: ReadonlyArray<Operation>, created: Operation) =>
  operations.some(
    ({ method, path, ...get }) =>
      method === "GET" &&
      (new RegExp(`^${created.path}/\\{\\w+\\}$`).test(path) ||
        (schemaOf(created, 201) !== undefined && schemaOf({ method, path, ...get }, 200) === schemaOf(created, 201)))
  )

/** The problems of the `Location` header of a response: only a created resource that has a GET has one, and it is found there. */
export const locationProblems = (
  { operations, send }: Installation["Type"],
  operation: Operation,
  { headers: { location }, status }: CheckedResponse,
  headers: Texts
) =>
  Effect.gen(function* () {
    // A redirect leads to another host.
    if (status === 302) return []
    const isDeclared = operation.responses[201]?.headers?.Location !== undefined
    const mustHave = status === 201 && hasGet(operations, operation)
    const wrong = [
      ...(mustHave && !isDeclared ? [`${operation.id} does not declare Location`] : []),
      ...((status === 201 && isDeclared) === (location !== undefined)
        ? []
        : [`${operation.id} responds ${status} with the Location ${location}`])
    ]
    if (location === undefined) return wrong
    const { body, status: found, text } = yield* send("GET", location, { headers })
    const id = location.split("/").at(-1)
    return found === 200 && Predicate.isRecord(body) && Object.values(body).includes(id)
      ? wrong
      : [...wrong, `${operation.id} responds with the Location ${location}, which has: ${text}`]
  })
