import { DateTime, Duration, Option, Schema } from "effect"
import { MessageId } from "../../messages/Message.js"
import { baseSubject, isAnswerSubject } from "./BaseSubject.js"

/** What of a mail tells which message it answers. */
export interface AnswerSigns {
  /** The messages that its recipients name, where they are signed reply addresses. */
  readonly signed: ReadonlyArray<MessageId>
  /** Message-IDs with their angle brackets, in the order of the mail. */
  readonly inReplyTo: ReadonlyArray<string>
  readonly references: ReadonlyArray<string>
  readonly subject: string
  readonly receivedAt: DateTime.Utc
}

/** What a mail may answer: the organization's message, if it has one. */
export type AnswerCandidate =
  /** The message with this id. */
  | { readonly _tag: "Signed"; readonly messageId: MessageId }
  /** The message that came or went with this Message-ID. */
  | { readonly _tag: "Named"; readonly rfcMessageId: string }
  /** The latest message from or to whoever wrote the mail, since then, with this base subject. */
  | { readonly _tag: "Titled"; readonly baseSubject: string; readonly since: DateTime.Utc }

/** How long a subject alone says what a mail answers. */
const subjectHolds = Duration.days(7)

/** Ids that are looked up of a line at most: longer ones are nobody's correspondence. */
const mostNamed = 100
const longestId = 998

const named = (ids: ReadonlyArray<string>): ReadonlyArray<AnswerCandidate> =>
  ids
    .filter((id) => id.length <= longestId)
    .slice(0, mostNamed)
    .map((rfcMessageId) => ({ _tag: "Named", rfcMessageId }))

/** What a mail may answer, the surest first: the first that the organization knows is it. */
export const answerCandidates = ({
  inReplyTo,
  receivedAt,
  references,
  signed,
  subject
}: AnswerSigns): ReadonlyArray<AnswerCandidate> => [
  ...signed.map((messageId): AnswerCandidate => ({ _tag: "Signed", messageId })),
  ...named(inReplyTo),
  // The nearest is the last (RFC 5322 section 3.6.4).
  ...named(references.toReversed()),
  ...(isAnswerSubject(subject) && baseSubject(subject) !== ""
    ? [
        {
          _tag: "Titled" as const,
          baseSubject: baseSubject(subject),
          since: DateTime.subtractDuration(receivedAt, subjectHolds)
        }
      ]
    : [])
]

const form = /^<([0-9a-f-]{36})@[^<>\s]+>$/
const decodeId = Schema.decodeUnknownOption(MessageId)

/** The id of the message that went out with this Message-ID, if we made it: ours begin with the message's own id. */
export const idOfOwn = (rfcMessageId: string): Option.Option<MessageId> =>
  Option.flatMap(Option.fromNullable(form.exec(rfcMessageId)?.[1]), decodeId)
