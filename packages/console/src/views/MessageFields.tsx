import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { can } from "../app/SessionState.js"
import type { Template } from "../app/Types.js"
import { TextField } from "../components/Fields.js"
import { FilesField } from "../components/FilesField.js"
import { ErrorNotice } from "../components/Notices.js"
import { useDebounced, useLoad } from "../components/View.js"
import { type Content, givenData, testAddress } from "./Content.js"
import { MailSenderField } from "./Sender.js"

interface TemplateFieldsProps {
  readonly template: Template
  readonly data: Readonly<Record<string, string>>
  readonly change: (data: Readonly<Record<string, string>>) => void
}

/** The text that the message will have, and the subject of an e-mail. */
const Preview = ({ data, template }: Pick<TemplateFieldsProps, "template" | "data">) => {
  const { error, value } = useLoad(
    (signal) => client.templates.render({ path: { id: template.id }, payload: { data: givenData(data) } }, { signal }),
    [template.id, useDebounced(JSON.stringify(data))]
  )
  if (error !== undefined) return <ErrorNotice error={error} />
  return value === undefined ? null : (
    <section class="preview" aria-label="Preview">
      {value.subject !== undefined && <strong>{value.subject}</strong>}
      <pre class="mail-text">{value.text}</pre>
    </section>
  )
}

/** The variables of a template, and a preview with their values. */
const TemplateFields = ({ change, data, template }: TemplateFieldsProps) => (
  <>
    {template.variables.map(({ fallback, name, required }) => (
      <label key={name} class="field">
        <span>{name}</span>
        <input
          required={required}
          placeholder={fallback ?? ""}
          value={data[name] ?? ""}
          onInput={(event) => change({ ...data, [name]: event.currentTarget.value })}
        />
      </label>
    ))}
    <Preview template={template} data={data} />
  </>
)

/** The parts of the content that are texts. */
type Texts = Omit<Content, "data" | "files">

/** The content of a form, and its changes. */
export interface ContentProps {
  readonly content: Content
  readonly change: (changes: Partial<Content>) => void
}

interface MessageFieldsProps extends ContentProps {
  /** Whether it is the content of a draft, which has fewer fields. */
  readonly isDraft?: boolean
}

/** The name, the value and the change of a field for a text of the content. */
export const fieldsOf =
  ({ change, content }: ContentProps) =>
  (name: keyof Texts) => ({
    name,
    value: content[name],
    change: (text: string) => {
      const changes: Partial<Texts> = { [name]: text }
      change(changes)
    }
  })

/** The templates of a channel to choose from, with the selected one. */
const loadTemplates = (channel: Template["channel"], selected: string) => async (signal: AbortSignal) => {
  if (!can("templates.read")) return []
  const { items } = await client.templates.list({ urlParams: { filters: { channel }, limit: 100 } }, { signal })
  if (selected === "" || items.some(({ id }) => id === selected)) return items
  return [await client.templates.get({ path: { id: selected } }, { signal }), ...items]
}

interface ContentFieldsProps extends ContentProps {
  readonly channel: Template["channel"]
  /** The fields of a content without a template. */
  readonly children: ComponentChildren
}

/** The template of the content, and the fields that depend on it. */
export const ContentFields = ({ channel, children, ...props }: ContentFieldsProps) => {
  const { change, content } = props
  const { data, templateId } = content
  const { error, reload, value: templates = [] } = useLoad(loadTemplates(channel, templateId), [])
  const template = templates.find(({ id }) => id === templateId)
  const hasTemplate = templateId !== ""
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} retry={reload} />}
      {(templates.length > 0 || hasTemplate) && (
        <label class="field">
          <span>Template</span>
          <select value={templateId} onChange={(event) => change({ templateId: event.currentTarget.value })}>
            <option value="">None</option>
            {hasTemplate && template === undefined && <option value={templateId}>{templateId}</option>}
            {templates.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {channel === "email" && (
        <TextField
          label="Subject"
          {...fieldsOf(props)("subject")}
          hint={hasTemplate ? "Default: that of the template." : undefined}
        />
      )}
      {!hasTemplate && children}
      {template !== undefined && (
        <TemplateFields
          key={templateId}
          template={template}
          data={data}
          change={(changed) => change({ data: changed })}
        />
      )}
    </>
  )
}

/** The zone of the browser with its offset at a time: `Europe/Berlin (GMT+1)`. */
const zoneAt = (time: Date): string => {
  const format = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" })
  const offset = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? ""
  return `${format.resolvedOptions().timeZone} (${offset})`
}

/** The field for the tags of a message. */
export const TagsField = (props: ContentProps) => (
  <TextField
    label="Tags"
    {...fieldsOf(props)("tags")}
    placeholder="order, spring"
    hint="At most 20, to filter messages. Recipients do not see them."
  />
)

interface TrackingFieldProps extends ContentProps {
  readonly label: string
  readonly name: "trackClicks" | "trackOpens"
}

/** A field that chooses whether recipients are tracked. */
const TrackingField = ({ label, name, ...props }: TrackingFieldProps) => {
  const { change, value } = fieldsOf(props)(name)
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={value} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">Default of the domain</option>
        <option value="yes">Yes</option>
        <option value="no">No</option>
      </select>
    </label>
  )
}

/** The field for the time that a message is sent at. */
export const SendAtField = (props: ContentProps) => {
  const { sendAt } = props.content
  return (
    <TextField
      label="Send at"
      {...fieldsOf(props)("sendAt")}
      isTime
      hint={`Time zone ${zoneAt(sendAt === "" ? new Date() : new Date(sendAt))}, at most 90 days ahead. Default: at once.`}
    />
  )
}

/** The fields of an e-mail: those of the form to send one, and of a draft. */
export const MessageFields = (props: MessageFieldsProps) => {
  const { change, content, isDraft = false } = props
  const { bcc, cc, files, from, replyTo, tags, trackClicks, trackOpens } = content
  const fieldOf = fieldsOf(props)
  const [isOpen] = useState([cc, bcc, replyTo, tags, trackOpens, trackClicks].some((text) => text !== ""))
  return (
    <>
      {!isDraft && <MailSenderField value={from} change={(changed) => change({ from: changed })} />}
      <TextField
        label="To"
        {...fieldOf("to")}
        lines={2}
        required={!isDraft}
        placeholder="ada@example.com, Grace <grace@example.com>"
      />
      {!isDraft && (
        <>
          <button type="button" class="link" onClick={() => change({ to: testAddress })}>
            Use the test address {testAddress}
          </button>
          <details open={isOpen}>
            <summary>Cc, Bcc, Reply-To, tags, tracking</summary>
            <div class="form">
              <TextField label="Cc" {...fieldOf("cc")} />
              <TextField label="Bcc" {...fieldOf("bcc")} hint="At most 50 recipients in To, Cc and Bcc together." />
              <TextField
                label="Reply-To"
                {...fieldOf("replyTo")}
                hint="Default: the address for replies of the sender."
              />
              <TagsField {...props} />
              <TrackingField {...props} label="Track opens" name="trackOpens" />
              <TrackingField {...props} label="Track clicks" name="trackClicks" />
            </div>
          </details>
        </>
      )}
      <ContentFields channel="email" content={content} change={change}>
        <TextField label="Text" {...fieldOf("text")} lines={8} hint="Default: from the HTML." />
        <TextField label="HTML" {...fieldOf("html")} lines={4} isCode hint="Default: the text, with its line breaks." />
      </ContentFields>
      <FilesField files={files} change={(changed) => change({ files: changed })} />
      {!isDraft && <SendAtField {...props} />}
    </>
  )
}
