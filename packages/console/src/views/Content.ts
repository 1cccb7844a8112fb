import { client } from "../app/Client.js"
import { type AttachedFile, base64Of } from "../components/FilesField.js"
import { parseMailbox } from "../components/Format.js"

/** What the form of a message has. Lists of addresses and tags are texts, separated by commas or lines. */
export interface Content {
  /** The sender, an address with or without a name or a number; empty for the default sender. */
  readonly from: string
  readonly to: string
  readonly cc: string
  readonly bcc: string
  readonly replyTo: string
  readonly tags: string
  /** The time to send at, in the zone of the browser: `2026-11-23T16:30`. Empty: at once. */
  readonly sendAt: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Whether opens and clicks are tracked: `yes` or `no`; empty for the default of the sender's domain. */
  readonly trackOpens: string
  readonly trackClicks: string
  /** The kind of a WhatsApp message: `template` for a template of Meta, `media` for a file; empty for a text. */
  readonly kind: string
  /** The name and the language of the template of Meta, and the parameters of its body: one a line. */
  readonly templateName: string
  readonly language: string
  readonly parameters: string
  /** The id of the template; empty without one. */
  readonly templateId: string
  /** The data of the template, by variable. */
  readonly data: Readonly<Record<string, string>>
  readonly files: ReadonlyArray<AttachedFile>
}

export const emptyContent: Content = {
  ...{ from: "", to: "", cc: "", bcc: "", replyTo: "", tags: "", sendAt: "" },
  ...{ subject: "", text: "", html: "", templateId: "", data: {}, files: [] },
  ...{ trackOpens: "", trackClicks: "" },
  ...{ kind: "", templateName: "", language: "", parameters: "" }
}

/** An address of a domain that is reserved for examples (RFC 2606). */
export const testAddress = "test@example.com"

/** The entries of a list. A comma in quotes is a part of a name. */
export const entriesOf = (text: string): ReadonlyArray<string> =>
  (text.match(/(?:"[^"]*"|[^,;\n"])+/g) ?? []).map((entry) => entry.trim()).filter((entry) => entry !== "")

/** The recipient of an entry like `Grace <grace@example.com>`. */
export const recipientOf = (entry: string): { readonly email: string; readonly name?: string } => {
  const { address, ...named } = parseMailbox(entry)
  return { email: address, ...named }
}

/** The data without empty values: for those the template has fallbacks, or requires them. */
export const givenData = (data: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ""))

/** A text or a list; undefined if it is empty. */
export const filled = <Value extends { readonly length: number }>(value: Value): Value | undefined =>
  value.length === 0 ? undefined : value

const recipientsOf = (text: string) => entriesOf(text).map(recipientOf)

const attachmentOf = async (file: AttachedFile) => ({
  filename: file.name,
  content: await base64Of(file),
  contentType: file.source instanceof File ? filled(file.source.type) : undefined
})

/** Uploads a chosen file; returns its id. An uploaded file has it already. */
export const uploadFile = async (file: AttachedFile): Promise<string | undefined> => {
  if (!(file.source instanceof File)) return file.source
  const contentType = file.source.type || "application/octet-stream"
  const payload = { filename: file.name, contentType, content: await base64Of(file) }
  return (await client.attachments.upload({ payload })).id
}

/** The part of a send that all channels have. */
export const optionsOf = ({ sendAt, tags }: Content) => ({
  tags: filled(entriesOf(tags)),
  scheduledAt: sendAt === "" ? undefined : new Date(sendAt)
})

/** The template of the content with its data, or what the content has without one. */
export const templateOr = <Body>({ data, templateId }: Content, body: Body) =>
  templateId === "" ? body : { templateId, templateData: givenData(data) }

const isYes = (choice: string): boolean | undefined => (choice === "" ? undefined : choice === "yes")

/** The request to send an e-mail. */
export const mailOf = async (content: Content) => ({
  channel: "email" as const,
  ...optionsOf(content),
  to: recipientsOf(content.to),
  cc: filled(recipientsOf(content.cc)),
  bcc: filled(recipientsOf(content.bcc)),
  email: {
    from: content.from === "" ? undefined : parseMailbox(content.from),
    replyTo: filled(entriesOf(content.replyTo)),
    subject: filled(content.subject),
    attachments: filled(await Promise.all(content.files.map(attachmentOf))),
    trackOpens: isYes(content.trackOpens),
    trackClicks: isYes(content.trackClicks),
    ...templateOr(content, { text: filled(content.text), html: filled(content.html) })
  }
})
