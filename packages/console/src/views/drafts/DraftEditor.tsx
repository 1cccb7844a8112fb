import { useRef } from "preact/hooks"
import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import type { Draft } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { TextField } from "../../components/Field.js"
import { useAction } from "../../components/UseAction.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { changesOf } from "./DraftChanges.js"
import { draftName } from "./DraftName.js"
import { recipientText } from "./DraftRecipients.js"

interface DraftEditorProps {
  readonly draft: Draft
  readonly saved: (draft: Draft) => void
  readonly back: { readonly href: string; readonly label: string }
}

/** The form of a draft. Sending saves it first. */
export const DraftEditor = ({ back, draft, saved }: DraftEditorProps) => {
  const form = useRef<HTMLFormElement>(null)
  const { content, id, recipients, title = "" } = draft
  const save = async () => {
    if (form.current === null || !can("drafts.write")) return
    saved(await client.drafts.update({ path: { id }, payload: changesOf(new FormData(form.current), draft) }))
  }
  const { busy, error, run } = useAction(async () => {
    await save()
    showDone("The draft is saved")
  })
  const send = async () => {
    await save()
    const message = await client.drafts.send({ path: { id } })
    showDone("The draft is sent")
    navigate(linkTo(paths.message, { id: message.id }))
  }
  const remove = async () => {
    await client.drafts.remove({ path: { id } })
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
        ref={form}
        class="card padded"
        aria-label="Draft"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <fieldset class="form" disabled={!can("drafts.write")}>
          <TextField label="Title" name="title" value={title} hint="For your list only, not sent." />
          <TextField
            label="Recipients"
            name="recipients"
            lines={3}
            value={recipients.map(recipientText).join("\n")}
            hint="One on each line: ada@example.com, or Ada <ada@example.com>"
          />
          <TextField label="Subject" name="subject" value={content.subject ?? ""} />
          <TextField label="Text" name="body" lines={8} value={content.body ?? ""} />
          <TextField
            label="HTML"
            name="html"
            lines={4}
            value={content.html ?? ""}
            hint="Default: the text, with its line breaks."
          />
          {(content.attachmentIds ?? []).length > 0 && <p class="hint">{content.attachmentIds?.length} attachments</p>}
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
