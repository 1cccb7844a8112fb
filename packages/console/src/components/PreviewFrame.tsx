import { useEffect, useRef } from "preact/hooks"
import { consoleRoot } from "../app/Urls.js"

interface PreviewFrameProps {
  readonly title: string
  readonly html: string
}

/**
 * HTML that is not stored, in a frame with its own policy and its own origin. The page of the frame shows the HTML that
 * is posted to it.
 */
export const PreviewFrame = ({ html, title }: PreviewFrameProps) => {
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
