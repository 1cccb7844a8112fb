import { isReplySubject } from "@switchboard/domain/email/threads/BaseSubject"
import type { EmailSender, Message } from "../../app/Types.js"
import { mailboxText, parseMailbox } from "../../components/MailboxText.js"

/** The maximum number of characters of the subject of `POST /email/send`. */
const maxSubjectLength = 200

/** The message that a reply refers to: the latest received one, or else the latest. */
export const answeredMessage = (messages: ReadonlyArray<Message>): Message | undefined =>
  messages.findLast(({ direction }) => direction === "inbound") ?? messages.at(-1)

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

/** The signed address for replies to one message, which no mail is sent from. */
const isReplyAddress = (address: string) => /^r\+[\da-f-]{36}\./.test(address)

/** The organization's side of a message: the addresses that received it, or the author of a sent one. */
const ownMailboxes = ({ content, direction, emailMetadata }: Message): ReadonlyArray<string> =>
  direction === "outbound"
    ? [content.from]
    : (emailMetadata?.deliveries ?? []).map(({ recipient }) => recipient).filter((address) => !isReplyAddress(address))

const addressOf = (mailbox: string) => parseMailbox(mailbox).address.toLowerCase()

/**
 * The senders of a reply: first the address that was written to, or that sent the message which a received reply refers
 * to; then the default sender, and the others.
 */
export const replySenders = (
  message: Message,
  messages: ReadonlyArray<Message>,
  senders: ReadonlyArray<EmailSender>
): ReadonlyArray<string> => {
  const registered = senders
    .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault))
    .map(({ email, name }) => mailboxText(email, name))
  const own = [message, ...messages.filter(({ id }) => id === message.parentMessageId)]
    .flatMap(ownMailboxes)
    .map((mailbox) => registered.find((sender) => addressOf(sender) === addressOf(mailbox)) ?? mailbox)
  const all = [...own, ...registered]
  const addresses = all.map(addressOf)
  return all.filter((mailbox, index) => addresses.indexOf(addressOf(mailbox)) === index)
}
