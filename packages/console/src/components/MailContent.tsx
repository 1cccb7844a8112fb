import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { serviceUrl } from "../app/Client.js"
import { consoleRoot } from "../app/Paths.js"

/**
 * HTML of a mail, from its own route with its own policy. The sandbox forbids scripts, forms, pop-ups and navigation of the
 * console.
 */
const HtmlFrame = ({ src, title }: { readonly src: string; readonly title: string }) => (
  <iframe class="mail-frame" title={title} sandbox="" src={src} />
)

/** The HTML of a mail. */
export const MailFrame = ({ id }: { readonly id: string }) => (
  <HtmlFrame title="HTML of the mail" src={`${serviceUrl}/v1/email/${id}/html`} />
)

/**
 * HTML that is not stored, in a frame with its own policy and its own origin. The page of the frame shows the HTML that
 * is posted to it.
 */
export const PreviewFrame = ({ html, title }: { readonly title: string; readonly html: string }) => {
  const frame = useRef<HTMLIFrameElement>(null)
  // An origin of its own has no name: the target can only be any origin.
  const show = () => frame.current?.contentWindow?.postMessage(html, "*")
  useEffect(show, [html])
  return (
    <iframe
      ref={frame}
      class="mail-frame"
      title={title}
      sandbox="allow-scripts"
      src={`${consoleRoot()}preview.html`}
      onLoad={show}
    />
  )
}

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
