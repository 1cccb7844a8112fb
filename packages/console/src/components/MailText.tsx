import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"

/** A part of a mail that is rendered when it is opened. */
export const ClosedPart = ({ content, name }: { readonly name: string; readonly content: () => ComponentChildren }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && content()}
    </details>
  )
}

interface MailTextProps {
  readonly text: string
  /** The text of a received mail without quotes and signature. */
  readonly replyText?: string | undefined
}

/** The text of a mail. The quotes and the signature of a received one are closed. */
export const MailText = ({ replyText = "", text }: MailTextProps) => (
  <>
    <pre class="mail-text">{replyText || text}</pre>
    {replyText !== "" && replyText !== text && (
      <ClosedPart name="Complete text" content={() => <pre class="mail-text">{text}</pre>} />
    )}
  </>
)
