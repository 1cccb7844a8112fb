import type { Message } from "../app/Types.js"
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
const partner = ({ direction, emailMetadata, fromParticipant, toParticipants = [] }: Message): string => {
  if (direction === "inbound") return fromParticipant?.displayName ?? fromParticipant?.name ?? "unknown sender"
  const addresses = emailMetadata?.to ?? toParticipants.map(({ name }) => name)
  return addresses.join(", ")
}

/** The cells of a message in a list. */
export const MessageRow = ({ message }: { readonly message: Message }) => (
  <>
    <span class={`direction ${message.direction}`} title={message.direction === "inbound" ? "received" : "sent"}>
      <Icon name={message.direction === "inbound" ? "inbox" : "send"} />
    </span>
    <span class="partner">{partner(message)}</span>
    <span class="subject">
      {message.content.subject === "" ? <em>no subject</em> : message.content.subject}
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
