import { useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { discardUnsaved, navigate, useUnsaved } from "../app/Location.js"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { Draft } from "../app/Types.js"
import { ActionButton, submitTo, useAction } from "../components/Actions.js"
import { TextField } from "../components/Fields.js"
import type { AttachedFile } from "../components/FilesField.js"
import { mailboxText } from "../components/Format.js"
import { ErrorNotice, showDone } from "../components/Notices.js"
import { DeleteButton } from "../components/Resource.js"
import { type Back, ViewHeader } from "../components/View.js"
import { type Content, emptyContent, entriesOf, filled, recipientOf, uploadFile } from "./Content.js"
import { MessageFields } from "./MessageFields.js"

/** The title of a draft, or else its subject. */
export const draftName = ({ content, title }: Draft): string => title || content.subject || "Untitled"

type Recipient = Draft["recipients"][number]

/** A recipient as text: `Ada <ada@example.com>`. */
export const recipientText = ({
  email = "",
  name = "",
  participantId = "",
  phone = "",
  whatsappId = ""
}: Recipient) => {
  const address = email || phone || whatsappId || participantId
  return mailboxText(address, /[,;]/.test(name) ? `"${name}"` : name)
}

/**
 * The recipients of a form. An entry that is the text of a recipient of the draft stays that recipient, with the fields
 * that the form does not show.
 */
const recipientsOf = (text: string, { recipients }: Draft): ReadonlyArray<Recipient> =>
  entriesOf(text).map(
    (entry) => recipients.find((recipient) => recipientText(recipient) === entry) ?? recipientOf(entry)
  )

/** The names and sizes of the files of a draft. */
export const loadFiles = ({ content: { attachmentIds = [] } }: Draft, options: { readonly signal?: AbortSignal }) =>
  Promise.all(
    attachmentIds.map(
      async (id): Promise<AttachedFile> =>
        client.attachments.get({ path: { id } }, options).then(
          ({ filename, size }) => ({ name: filename, size, source: id }),
          // A draft may refer to a file that was deleted: sending it names the file.
          () => ({ name: id, size: 0, source: id })
        )
    )
  )

/** What the form has of a draft. */
const contentOf = ({ content, recipients }: Draft, files: ReadonlyArray<AttachedFile>): Content => ({
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
const uploadFiles = (files: ReadonlyArray<AttachedFile>) =>
  Promise.all(
    files.map(async (file) => {
      const source = await uploadFile(file)
      return source === undefined ? file : { ...file, source }
    })
  )

/** The parts of the content that a template replaces. The form shows one text: `body`, or else `text`. */
const partsOf = ({ html, templateId, text }: Content, { content }: Draft) => {
  if (templateId === "") return { html, body: text, text: content.body ? content.text : undefined }
  return templateId === content.templateId ? {} : { html: undefined, body: undefined, text: undefined }
}

/** The changes of a draft by its form. Fields of the content that the form does not show stay. */
const changesOf = (title: string, content: Content, draft: Draft) => ({
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

interface DraftEditorProps {
  readonly draft: Draft
  readonly files: ReadonlyArray<AttachedFile>
  readonly saved: (draft: Draft) => void
  readonly back: Back
}

/** What the form has, as text: files differ by their names. */
const snapshotOf = (...form: ReadonlyArray<unknown>) => JSON.stringify(form)

/** The form of a draft. Sending saves it first. */
export const DraftEditor = ({ back, draft, files, saved }: DraftEditorProps) => {
  const { id } = draft
  const [title, setTitle] = useState(draft.title ?? "")
  const [content, setContent] = useState(() => contentOf(draft, files))
  const [stored, setStored] = useState(() => snapshotOf(title, content))
  useUnsaved(can("drafts.write") && snapshotOf(title, content) !== stored)
  const save = async () => {
    if (!can("drafts.write")) return
    const uploaded = { ...content, files: await uploadFiles(content.files) }
    saved(await client.drafts.update({ path: { id }, payload: changesOf(title, uploaded, draft) }))
    // Files that were added during the upload stay.
    const uploadedOf = (file: AttachedFile) => uploaded.files[content.files.indexOf(file)] ?? file
    setContent((current) => ({ ...current, files: current.files.map(uploadedOf) }))
    setStored(snapshotOf(title, uploaded))
  }
  const { busy, error, run } = useAction(save, { done: "The draft is saved" })
  const send = async () => {
    await save()
    const message = await client.drafts.send({ path: { id } })
    discardUnsaved()
    showDone("The draft is sent")
    navigate(linkTo(paths.message, { id: message.id }))
  }
  const remove = async () => {
    await client.drafts.remove({ path: { id } })
    discardUnsaved()
  }
  return (
    <>
      <ViewHeader title={draftName(draft)} back={back}>
        <DeleteButton
          permission="drafts.write"
          confirm="The draft is deleted for good."
          action={remove}
          done="The draft is deleted"
          to={back.href}
        />
        <ActionButton
          label="Send"
          icon="send"
          kind="primary"
          permission="messages.send"
          confirm="The draft is saved and sent to its recipients. It can be sent once."
          action={send}
        />
      </ViewHeader>
      <form class="card padded send" aria-label="Draft" onSubmit={submitTo(run)}>
        <fieldset class="form" disabled={!can("drafts.write")}>
          <TextField label="Title" name="title" value={title} change={setTitle} hint="For your list only, not sent." />
          <MessageFields
            content={content}
            change={(changes) => setContent((current) => ({ ...current, ...changes }))}
            isDraft
          />
          {error !== undefined && <ErrorNotice error={error} />}
          {can("drafts.write") && (
            <div class="form-actions">
              <button type="submit" class="button" disabled={busy}>
                Save
              </button>
            </div>
          )}
        </fieldset>
      </form>
    </>
  )
}
