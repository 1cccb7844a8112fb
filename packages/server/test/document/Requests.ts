import { randomBytes } from "node:crypto"
import { Effect, Predicate } from "effect"
import type { Given } from "./Ask.js"
import { bodyFor, idsFor, queryFor, standsAlone } from "./Fixtures.js"
import { type IdPlace, putAt } from "./IdPlaces.js"
import type { Operation } from "./Operations.js"
import type { Stock } from "./Stock.js"

/** A request that an organization may make of an operation, about its own things. */
export const ownRequest = Effect.fnUntraced(function* (operation: Operation, stock: Stock) {
  const path = yield* idsFor(operation, stock)
  const query = yield* queryFor(operation, stock)
  const body = yield* bodyFor(operation, stock)
  const { textType } = operation
  const given: Given = {
    path,
    query,
    ...(textType === null ? {} : { headers: { "Content-Type": textType } }),
    ...(body === undefined ? {} : { body })
  }
  return given
})

/** The same request, with another id in one place. */
export const withId = (given: Given, place: IdPlace, id: string): Given => {
  switch (place.in) {
    case "path": {
      const { body, path = {} } = given
      // A body that repeats the path's id repeats this one.
      const isRepeated = Predicate.isRecord(body) && place.name in path && body[place.name] === path[place.name]
      return {
        ...given,
        path: { ...path, [place.name]: id },
        ...(isRepeated ? { body: putAt(body, [place.name], id) } : {})
      }
    }
    case "query":
      return { ...given, query: { ...given.query, [place.name]: id } }
    case "header":
      return { ...given, headers: { ...given.headers, [place.name]: id } }
    case "filters":
      return { ...given, query: { ...given.query, filters: JSON.stringify(putAt({}, place.at, id)) } }
    case "body": {
      const cleared = standsAlone(place) ? putAt(given.body, place.at.slice(0, -1), {}) : given.body
      return { ...given, body: putAt(cleared, place.at, id) }
    }
  }
}

const another = ({ length }: string) => `x${randomBytes(length).toString("hex")}`.slice(0, length)

/** An id of nothing, made in the same millisecond as one of something; a domain that nobody has, as long as another. */
export const unknownLike = (id: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id)
    ? id.slice(0, -12) + randomBytes(6).toString("hex")
    : id.replace(/(?<=^|@)[^.@]+(?=\.)/, another)
