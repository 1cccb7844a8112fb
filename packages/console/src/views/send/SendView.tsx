import { useEffect, useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { changeQuery, navigate, place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone } from "../../app/Toasts.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { Icon } from "../../components/Icon.js"
import { useAction } from "../../components/UseAction.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { type Content, emptyContent, sendOf } from "./Content.js"
import { MessageFields } from "./MessageFields.js"
import { storeContent, storedContent } from "./StoredContent.js"

/** The stored content, with the template that a link names. */
const firstContent = (): Content => {
  const stored = storedContent()
  return { ...stored, templateId: place.peek().query.get("template") ?? stored.templateId }
}

/** The form to send a message, with its own content or with a template. It keeps its content until it is sent. */
const SendView = () => {
  const [content, setContent] = useState(firstContent)
  // The choice in the form replaces that of the link.
  useEffect(() => changeQuery({ template: undefined }), [])
  useEffect(() => storeContent(content), [content])
  const { busy, error, run } = useAction(async () => {
    const { id } = await client.messages.send({ payload: await sendOf(content) })
    showDone(content.sendAt === "" ? "The message is accepted" : "The message is scheduled")
    setContent(emptyContent)
    storeContent(emptyContent)
    navigate(linkTo(paths.message, { id }))
  })
  const submit = (event: Event) => {
    event.preventDefault()
    void run()
  }
  return (
    <>
      <ViewHeader title="Send a message" />
      <form class="card padded form send" onSubmit={submit}>
        <MessageFields content={content} change={(changes) => setContent((current) => ({ ...current, ...changes }))} />
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="buttons">
          <button type="submit" class="button primary" disabled={busy}>
            <Icon name={content.sendAt === "" ? "send" : "clock"} />
            {content.sendAt === "" ? "Send" : "Schedule"}
          </button>
          <button type="button" class="button" onClick={() => setContent(emptyContent)}>
            Clear
          </button>
        </div>
      </form>
    </>
  )
}

export default SendView
