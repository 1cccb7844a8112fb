import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { can } from "../../app/SessionState.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { TextField } from "../../components/Field.js"
import { FilesField } from "../../components/FilesField.js"
import { useLoad } from "../../components/UseLoad.js"
import { type Content, testAddress } from "./Content.js"
import { SenderField } from "./SenderField.js"
import { TemplateFields } from "./TemplateFields.js"

interface MessageFieldsProps {
  readonly content: Content
  readonly change: (changes: Partial<Content>) => void
  /** Whether it is the content of a draft, which has fewer fields. */
  readonly isDraft?: boolean
}

/** The templates to choose from, with the selected one. */
const loadTemplates = (selected: string) => async (signal: AbortSignal) => {
  if (!can("templates.read")) return []
  const { items } = await client.templates.list({ urlParams: { limit: 100 } }, { signal })
  if (selected === "" || items.some(({ id }) => id === selected)) return items
  return [await client.templates.get({ path: { id: selected } }, { signal }), ...items]
}

/** The template of the content, and the fields that depend on it. */
const ContentFields = ({ change, content }: MessageFieldsProps) => {
  const { data, html, subject, templateId, text } = content
  const { error, reload, value: templates = [] } = useLoad(loadTemplates(templateId), [])
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
      <TextField
        label="Subject"
        name="subject"
        value={subject}
        change={(changed) => change({ subject: changed })}
        {...(hasTemplate ? { hint: "Default: that of the template." } : {})}
      />
      {!hasTemplate && (
        <>
          <TextField
            label="Text"
            name="text"
            lines={8}
            value={text}
            change={(changed) => change({ text: changed })}
            hint="Default: from the HTML."
          />
          <TextField
            label="HTML"
            name="html"
            lines={4}
            isCode
            value={html}
            change={(changed) => change({ html: changed })}
            hint="Default: the text, with its line breaks."
          />
        </>
      )}
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

/** The fields of a message: those of the form to send one, and of a draft. */
export const MessageFields = ({ change, content, isDraft = false }: MessageFieldsProps) => {
  const { bcc, cc, files, from, replyTo, sendAt, tags, to } = content
  const [isOpen] = useState([cc, bcc, replyTo, tags].some((text) => text !== ""))
  return (
    <>
      {!isDraft && <SenderField value={from} change={(changed) => change({ from: changed })} />}
      <TextField
        label="To"
        name="to"
        lines={2}
        required={!isDraft}
        placeholder="ada@example.com, Grace <grace@example.com>"
        value={to}
        change={(changed) => change({ to: changed })}
      />
      {!isDraft && (
        <>
          <button type="button" class="link" onClick={() => change({ to: testAddress })}>
            Use the test address {testAddress}
          </button>
          <details open={isOpen}>
            <summary>Cc, Bcc, Reply-To, tags</summary>
            <div class="form">
              <TextField label="Cc" name="cc" value={cc} change={(changed) => change({ cc: changed })} />
              <TextField
                label="Bcc"
                name="bcc"
                value={bcc}
                change={(changed) => change({ bcc: changed })}
                hint="At most 50 recipients in To, Cc and Bcc together."
              />
              <TextField
                label="Reply-To"
                name="replyTo"
                value={replyTo}
                change={(changed) => change({ replyTo: changed })}
                hint="Default: the address for replies of the sender."
              />
              <TextField
                label="Tags"
                name="tags"
                placeholder="order, spring"
                value={tags}
                change={(changed) => change({ tags: changed })}
                hint="At most 20, to filter messages. Recipients do not see them."
              />
            </div>
          </details>
        </>
      )}
      <ContentFields content={content} change={change} />
      <FilesField files={files} change={(changed) => change({ files: changed })} />
      {!isDraft && (
        <TextField
          label="Send at"
          name="sendAt"
          isTime
          value={sendAt}
          change={(changed) => change({ sendAt: changed })}
          hint={`Time zone ${zoneAt(sendAt === "" ? new Date() : new Date(sendAt))}, at most 90 days ahead. Default: at once.`}
        />
      )}
    </>
  )
}
