import { client } from "../../app/Client.js"
import type { Draft } from "../../app/Types.js"
import { type AttachedFile, base64Of } from "../../components/FilesField.js"
import { type Content, emptyContent, filled } from "../send/Content.js"
import { recipientsOf, recipientText } from "./DraftRecipients.js"

/** The names and sizes of the files of a draft. */
export const loadFiles = ({ content: { attachmentIds = [] } }: Draft, signal: AbortSignal) =>
  Promise.all(
    attachmentIds.map(
      async (id): Promise<AttachedFile> =>
        client.attachments.get({ path: { id } }, { signal }).then(
          ({ filename, size }) => ({ name: filename, size, source: id }),
          // A draft may refer to a file that was deleted: sending it names the file.
          () => ({ name: id, size: 0, source: id })
        )
    )
  )

/** What the form has of a draft. */
export const contentOf = ({ content, recipients }: Draft, files: ReadonlyArray<AttachedFile>): Content => ({
  ...emptyContent,
  to: recipients.map(recipientText).join(", "),
  subject: content.subject ?? "",
  text: content.body || content.text || "",
  html: content.html ?? "",
  templateId: content.templateId ?? "",
  data: content.variables ?? {},
  files
})

/** Uploads the new files of a draft, and returns all with their ids. */
export const uploadFiles = (files: ReadonlyArray<AttachedFile>) =>
  Promise.all(
    files.map(async (file) => {
      if (!(file.source instanceof File)) return file
      const contentType = file.source.type || "application/octet-stream"
      const payload = { filename: file.name, contentType, content: await base64Of(file) }
      return { ...file, source: (await client.attachments.upload({ payload })).id }
    })
  )

/** The parts of the content that a template replaces. The form shows one text: `body`, or else `text`. */
const partsOf = ({ html, templateId, text }: Content, { content }: Draft) => {
  if (templateId === "") return { html, body: text, text: content.body ? content.text : undefined }
  return templateId === content.templateId ? {} : { html: undefined, body: undefined, text: undefined }
}

/** The changes of a draft by its form. Fields of the content that the form does not show stay. */
export const changesOf = (title: string, content: Content, draft: Draft) => ({
  title: title === "" ? null : title,
  recipients: recipientsOf(content.to, draft),
  content: {
    ...draft.content,
    ...partsOf(content, draft),
    subject: content.subject,
    templateId: filled(content.templateId),
    variables: Object.keys(content.data).length === 0 ? undefined : content.data,
    attachmentIds: filled(content.files.flatMap(({ source }) => (typeof source === "string" ? [source] : [])))
  }
})
