import { HandsetTextId } from "@switchboard/domain/handset/HandsetText"
import { encodingOf } from "@switchboard/domain/sms/SmsText"
import { HandsetRepo, type ReceivedHandsetText } from "@switchboard/services/handset/HandsetRepo"
import { logThrottled } from "@switchboard/services/LogThrottle"
import { newId } from "@switchboard/services/NewId"
import { Clock, Duration, Effect, Schedule } from "effect"
import { storableText } from "../StorableText.js"
import { readText } from "../sms/ConcatenatedText.js"
import type { ShortMessage } from "../sms/Pdu.js"
import { ownNumber, phoneNumber } from "../sms/SmppEvents.js"
import { Status } from "../sms/SmppStatus.js"

/** The parts of a concatenated text that arrived. */
interface Collection {
  readonly since: number
  readonly total: number
  readonly parts: Map<number, ReceivedHandsetText>
}

/** An incomplete text is stored with the parts that arrived after this time. */
const partTimeout = Duration.minutes(5)

/** Incomplete texts at most. */
const maxCollections = 1_000

/** Numbers that were throttled once; the oldest are removed beyond it. */
const maxThrottled = 10_000

/** The text of the parts in their order, with the id of the first one. */
const joinParts = ({ parts, total }: Collection): ReceivedHandsetText | undefined => {
  const present = Array.from({ length: total }, (_, index) => parts.get(index + 1)).filter((part) => part !== undefined)
  const [first] = present
  return first && { ...first, text: storableText(present.map(({ text }) => text).join("")), segments: total }
}

/** Whether a message to a number is throttled: the first one to each that ends in 0003. */
export const makeThrottle = () => {
  const throttled = new Set<string>()
  return (number: string): boolean => {
    if (!number.endsWith("0003") || throttled.has(number)) return false
    for (const oldest of throttled) {
      if (throttled.size < maxThrottled) break
      throttled.delete(oldest)
    }
    throttled.add(number)
    return true
  }
}

/** Receives the submit_sm of services: throttles, joins parts, and stores texts. */
export const makeHandsetInbox = Effect.gen(function* () {
  const repo = yield* HandsetRepo
  const collections = new Map<string, Collection>()
  const isThrottled = makeThrottle()

  const store = (key: string, collection: Collection) => {
    const joined = joinParts(collection)
    collections.delete(key)
    if (joined === undefined) return Effect.void
    return Effect.tapError(repo.insert(joined), () => Effect.sync(() => collections.set(key, collection)))
  }

  const collect = (text: ReceivedHandsetText, reference: number, number: number, total: number) =>
    Effect.gen(function* () {
      const key = JSON.stringify([text.from, text.to, reference, total])
      const since = yield* Clock.currentTimeMillis
      const collection = collections.get(key) ?? { since, total, parts: new Map() }
      collections.set(key, collection)
      collection.parts.set(number, text)
      if (collection.parts.size === total) yield* store(key, collection)
    })

  const storeOverdue = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const [key, collection] of collections) {
      if (now - collection.since >= Duration.toMillis(partTimeout)) yield* store(key, collection)
    }
  })
  yield* storeOverdue.pipe(
    Effect.catchAll((error) => Effect.logWarning("The local handset could not store an incomplete text", error)),
    Effect.repeat(Schedule.spaced("30 seconds")),
    Effect.forkScoped
  )

  /** Receives a submit_sm; returns the command_status and the id of the response. */
  const receive = Effect.fnUntraced(function* (message: ShortMessage) {
    const to = storableText(phoneNumber(message.destination))
    if (isThrottled(to)) return { status: Status.throttled, id: "" }
    const { part, text } = readText(message)
    if (part !== null && collections.size >= maxCollections) return { status: Status.queueFull, id: "" }
    const { id, now } = yield* newId(HandsetTextId)
    const received: ReceivedHandsetText = {
      id,
      channel: "sms",
      from: storableText(ownNumber(message.source)),
      to,
      text: part === null ? storableText(text) : text,
      encoding: encodingOf(message.dataCoding),
      segments: 1,
      request: null,
      receivedAt: now
    }
    const stored = part === null ? repo.insert(received) : collect(received, part.reference, part.number, part.total)
    const accepted: { readonly status: number; readonly id: string } = { status: Status.ok, id }
    return yield* stored.pipe(
      Effect.as(accepted),
      Effect.catchTag("ServiceUnavailableError", (error) =>
        Effect.as(logThrottled("handset", Effect.logWarning("The local handset could not store a text", error)), {
          status: Status.systemError,
          id: ""
        })
      )
    )
  })

  return { receive } as const
})
