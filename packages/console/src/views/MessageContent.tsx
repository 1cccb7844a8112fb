import { plainTextOf } from "@switchboard/domain/messages/Message"
import type { JSX } from "preact"
import { client, serviceUrl } from "../app/Client.js"
import { can } from "../app/SessionState.js"
import type { Message, WhatsAppContent } from "../app/Types.js"
import { Facts, Status } from "../components/Facts.js"
import { isJsonObject } from "../components/Fields.js"
import { byteSize, segmentsText } from "../components/Format.js"
import { MailFrame, MailText } from "../components/MailContent.js"
import { ErrorNotice, Pending } from "../components/Notices.js"
import { Card } from "../components/Resource.js"
import { Tabs } from "../components/Tabs.js"
import { useLoad } from "../components/View.js"

/** The headers of a mail with their names, unfolded (RFC 5322 section 2.2.3). */
const parseHeaders = (mail: string): ReadonlyArray<readonly [string, string]> => {
  const [header = ""] = mail.split(/\r?\n\r?\n/, 1)
  return header
    .replace(/\r?\n(?=[ \t])/g, "")
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(":")
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const]
    })
}

/** The maximum size of a mail that is shown, in bytes. A larger one can be downloaded. */
const maxShown = 500_000

const useRaw = (id: string) => useLoad((signal) => client.emailRecords.raw({ path: { id } }, { signal }), [id])

const Loaded = ({ id, show }: { readonly id: string; readonly show: (raw: Uint8Array) => JSX.Element }) => {
  const { error, reload, value } = useRaw(id)
  return value === undefined ? <Pending error={error} reload={reload} /> : show(value)
}

const textOf = (raw: Uint8Array) => new TextDecoder().decode(raw.subarray(0, maxShown))

/** All headers of a mail, in their order. */
const Headers = ({ id }: { readonly id: string }) => (
  <Loaded id={id} show={(raw) => <Facts facts={parseHeaders(textOf(raw))} />} />
)

/** The mail as it was sent or received. */
const RawMail = ({ id }: { readonly id: string }) => (
  <Loaded
    id={id}
    show={(raw) => (
      <>
        <p class="hint">
          {byteSize(raw.length)}
          {raw.length > maxShown && `, of which ${byteSize(maxShown)} are shown`} ·{" "}
          <a href={`${serviceUrl}/v1/email/${id}/raw`} download={`${id}.eml`}>
            Download
          </a>
        </p>
        <pre class="mail-text">{textOf(raw)}</pre>
      </>
    )}
  />
)

/** The files of a message with links to download them. */
const Attachments = ({ id }: { readonly id: string }) => {
  const { error, reload, value } = useLoad((signal) => client.messages.attachments({ path: { id } }, { signal }), [id])
  if (error !== undefined) return <ErrorNotice error={error} retry={reload} />
  return (
    <ul class="attachments" aria-label="Attachments" aria-busy={value === undefined}>
      {value?.items.map((attachment) => (
        <li key={attachment.id}>
          <a href={attachment.url} download={attachment.filename}>
            {attachment.filename}
          </a>{" "}
          <small>
            {attachment.contentType}, {byteSize(attachment.size)}
          </small>
        </li>
      ))}
    </ul>
  )
}

/** The values of the placeholders of a template of Meta, in their order. */
const parametersOf = ({ components = [] }: NonNullable<WhatsAppContent["template"]>): ReadonlyArray<string> =>
  components.flatMap(({ parameters }) =>
    (Array.isArray(parameters) ? parameters : []).map((parameter: unknown) =>
      isJsonObject(parameter) && typeof parameter.text === "string" ? parameter.text : JSON.stringify(parameter)
    )
  )

/** A WhatsApp message: its template of Meta with the parameters, the facts of its file, or its text. */
const WhatsAppParts = ({ content, id }: { readonly content: WhatsAppContent; readonly id: string }) => {
  const { media, template } = content
  if (template !== undefined) {
    const parameters = parametersOf(template).map((value, index) => [`Parameter ${index + 1}`, value] as const)
    return <Facts facts={[["Template", template.name], ["Language", template.language], ...parameters]} />
  }
  if (media === undefined) return <MailText text={plainTextOf(content)} />
  const { caption, contentType, downloadError, kind, size } = media
  return (
    <>
      <Facts
        facts={[
          ["Kind", kind],
          ["Type", contentType],
          ["Not stored", downloadError],
          ["Caption", caption]
        ]}
      />
      {size !== undefined && <Attachments id={id} />}
    </>
  )
}

/**
 * The content of a message. A mail: its HTML in a sandboxed frame, its text, and as it was sent or received. A text
 * message: its text, encoding and segments. A WhatsApp message: its text, template or file.
 */
export const MessageContent = ({ message: { content, id } }: { readonly message: Message }) => {
  const hasRecord = can("email.read")
  if (content.erasedAt !== undefined) return <p class="notice">The content was erased.</p>
  if (!("subject" in content)) {
    return (
      <section class="card content" aria-label="Content">
        {"encoding" in content ? (
          <>
            <MailText text={plainTextOf(content)} />
            <p class="hint">{segmentsText(content.encoding, content.segments)}</p>
          </>
        ) : (
          <WhatsAppParts content={content} id={id} />
        )}
      </section>
    )
  }
  const { attachments, html } = content
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
      {attachments.length > 0 && <Attachments id={id} />}
    </section>
  )
}

/** The results of SPF, DKIM and DMARC for a received mail. */
export const Authentication = ({ id }: { readonly id: string }) => {
  const { value } = useLoad(
    async (signal) =>
      can("email.read") ? (await client.emailRecords.get({ path: { id } }, { signal })).authentication : undefined,
    [id]
  )
  if (value === undefined) return null
  return (
    <Card title="Authentication">
      <Facts
        facts={[
          ["SPF", <Status key="spf" value={value.spf} />],
          ["DKIM", <Status key="dkim" value={value.dkim} />],
          ["DMARC", <Status key="dmarc" value={value.dmarc} />]
        ]}
      />
    </Card>
  )
}
