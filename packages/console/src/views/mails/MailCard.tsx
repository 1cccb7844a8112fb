import { useId } from "preact/hooks"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import type { Message } from "../../app/Types.js"
import { Icon } from "../../components/Icon.js"
import { MailFrame } from "../../components/MailFrame.js"
import { ClosedPart, MailText } from "../../components/MailText.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"

/** The author of a message. */
const authorOf = ({ content, fromParticipant }: Message): string =>
  content.from === "" ? (fromParticipant?.displayName ?? fromParticipant?.name ?? "unknown sender") : content.from

/** One mail of an exchange: author, recipients, text. */
export const MailCard = ({ message }: { readonly message: Message }) => {
  const { content, createdAt, direction, emailMetadata, id, status } = message
  const heading = useId()
  return (
    <li>
      <article class={`card mail ${direction}`} aria-labelledby={heading}>
        <header>
          <span class={`direction ${direction}`}>
            <Icon name={direction === "inbound" ? "inbox" : "send"} />
          </span>
          <h2 id={heading}>{authorOf(message)}</h2>
          <Status value={status} />
          <a href={linkTo(paths.message, { id })}>
            <Time value={createdAt} />
            <span class="visually-hidden">, details of this message</span>
          </a>
        </header>
        <p class="hint">to {emailMetadata?.to.join(", ")}</p>
        {content.erasedAt === undefined ? <MailText {...content} /> : <p class="hint">The content was erased.</p>}
        {content.html !== "" && can("email.read") && <ClosedPart name="HTML" content={() => <MailFrame id={id} />} />}
        {content.attachments.length > 0 && (
          <p class="hint">Attachments: {content.attachments.map(({ filename }) => filename).join(", ")}</p>
        )}
      </article>
    </li>
  )
}
