import { useEffect, useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { changeQuery, navigate, place } from "../app/Location.js"
import { linkTo, paths } from "../app/Paths.js"
import { organizationId } from "../app/SessionState.js"
import { Button, useAction } from "../components/Actions.js"
import { Icon } from "../components/Icon.js"
import { ErrorNotice, showDone } from "../components/Notices.js"
import { ViewHeader } from "../components/View.js"
import { type Content, emptyContent, sendOf } from "./Content.js"
import { MessageFields } from "./MessageFields.js"

/** The contents with their files, which the storage of the tab cannot have. */
const withFiles = new Map<string, Content>()

const keyOf = () => `send ${organizationId()}`

/** Stores what the form has until the tab is closed or the session is logged out. */
const storeContent = (content: Content): void => {
  withFiles.set(keyOf(), content)
  const files = content.files.map(({ name, size }) => ({ name, size }))
  try {
    sessionStorage.setItem(keyOf(), JSON.stringify({ ...content, files }))
  } catch {
    // The quota of the storage is exceeded: the content is lost when the page is loaded again.
    sessionStorage.setItem(keyOf(), "{}")
  }
}

/** What the form had when it was last shown. */
const storedContent = (): Content => {
  const stored = sessionStorage.getItem(keyOf())
  if (stored === null) return emptyContent
  const content: Partial<Content> = JSON.parse(stored)
  return withFiles.get(keyOf()) ?? { ...emptyContent, ...content }
}

/** The stored content, with the template that a link names. */
const firstContent = (): Content => {
  const stored = storedContent()
  return { ...stored, templateId: place.peek().query.get("template") ?? stored.templateId }
}

/** The form to send a message, with its own content or with a template. It keeps its content until it is sent. */
export const SendView = () => {
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
          <Button label="Clear" press={() => setContent(emptyContent)} />
        </div>
      </form>
    </>
  )
}
