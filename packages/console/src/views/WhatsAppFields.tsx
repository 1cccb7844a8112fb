import { can } from "../app/SessionState.js"
import { TextField } from "../components/Fields.js"
import { FilesField } from "../components/FilesField.js"
import { type Content, filled, optionsOf, templateOr, uploadFile } from "./Content.js"
import { ContentFields, type ContentProps, fieldsOf, SendAtField, TagsField } from "./MessageFields.js"
import { useNumbers } from "./Sender.js"
import { NumberNotice, phoneOf } from "./SmsFields.js"

/** The template of Meta that the content names. */
const templateOf = ({ language, parameters, templateName }: Content) => {
  const texts = parameters.split("\n").filter((line) => line.trim() !== "")
  const body = { type: "body", parameters: texts.map((text) => ({ type: "text", text: text.trim() })) }
  return { name: templateName.trim(), language: language.trim(), ...(texts.length === 0 ? {} : { components: [body] }) }
}

/** The chosen file with its caption. */
const mediaOf = async ({ files: [file], text }: Content) => {
  const attachmentId = file === undefined ? undefined : await uploadFile(file)
  if (attachmentId === undefined) throw new Error("Choose the file to send.")
  return { attachmentId, caption: filled(text) }
}

/** The request to send a WhatsApp message. */
export const whatsappOf = async (content: Content) => ({
  channel: "whatsapp" as const,
  ...optionsOf(content),
  to: [{ phone: phoneOf(content.to) }],
  whatsapp:
    content.kind === "template"
      ? { template: templateOf(content) }
      : content.kind === "media"
        ? { media: await mediaOf(content) }
        : templateOr(content, { text: { body: content.text } })
})

/** The fields of a WhatsApp message. */
export const WhatsAppFields = (props: ContentProps) => {
  const { change, content } = props
  const fieldOf = fieldsOf(props)
  return (
    <>
      <NumberNotice channel="whatsapp" numbers={useNumbers("whatsapp")} />
      <TextField
        label="To"
        {...fieldOf("to")}
        inputMode="tel"
        required
        placeholder="+49 151 23456789"
        hint="One phone number with the country code."
      />
      <label class="field">
        <span>Content</span>
        <select value={content.kind} onChange={(event) => change({ kind: event.currentTarget.value })}>
          <option value="">Text, within 24 hours of a message of the recipient</option>
          {can("drafts.write") && <option value="media">File, within 24 hours of a message of the recipient</option>}
          <option value="template">Template that Meta approved, at any time</option>
        </select>
      </label>
      {content.kind === "template" ? (
        <>
          <TextField label="Name" {...fieldOf("templateName")} required placeholder="order_ready" />
          <TextField label="Language" {...fieldOf("language")} required placeholder="en_US" />
          <TextField
            label="Parameters"
            {...fieldOf("parameters")}
            lines={3}
            hint="The values of the placeholders in the body, one a line."
          />
        </>
      ) : content.kind === "media" ? (
        <>
          <FilesField files={content.files} change={(files) => change({ files })} maxFiles={1} />
          <TextField label="Caption" {...fieldOf("text")} lines={2} hint="Audio files and stickers have none." />
        </>
      ) : (
        <ContentFields {...props} channel="whatsapp">
          <TextField label="Text" {...fieldOf("text")} lines={5} required />
        </ContentFields>
      )}
      <TagsField {...props} />
      <SendAtField {...props} />
    </>
  )
}
