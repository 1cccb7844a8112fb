import { Array, DateTime, Duration, Option, Order, Schema } from "effect"
import { MessageId } from "../../messages/Message.js"
import { baseSubject, isAnswerSubject } from "./BaseSubject.js"

/** The parts of a mail that identify its parent: the message that it answers. */
export interface ThreadSigns {
  /** The messages whose signed reply addresses received the mail. */
  readonly signed: ReadonlyArray<MessageId>
  /** Message-IDs with their angle brackets, in the order of the header. */
  readonly inReplyTo: ReadonlyArray<string>
  readonly references: ReadonlyArray<string>
  readonly subject: string
  readonly receivedAt: DateTime.Utc
}

/** The messages of the organization to match a mail with. */
export type ThreadLookup =
  /** Those with these ids or Message-IDs. */
  | { readonly _tag: "ByReference"; readonly ids: ReadonlyArray<MessageId>; readonly names: ReadonlyArray<string> }
  /** The latest emails from or to the author of the mail. */
  | { readonly _tag: "ByAuthor"; readonly since: DateTime.Utc }

/** A message that was looked up. */
export interface ThreadCandidate {
  readonly id: MessageId
  readonly isSent: boolean
  readonly rfcMessageId: string
  /** The subject if the message is from or to the author of the mail, else null. */
  readonly subject: string | null
}

/** Age of the oldest message that a subject alone matches. */
const subjectWindow = Duration.days(7)

/** Message-IDs of a header that are matched. */
export const maxReferences = 100

/** Characters of a Message-ID: a line of a mail has no more (RFC 5322 section 2.1.1). */
export const maxReferenceLength = 998

const ownForm = /^<([0-9a-f-]{36})@[^<>\s]+>$/
const decodeId = Schema.decodeUnknownOption(MessageId)

/** The id of the message that a Message-ID of this service begins with. */
export const idOfOwn = (rfcMessageId: string): Option.Option<MessageId> =>
  Option.flatMap(Option.fromNullable(ownForm.exec(rfcMessageId)?.[1]), decodeId)

const matched = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter(({ length }) => length <= maxReferenceLength).slice(0, maxReferences)

/** The nearest reference is the last (RFC 5322 section 3.6.4). */
const namesOf = ({ inReplyTo, references }: ThreadSigns): ReadonlyArray<string> => [
  ...matched(inReplyTo),
  ...matched(references.toReversed())
]

/** The base subject of a mail whose subject says that it answers another, null for other mails. */
const answeredSubject = ({ subject }: ThreadSigns): string | null =>
  isAnswerSubject(subject) && baseSubject(subject) !== "" ? baseSubject(subject) : null

/** The lookups of a mail, in order: the next one is needed if no message of those before is the parent. */
export const threadLookups = (signs: ThreadSigns): ReadonlyArray<ThreadLookup> => {
  const names = namesOf(signs)
  const ids = [...signs.signed, ...names.flatMap((name) => Option.toArray(idOfOwn(name)))]
  return [
    ...(ids.length + names.length === 0 ? [] : [{ _tag: "ByReference" as const, ids, names }]),
    ...(answeredSubject(signs) === null
      ? []
      : [{ _tag: "ByAuthor" as const, since: DateTime.subtractDuration(signs.receivedAt, subjectWindow) }])
  ]
}

const byId = Order.mapInput(Order.string, ({ id }: ThreadCandidate) => id)
/** Of messages with the same Message-ID, a sent one comes first, then the earliest. */
const byOrigin = Order.combine(
  Order.mapInput(Order.boolean, ({ isSent }: ThreadCandidate) => !isSent),
  byId
)

/**
 * The candidates that can be the parent of a mail, the surest first: by signed reply address, by In-Reply-To, by
 * References, then the latest message with the author that has the same base subject.
 */
export const matchThread = (
  signs: ThreadSigns,
  candidates: ReadonlyArray<ThreadCandidate>
): ReadonlyArray<MessageId> => {
  const ordered = Array.sort(candidates, byOrigin)
  const subject = answeredSubject(signs)
  const parents = [
    ...signs.signed.flatMap((id) => ordered.filter((one) => one.id === id)),
    ...namesOf(signs).flatMap((name) => ordered.filter(({ rfcMessageId }) => rfcMessageId === name)),
    ...Option.toArray(
      Array.findFirst(
        Array.sort(candidates, Order.reverse(byId)),
        (one) => one.subject !== null && baseSubject(one.subject) === subject
      )
    )
  ]
  return Array.dedupe(parents.map(({ id }) => id))
}
