import type { Message } from "../../app/Types.js"
import { Attachments } from "./Attachments.js"

/** The text and the attachments of a mail. */
export const MailContent = ({ message: { content, id } }: { readonly message: Message }) => {
  const { attachments, erasedAt, text } = content
  if (erasedAt !== undefined) return <p class="notice">The content was erased.</p>
  return (
    <section class="card content" aria-label="Content">
      <pre class="mail-text">{text}</pre>
      {attachments.length > 0 && <Attachments id={id} />}
    </section>
  )
}
