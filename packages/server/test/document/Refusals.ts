import { Effect } from "effect"
import type { FewPermissions } from "./FewPermissions.js"
import { lookByPost } from "./Fixtures.js"
import type { Asked, Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"
import { whatIsAsked, whoMayAsk } from "./RefusalCases.js"
import { ownRequest, unknownLike } from "./Requests.js"
import type { Stock } from "./Stock.js"

const isWanted = (wanted: string | null, { status, text }: Asked) => {
  if (wanted === null) return status !== 401 && status !== 403
  const [code, tag, field] = wanted.split(" ")
  return (
    status === Number(code) &&
    text.includes(`"_tag":"${tag}"`) &&
    (field === undefined || text.includes(`"${field}":[`))
  )
}

/** Parameters whose JSON is not described: there might be ids in it. */
const unlooked = ({ id, parameters }: Operation): ReadonlyArray<string> =>
  parameters.flatMap(({ name, schema }) =>
    schema.contentMediaType !== undefined && schema.contentSchema === undefined
      ? [`${id} does not describe what is in its parameter ${name}`]
      : []
  )

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
    return [...permissionProblems(operation), ...unlooked(operation), ...found.flat()]
  }).pipe(Effect.catchTag("Unmade", ({ message }) => Effect.succeed([message])))
