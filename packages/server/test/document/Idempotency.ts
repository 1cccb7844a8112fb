import { Array, Effect, Predicate } from "effect"
import { makeFixtures } from "./Fixtures.js"
import type { CheckedResponse, Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"
import { ownRequest, unknownLike } from "./Requests.js"
import type { RequestParts } from "./TestClient.js"

/** The operations that share their keys. Every other operation has its own. */
const sends = new Set(["messages.send", "email.send", "messages.resend"])

/** The fields that make two requests different, and resources of an organization unique. */
const distinguishing = [
  "name",
  "title",
  "filename",
  "subject",
  "text",
  "externalId",
  "email",
  "domain",
  "from",
  "phone"
]

/** Other valid values for fields that are not free texts. */
const otherValue: Readonly<Record<string, (label: string) => string>> = {
  email: (label) => `${label}@example.com`,
  domain: (label) => `${label}.test`,
  from: (label) => `+49301234${label.length}`,
  phone: (label) => `+49301234${label.length}`
}

/** Optional fields, for operations without a distinguishing field that is required. */
const optionalFields: Readonly<Record<string, object>> = {
  "messages.send": { externalId: "" },
  "voiceCalls.place": { from: "" }
}

/** The request with values of its own: `label` has lower-case letters, digits and hyphens. */
const distinct = ({ id }: Operation, parts: RequestParts, label: string): RequestParts => {
  const { body, path = {} } = parts
  if (!Predicate.isRecord(body) || Object.keys(body).length === 0) return parts
  const { phone, ...others } = { ...body, ...optionalFields[id] }
  // One phone number belongs to one participant.
  const rest = id === "participants.create" || phone === undefined ? others : { ...others, phone }
  if (Predicate.isString(rest.participantId) && label === "other") {
    return { ...parts, path, body: { ...rest, participantId: unknownLike(rest.participantId) } }
  }
  const own = distinguishing.flatMap((field) =>
    Predicate.isString(rest[field]) && !(id === "senders.create" && field === "email")
      ? [[field, otherValue[field]?.(label) ?? `${rest[field]} ${label}`] as const]
      : []
  )
  return { ...parts, body: { ...rest, ...Object.fromEntries(own) } }
}

const idOf = ({ body, text }: CheckedResponse) => {
  if (!Predicate.isRecord(body)) return text
  return body.id ?? body.serviceWindowId ?? body.documentId ?? body.messageId ?? text
}

const isReplayed = ({ headers }: CheckedResponse) => headers["idempotent-replayed"] === "true"

const summary = (response: CheckedResponse) => `${response.status}${isReplayed(response) ? " replayed" : ""}`

const secret = /sk_sm_\w{40}|whsec_/

/** The problems of an operation that creates a resource, with idempotency keys. */
export const idempotencyProblems = (installation: Installation["Type"], operation: Operation) =>
  Effect.gen(function* () {
    const { credentials, owner, request } = installation
    const authorization = yield* credentials(owner.key, operation.credentials[0])
    const key = sends.has(operation.id) ? operation.id : "The same key for every operation"

    const partsOf = Effect.fnUntraced(function* (label: string) {
      const fixtures = yield* makeFixtures(installation, owner, `${operation.id} with a key ${label}`)
      const own = yield* ownRequest(operation, fixtures)
      return distinct(operation, own, `${operation.id.toLowerCase().replace(".", "-")}-${label}`)
    })
    const sendWith = (idempotencyKey: string, parts: RequestParts) =>
      request(operation, {
        ...parts,
        headers: { ...parts.headers, ...authorization, "Idempotency-Key": idempotencyKey }
      })

    const parts = yield* partsOf("first")
    const first = yield* sendWith(key, parts)
    const replay = yield* sendWith(key, parts)
    const other =
      Predicate.isRecord(parts.body) && Object.keys(parts.body).length > 0
        ? distinct(operation, parts, "other")
        : yield* partsOf("other")
    const reused = yield* sendWith(key, other)

    const concurrentParts = yield* partsOf("concurrent")
    const concurrent = yield* Effect.all(
      Array.replicate(sendWith(`${operation.id} at the same time`, concurrentParts), 3),
      { concurrency: "unbounded" }
    )

    // While a draft is being sent, every other request to send it is refused.
    const settled = operation.id === "drafts.send" ? concurrent.filter(({ status }) => status !== 409) : concurrent

    const tooLong = yield* sendWith("k".repeat(256), parts)
    const refusedKey = `${operation.id} after a refusal`
    const corrected = yield* partsOf("corrected")
    const refused = yield* sendWith(refusedKey, { ...corrected, body: { noSuchField: 1 } })
    const accepted = yield* sendWith(refusedKey, corrected)

    const responses = [first, replay, reused, ...concurrent, tooLong, refused, accepted]
    const concurrentReplays = Array.replicate("201 replayed", 3).slice(0, settled.length - 1)
    const expected = ["201", "201 replayed", "409", "201", ...concurrentReplays, "400", "422", "201"]
    const found = [
      ...[first, replay, reused].map(summary),
      ...settled.map(summary).sort(),
      ...[tooLong, refused, accepted].map(summary)
    ]
    return [
      ...responses.flatMap(({ problems }) => problems),
      ...(operation.parameters.some(({ in: place, name }) => place === "header" && name === "idempotency-key")
        ? []
        : [`${operation.id} does not declare the header Idempotency-Key`]),
      ...(operation.responses[201]?.headers?.["Idempotent-Replayed"] === undefined
        ? [`${operation.id} does not declare the header Idempotent-Replayed`]
        : []),
      ...(found.join() === expected.join()
        ? []
        : [`${operation.id} responds ${found}, not ${expected}: ${responses.map(({ text }) => text).join("\n")}`]),
      ...(new Set([first, replay].map(idOf)).size === 1 && new Set(settled.map(idOf)).size === 1
        ? []
        : [`${operation.id} replays another resource: ${responses.map(({ text }) => text).join("\n")}`]),
      ...(secret.test(replay.text) ? [`${operation.id} shows a secret again: ${replay.text}`] : [])
    ]
  }).pipe(Effect.catchTag("MissingFixture", ({ message }) => Effect.succeed([message])))
