import { randomBytes, randomInt } from "node:crypto"
import { Effect, Predicate } from "effect"
import { type Fixtures, whatsappPhone } from "./Fixtures.js"
import { type IdPlace, putAt } from "./IdPlaces.js"
import { bodyFor, idsFor, isExclusive, queryFor } from "./OperationInputs.js"
import type { Operation } from "./Operations.js"
import type { RequestParts } from "./TestClient.js"

/** A valid request of an organization for its own resources. */
export const ownRequest = Effect.fnUntraced(function* (operation: Operation, fixtures: Fixtures) {
  const path = yield* idsFor(operation, fixtures)
  const query = yield* queryFor(operation, fixtures)
  const body = yield* bodyFor(operation, fixtures)
  const { textType } = operation
  const parts: RequestParts = {
    path,
    query,
    ...(textType === null ? {} : { headers: { "Content-Type": textType } }),
    ...(body === undefined ? {} : { body })
  }
  return parts
})

/** The request with another id in one place. */
export const withId = (parts: RequestParts, place: IdPlace, id: string): RequestParts => {
  switch (place.in) {
    case "path": {
      const { body, path = {} } = parts
      // A body that repeats the id of the path gets the new id too.
      const isRepeated = Predicate.isRecord(body) && place.name in path && body[place.name] === path[place.name]
      return {
        ...parts,
        path: { ...path, [place.name]: id },
        ...(isRepeated ? { body: putAt(body, [place.name], id) } : {})
      }
    }
    case "query":
      return { ...parts, query: { ...parts.query, [place.name]: id } }
    case "header":
      return { ...parts, headers: { ...parts.headers, [place.name]: id } }
    case "filters":
      return { ...parts, query: { ...parts.query, filters: JSON.stringify(putAt({}, place.at, id)) } }
    case "body": {
      const channelAt = place.at.findIndex((name) => name in sends)
      const send = sends[place.at[channelAt] ?? ""]?.(place.name)
      const body = send === undefined ? parts.body : putAt(parts.body, place.at.slice(0, channelAt), send)
      const cleared = isExclusive(place) ? putAt(body, place.at.slice(0, -1), {}) : body
      return { ...parts, body: putAt(cleared, place.at, id) }
    }
  }
}

const templateData = { name: "Ada" }

/** The sends of other channels than e-mail, whose field is replaced: a template excludes a text or file. */
const sends: Readonly<Record<string, (replaced: string) => unknown>> = {
  sms: (replaced) => ({
    channel: "sms",
    to: [{ phone: whatsappPhone }],
    sms: replaced === "templateId" ? { templateData } : { text: "Hello" }
  }),
  whatsapp: (replaced) => ({
    channel: "whatsapp",
    to: [{ phone: whatsappPhone }],
    whatsapp: replaced === "templateId" ? { templateData } : {}
  })
}

const randomName = ({ length }: string) => `x${randomBytes(length).toString("hex")}`.slice(0, length)

/** An unknown id: a UUID version 7 of the same millisecond, or a domain of the same length. */
export const unknownLike = (id: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id)
    ? id.slice(0, -12) + randomBytes(6).toString("hex")
    : /^\+\d+$/.test(id)
      ? `${id.slice(0, -7)}9${randomInt(100_000, 999_999)}`
      : id.replace(/(?<=^|@)[^.@]+(?=\.)/, randomName)
