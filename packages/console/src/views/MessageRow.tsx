import { plainTextOf } from "@switchboard/domain/messages/Message"
import type { EmailContent, Message } from "../app/Types.js"
import { Status, Time } from "../components/Facts.js"
import { Icon } from "../components/Icon.js"

/** The columns of a list of messages. */
export const messageColumns = {
  "": "18px",
  "To or from": "minmax(120px, 0.8fr)",
  Subject: 2,
  Status: "104px",
  Time: "96px"
}

/** The addresses that a message goes to, or came from. */
const partner = (message: Message): string => {
  const { direction, fromParticipant } = message
  if (direction === "inbound") return fromParticipant?.displayName ?? fromParticipant?.name ?? "unknown sender"
  return recipientsOf(message).join(", ")
}

/** The names of the channels. */
export const channelNames: Readonly<Record<Message["channel"], string>> = {
  email: "E-mail",
  sms: "SMS",
  whatsapp: "WhatsApp",
  voice: "Voice"
}

/** The content of an e-mail; undefined for a message of another channel. */
export const mailContentOf = ({ content }: Message): EmailContent | undefined =>
  "subject" in content ? content : undefined

/** The title of a message: the subject of an e-mail, otherwise the text. Empty for an e-mail without a subject. */
export const titleOf = ({ content }: Message): string => ("subject" in content ? content.subject : plainTextOf(content))

/** The addresses or names of the recipients. */
export const recipientsOf = ({ emailMetadata, toParticipants = [] }: Message): ReadonlyArray<string> =>
  emailMetadata?.to ?? toParticipants.map(({ name }) => name)

/** The cells of a message in a list. */
export const MessageRow = ({ message }: { readonly message: Message }) => (
  <>
    <span class={`direction ${message.direction}`} title={message.direction === "inbound" ? "received" : "sent"}>
      <Icon name={message.direction === "inbound" ? "inbox" : "send"} />
    </span>
    <span class="partner">{partner(message)}</span>
    <span class="subject">
      {titleOf(message) === "" ? <em>no subject</em> : titleOf(message)}
      {message.tags.map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}
    </span>
    <Status value={message.status} />
    <Time value={message.createdAt} />
  </>
)
