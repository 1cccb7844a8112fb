import { Array, DateTime, Duration, Either, Order } from "effect"

/** How long the parts of a concatenated text wait for each other. */
export const maxPartWait = Duration.minutes(5)

/** A received text, or a part of one. Ids are in the order of arrival. */
export interface ReceivedPart {
  readonly id: string
  readonly text: string
  /** The place in a concatenated text; null for a text in one part. */
  readonly part: { readonly number: number; readonly total: number } | null
  readonly receivedAt: DateTime.Utc
}

/** A complete text, or what there is of it. */
export interface JoinedText {
  readonly text: string
  /** The id of the part that arrived first. */
  readonly id: string
  readonly receivedAt: DateTime.Utc
  /** The ids of all parts, in the order of the text. */
  readonly parts: ReadonlyArray<string>
}

/** UCS-2 can have half a pair. PostgreSQL reads no NUL in JSON. */
const storable = (text: string): string => text.replaceAll("\u0000", "").toWellFormed()

const byId = Order.mapInput(Order.string, ({ id }: ReceivedPart) => id)

const byNumber = Order.mapInput(Order.number, ({ part }: ReceivedPart) => part?.number ?? 1)

const sameNumber = (one: ReceivedPart, other: ReceivedPart) => one.part?.number === other.part?.number

/**
 * Joins the parts of a text. Left is the time to try again: parts are missing, and the first one arrived less than
 * `maxPartWait` ago. After it, the text has gaps. Of several parts with the same number, the first one is used: the
 * others are of another text with the same reference.
 */
export const joinTexts = (
  received: Array.NonEmptyReadonlyArray<ReceivedPart>,
  now: DateTime.Utc
): Either.Either<JoinedText, DateTime.Utc> => {
  const ordered = Array.sort(received, byId)
  const [first] = ordered
  const parts = Array.sort(Array.dedupeWith(ordered, sameNumber), byNumber)
  const waitsUntil = DateTime.addDuration(first.receivedAt, maxPartWait)
  if (parts.length < (first.part?.total ?? 1) && DateTime.lessThan(now, waitsUntil)) return Either.left(waitsUntil)
  return Either.right({
    text: storable(parts.map(({ text }) => text).join("")),
    id: first.id,
    receivedAt: first.receivedAt,
    parts: parts.map(({ id }) => id)
  })
}
