import { Effect } from "effect"
import type { Answer, Given } from "./Ask.js"
import { idFor, idsFor, isRefused, isSubject, judged, referencesOf } from "./Fixtures.js"
import type { IdPlace } from "./IdPlaces.js"
import type { Installation, Tenant } from "./Installation.js"
import type { Operation } from "./Operations.js"
import { ownRequest, unknownLike, withId } from "./Requests.js"
import type { Stock } from "./Stock.js"

/** What differs between any two answers. */
const passing = /^(?:x-request-id|ratelimit-.*|date|connection|keep-alive)$/

/** All of an answer that its asker can tell from another, but for the ids that were asked for. */
const tellable = ({ headers, status, text }: Answer, ids: ReadonlyArray<string>) => {
  const kept = Object.entries(headers).filter(([name]) => !passing.test(name))
  return ids.reduce((said, id) => said.replaceAll(id, "the id"), JSON.stringify([status, kept, text]))
}

interface Attempt {
  readonly at: string
  /** What an operation is about is looked for as in a path, wherever it is named. */
  readonly place: IdPlace["in"]
  readonly isRefused: boolean
  /** The ids of somebody else. */
  readonly ids: ReadonlyArray<string>
  readonly given: (ids: ReadonlyArray<string>) => Given
}

/** Every way to name things of the owner in an operation, in requests that otherwise are the stranger's own. */
const attempts = Effect.fnUntraced(function* (operation: Operation, owners: Stock, strangers: Stock) {
  const own = yield* ownRequest(operation, strangers)
  const theirs: Readonly<Record<string, string>> = yield* idsFor(operation, owners)
  const all = operation.places.filter((place) => place.in === "path")
  // One at a time, and all at once.
  const paths = [...all.map((place) => [place]), ...(all.length > 1 ? [all] : [])].map(
    (places): Attempt => ({
      at: places.map(({ name }) => name).join(" and "),
      place: "path",
      isRefused: false,
      ids: places.map(({ name }) => theirs[name] ?? ""),
      given: (ids) => places.reduce((given, place, index) => withId(given, place, ids[index] ?? ""), own)
    })
  )
  const others = yield* Effect.forEach(referencesOf(operation), (place) =>
    Effect.map(
      idFor(operation, place, owners),
      (id): Attempt => ({
        at: [place.in, ...place.at, ...(place.at.length === 0 ? [place.name] : [])].join("."),
        place: isSubject(operation, place) ? "path" : place.in,
        isRefused: isRefused(place),
        ids: [id],
        given: ([first = ""]) => withId(own, place, first)
      })
    )
  )
  return [...paths, ...others]
})

/** Whether the answer to an unknown id is the one of the contract. */
const isRightfulFor = (operation: Operation, { isRefused, place }: Attempt, answer: Answer) => {
  const status = judged(operation, answer)
  if (place === "path") return status === 404 && answer.text.includes('"_tag":"ResourceNotFoundError"')
  if (place === "body") return status === 404 || status === 422
  return isRefused ? status === 400 : status === 200 && answer.text.includes('"items":[],"pagination":{"page":1')
}

/** What a stranger can tell apart: ids of the owner from ids of nothing, by one operation. */
export const toldApart = (
  { ask, credentials, stranger }: Installation["Type"],
  operation: Operation,
  owners: Stock,
  strangers: Stock
) =>
  Effect.gen(function* () {
    const ways = yield* attempts(operation, owners, strangers)
    const cases = ways.flatMap((attempt) => operation.credentials.map((way) => ({ attempt, way })))
    const found = yield* Effect.forEach(cases, ({ attempt, way }) =>
      Effect.gen(function* () {
        const headers = yield* credentials(stranger.key, way)
        const name = `${operation.id} with somebody else's ${attempt.at}, by ${way},`
        const askAbout = (ids: ReadonlyArray<string>) => {
          const given = attempt.given(ids)
          return ask(operation, { ...given, headers: { ...given.headers, ...headers } })
        }
        const foreign = yield* askAbout(attempt.ids)
        const unknown = attempt.ids.map(unknownLike)
        const nothing = yield* askAbout(unknown)
        return [
          ...foreign.problems,
          ...nothing.problems,
          ...(isRightfulFor(operation, attempt, nothing) ? [] : [`${name} answers ${nothing.status}: ${nothing.text}`]),
          ...(tellable(foreign, attempt.ids) === tellable(nothing, unknown)
            ? []
            : [`${name} can be told from an unknown one: ${foreign.status} ${foreign.text}, not ${nothing.text}`])
        ]
      })
    )
    return found.flat()
  }).pipe(Effect.catchTag("Unmade", ({ message }) => Effect.succeed([message])))

/** Whatever can be read about an organization's things, as it reads it itself. When its keys were used last may change. */
export const everythingRead = (
  { ask, credentials, operations }: Installation["Type"],
  { key }: Tenant,
  stock: Stock
) => {
  const reads = operations.filter(
    ({ credentials, isStream, method }) => credentials.length > 0 && method === "GET" && !isStream
  )
  return Effect.forEach(
    reads,
    (operation) =>
      Effect.gen(function* () {
        const given = yield* ownRequest(operation, stock)
        const answer = yield* ask(operation, { ...given, headers: yield* credentials(key, "apiKey") })
        return [operation.id, answer.text.replace(/,?"lastUsedAt":"[^"]+"/g, "")] as const
      }).pipe(Effect.catchTag("Unmade", ({ message }) => Effect.succeed([operation.id, message] as const))),
    { concurrency: 8 }
  )
}

type Read = ReadonlyArray<readonly [operation: string, text: string]>

/** By which operations each id is told. */
const tellersOf = (read: Read) => {
  const tellers = new Map<string, ReadonlySet<string>>()
  for (const [operation, text] of read) {
    for (const [id] of text.matchAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g)) {
      tellers.set(id, new Set([...(tellers.get(id) ?? []), operation]))
    }
  }
  return tellers
}

/** What two organizations both read of, who share nothing. */
export const sharedIds = (owners: Read, strangers: Read): ReadonlyArray<string> => {
  const told = tellersOf(strangers)
  return [...tellersOf(owners)].flatMap(([id, toOwner]) => {
    const toStranger = told.get(id)
    return toStranger === undefined
      ? []
      : [`${id} is told to one organization by ${[...toOwner]}, to another by ${[...toStranger]}`]
  })
}
