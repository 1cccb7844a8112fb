import { Effect } from "effect"
import type { Fixtures } from "./Fixtures.js"
import type { CheckedResponse, Installation } from "./Installation.js"
import type { LimitedKeys } from "./LimitedKeys.js"
import { readOnlyPosts } from "./OperationInputs.js"
import type { Operation } from "./Operations.js"
import { authorizationCases, validationCases } from "./RefusalCases.js"
import { ownRequest, unknownLike } from "./Requests.js"

const isExpected = (expected: string | null, { status, text }: CheckedResponse) => {
  if (expected === null) return status !== 401 && status !== 403
  const [code, tag, field] = expected.split(" ")
  return (
    status === Number(code) &&
    text.includes(`"_tag":"${tag}"`) &&
    (field === undefined || text.includes(`"${field}":[`))
  )
}

/** JSON parameters without a described schema, which could have ids. */
const undescribedParameters = ({ id, parameters }: Operation): ReadonlyArray<string> =>
  parameters.flatMap(({ name, schema }) =>
    schema.contentMediaType !== undefined && schema.contentSchema === undefined
      ? [`${id} does not describe the content of its parameter ${name}`]
      : []
  )

/** The problems of the permission that an operation requires. */
const permissionProblems = ({ credentials, id, method, path, permission }: Operation): ReadonlyArray<string> => {
  if (!credentials.includes("apiKey")) return []
  if (permission === null) return [`${id} accepts a key and requires no permission`]
  const isRead = method === "GET" || readOnlyPosts.has(`${method} ${path}`)
  return isRead === permission.endsWith(".read") ? [] : [`${id} is ${method} and requires ${permission}`]
}

/** The invalid requests that an operation does not refuse in the order of the contract. */
export const refusalProblems = (
  { request, credentials, unboundKey, owner }: Installation["Type"],
  operation: Operation,
  keys: LimitedKeys,
  fixtures: Fixtures
) =>
  Effect.gen(function* () {
    const own = yield* ownRequest(operation, fixtures)
    // Unknown ids, which must be checked last.
    const path = Object.fromEntries(Object.entries(own.path ?? {}).map(([name, id]) => [name, unknownLike(id)]))
    const ownerHeaders = yield* credentials(owner.key, operation.credentials[0])
    const cases = [
      ...authorizationCases(operation, keys, unboundKey),
      ...validationCases(operation, { ...own, path }).map((one) => ({
        ...one,
        parts: { ...one.parts, headers: { ...ownerHeaders, ...one.parts.headers } }
      }))
    ]
    const found = yield* Effect.forEach(cases, ({ parts, is, expected }) =>
      Effect.map(request(operation, parts), (response) => [
        ...response.problems,
        ...(isExpected(expected, response)
          ? []
          : [
              `${operation.id} ${is} responds ${response.status} ${response.text}, not ${expected ?? "a status other than 401 and 403"}`
            ])
      ])
    )
    return [...permissionProblems(operation), ...undescribedParameters(operation), ...found.flat()]
  }).pipe(Effect.catchTag("MissingFixture", ({ message }) => Effect.succeed([message])))
