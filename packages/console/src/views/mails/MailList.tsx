import type { Message } from "../../app/Types.js"
import { MailCard } from "./MailCard.js"

interface MailListProps {
  /** The latest messages, oldest first. */
  readonly messages: ReadonlyArray<Message>
  /** Loads earlier messages; undefined if all are shown. */
  readonly showEarlier: (() => void) | undefined
}

/** The mails of an exchange, oldest first. */
export const MailList = ({ messages, showEarlier }: MailListProps) => (
  <>
    {showEarlier !== undefined && (
      <button type="button" class="button" onClick={showEarlier}>
        Show earlier messages
      </button>
    )}
    <ol class="mails" aria-label="Mails">
      {messages.map((message) => (
        <MailCard key={message.id} message={message} />
      ))}
    </ol>
  </>
)
