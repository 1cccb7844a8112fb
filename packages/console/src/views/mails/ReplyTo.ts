import { isReplySubject } from "@switchboard/domain/email/threads/BaseSubject"
import type { Message } from "../../app/Types.js"

/** The maximum number of characters of the subject of `POST /email/send`. */
const maxSubjectLength = 200

/** The addresses that the organization replies to: the author of a received mail, or the recipients of a sent one. */
export const replyRecipients = ({
  content,
  direction,
  emailMetadata,
  fromParticipant
}: Message): ReadonlyArray<string> => {
  if (direction === "outbound") return emailMetadata?.to ?? []
  if (content.replyTo.length > 0) return content.replyTo
  return fromParticipant?.channelIdentities?.email?.slice(0, 1) ?? [content.from]
}

/** The subject of a reply. */
export const replySubject = ({ content: { subject } }: Message): string =>
  (isReplySubject(subject) ? subject : `Re: ${subject}`).slice(0, maxSubjectLength).trim()
