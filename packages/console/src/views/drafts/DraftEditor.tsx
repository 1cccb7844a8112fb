import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { discardUnsaved, navigate, useUnsaved } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import type { Draft } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { TextField } from "../../components/Field.js"
import type { AttachedFile } from "../../components/FilesField.js"
import { useAction } from "../../components/UseAction.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { MessageFields } from "../send/MessageFields.js"
import { changesOf, contentOf, uploadFiles } from "./DraftContent.js"
import { draftName } from "./DraftName.js"

interface DraftEditorProps {
  readonly draft: Draft
  readonly files: ReadonlyArray<AttachedFile>
  readonly saved: (draft: Draft) => void
  readonly back: { readonly href: string; readonly label: string }
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
  const { busy, error, run } = useAction(async () => {
    await save()
    showDone("The draft is saved")
  })
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
    showDone("The draft is deleted")
    navigate(back.href)
  }
  return (
    <>
      <ViewHeader title={draftName(draft)} back={back}>
        <ActionButton
          label="Delete"
          kind="danger"
          permission="drafts.write"
          confirm="The draft is deleted for good."
          action={remove}
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
      <form
        class="card padded send"
        aria-label="Draft"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
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
