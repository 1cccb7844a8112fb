import { can } from "../../app/SessionState.js"
import type { Message } from "../../app/Types.js"
import { MailFrame } from "../../components/MailFrame.js"
import { MailText } from "../../components/MailText.js"
import { Tabs } from "../../components/Tabs.js"
import { Attachments } from "./Attachments.js"
import { Headers, RawMail } from "./RawMail.js"

/** The content of a mail: its HTML in a sandboxed frame, its text, and as it was sent or received. */
export const MailContent = ({ message: { content, id } }: { readonly message: Message }) => {
  const { attachments, erasedAt, html } = content
  const hasRecord = can("email.read")
  if (erasedAt !== undefined) return <p class="notice">The content was erased.</p>
  return (
    <section class="card content" aria-label="Content">
      <Tabs
        label="Forms of the content"
        tabs={[
          ...(html === "" || !hasRecord ? [] : [{ name: "html", label: "HTML", content: () => <MailFrame id={id} /> }]),
          { name: "text", label: "Text", content: () => <MailText {...content} /> },
          ...(hasRecord
            ? [
                { name: "headers", label: "Headers", content: () => <Headers id={id} /> },
                { name: "raw", label: "Raw", content: () => <RawMail id={id} /> }
              ]
            : [])
        ]}
      />
      {attachments.length > 0 && hasRecord && <Attachments id={id} />}
    </section>
  )
}
