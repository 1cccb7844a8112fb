import { Array, DateTime, Duration, Option, Order, Schema } from "effect"
import { MessageId } from "../../messages/Message.js"
import { parentRank, type ThreadSubject, threadSubject } from "./BaseSubject.js"

/** The properties of a mail that identify its parent: the message it replies to. */
export interface ThreadHints {
  /** The messages identified by the signed reply addresses that received the mail. */
  readonly signed: ReadonlyArray<MessageId>
  /** Message-IDs with their angle brackets, in the order of the header. */
  readonly inReplyTo: ReadonlyArray<string>
  readonly references: ReadonlyArray<string>
  readonly subject: string
  readonly receivedAt: DateTime.Utc
}

/** A query for messages of the organization that may be the parent. */
export type ThreadLookup =
  /** Messages with these ids or Message-IDs. */
  | { readonly _tag: "ByReference"; readonly ids: ReadonlyArray<MessageId>; readonly names: ReadonlyArray<string> }
  /** The latest e-mails from or to the author of the mail. */
  | { readonly _tag: "ByAuthor"; readonly since: DateTime.Utc }

/** A message that a lookup returned. */
export interface ThreadCandidate {
  readonly id: MessageId
  readonly isSent: boolean
  readonly rfcMessageId: string
  /** The subject, or null if the message is neither from nor to the author of the mail. */
  readonly subject: string | null
}

/** The maximum age of a message that is matched by its subject alone. */
const subjectWindow = Duration.days(7)

/** The maximum number of Message-IDs of one header that are looked up. */
export const maxReferences = 100

/** The maximum number of characters of a Message-ID: the limit of a line (RFC 5322 section 2.1.1). */
export const maxReferenceLength = 998

const ownForm = /^<([0-9a-f-]{36})@[^<>\s]+>$/
const decodeId = Schema.decodeUnknownOption(MessageId)

/** The message id in a Message-ID that this service generated. */
export const parseOwnMessageId = (rfcMessageId: string): Option.Option<MessageId> =>
  Option.flatMap(Option.fromNullable(ownForm.exec(rfcMessageId)?.[1]), decodeId)

const matched = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter(({ length }) => length <= maxReferenceLength).slice(0, maxReferences)

/** The closest ancestor is the last reference (RFC 5322 section 3.6.4). */
const namesOf = ({ inReplyTo, references }: ThreadHints): ReadonlyArray<string> => [
  ...matched(inReplyTo),
  ...matched(references.toReversed())
]

/** The subject of a reply; null if it has no reply prefix, or nothing else. */
const replySubject = (hints: ThreadHints): ThreadSubject | null => {
  const subject = threadSubject(hints.subject)
  return subject.isReply && subject.base !== "" ? subject : null
}

/** The lookups of a mail, in order: the next one is needed only if the previous ones found no parent. */
export const threadLookups = (hints: ThreadHints): ReadonlyArray<ThreadLookup> => {
  const names = namesOf(hints)
  const ids = [...hints.signed, ...names.flatMap((name) => Option.toArray(parseOwnMessageId(name)))]
  return [
    ...(ids.length + names.length === 0 ? [] : [{ _tag: "ByReference" as const, ids, names }]),
    ...(replySubject(hints) === null
      ? []
      : [{ _tag: "ByAuthor" as const, since: DateTime.subtractDuration(hints.receivedAt, subjectWindow) }])
  ]
}

const byId = Order.mapInput(Order.string, ({ id }: ThreadCandidate) => id)
const byRank = Order.mapInput(Order.number, ({ rank }: { readonly rank: number }) => rank)

/** The candidate whose subject is closest to that of the reply; the latest of several. */
const findBySubject = (reply: ThreadSubject, candidates: ReadonlyArray<ThreadCandidate>) => {
  const ranked = Array.sort(candidates, Order.reverse(byId)).flatMap((candidate) =>
    candidate.subject === null
      ? []
      : Option.toArray(Option.map(parentRank(reply, threadSubject(candidate.subject)), (rank) => ({ candidate, rank })))
  )
  const [closest] = Array.sort(ranked, byRank)
  return closest === undefined ? [] : [closest.candidate]
}

/** Of messages with the same Message-ID, a sent one comes first, then the earliest. */
const byOrigin = Order.combine(
  Order.mapInput(Order.boolean, ({ isSent }: ThreadCandidate) => !isSent),
  byId
)

/**
 * The possible parents of a mail, the most certain first: by signed reply address, by In-Reply-To, by References, then
 * the latest message with the author that has the same subject.
 */
export const matchThread = (
  hints: ThreadHints,
  candidates: ReadonlyArray<ThreadCandidate>
): ReadonlyArray<MessageId> => {
  const ordered = Array.sort(candidates, byOrigin)
  const subject = replySubject(hints)
  const parents = [
    ...hints.signed.flatMap((id) => ordered.filter((one) => one.id === id)),
    ...namesOf(hints).flatMap((name) => ordered.filter(({ rfcMessageId }) => rfcMessageId === name)),
    ...(subject === null ? [] : findBySubject(subject, candidates))
  ]
  return Array.dedupe(parents.map(({ id }) => id))
}
