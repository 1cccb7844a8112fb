import { useEffect, useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { changeQuery, navigate, place } from "../app/Location.js"
import { linkTo, paths } from "../app/Paths.js"
import { organizationId } from "../app/SessionState.js"
import { Button, useAction } from "../components/Actions.js"
import { Icon } from "../components/Icon.js"
import { ErrorNotice, showDone } from "../components/Notices.js"
import { Tabs } from "../components/Tabs.js"
import { ViewHeader } from "../components/View.js"
import { type Content, emptyContent, mailOf } from "./Content.js"
import { MessageFields } from "./MessageFields.js"
import { channelNames } from "./MessageRow.js"
import { SmsFields, smsOf } from "./SmsFields.js"
import { WhatsAppFields, whatsappOf } from "./WhatsAppFields.js"

/** The forms of the channels: the fields, and the request of a send. */
const forms = [
  { channel: "email", Fields: MessageFields, sendOf: mailOf },
  { channel: "sms", Fields: SmsFields, sendOf: smsOf },
  { channel: "whatsapp", Fields: WhatsAppFields, sendOf: whatsappOf }
] as const

type Form = (typeof forms)[number]

/** The contents with their files, which the storage of the tab cannot have. */
const withFiles = new Map<string, Content>()

const keyOf = ({ channel }: Form) => `send ${channel} ${organizationId()}`

/** Stores what the form has until the tab is closed or the session is logged out. */
const storeContent = (key: string, content: Content): void => {
  withFiles.set(key, content)
  const files = content.files.map(({ name, size }) => ({ name, size }))
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...content, files }))
  } catch {
    // The quota of the storage is exceeded: the content is lost when the page is loaded again.
    sessionStorage.setItem(key, "{}")
  }
}

/** What the form had when it was last shown. */
const storedContent = (key: string): Content => {
  const stored = sessionStorage.getItem(key)
  if (stored === null) return emptyContent
  const content: Partial<Content> = JSON.parse(stored)
  return withFiles.get(key) ?? { ...emptyContent, ...content }
}

/** The stored content, with the template that a link names. */
const firstContent = (key: string): Content => {
  const stored = storedContent(key)
  const templateId = place.peek().query.get("template")
  return templateId === null ? stored : { ...stored, templateId, kind: "" }
}

/** The form of a channel. It keeps its content until it is sent. */
const SendForm = ({ form }: { readonly form: Form }) => {
  const { Fields, sendOf } = form
  const key = keyOf(form)
  const [content, setContent] = useState(() => firstContent(key))
  // The choice in the form replaces that of the link.
  useEffect(() => changeQuery({ template: undefined }), [])
  useEffect(() => storeContent(key, content), [content])
  const { busy, error, run } = useAction(async () => {
    const { id } = await client.messages.send({ payload: await sendOf(content) })
    showDone(content.sendAt === "" ? "The message is accepted" : "The message is scheduled")
    setContent(emptyContent)
    storeContent(key, emptyContent)
    navigate(linkTo(paths.message, { id }))
  })
  const submit = (event: Event) => {
    event.preventDefault()
    void run()
  }
  return (
    <form class="form" onSubmit={submit}>
      <Fields content={content} change={(changes) => setContent((current) => ({ ...current, ...changes }))} />
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={busy}>
          <Icon name={content.sendAt === "" ? "send" : "clock"} />
          {content.sendAt === "" ? "Send" : "Schedule"}
        </button>
        <Button label="Clear" press={() => setContent(emptyContent)} />
      </div>
    </form>
  )
}

/** The form to send a message, by its channel. */
export const SendView = () => (
  <>
    <ViewHeader title="Send a message" />
    <div class="card padded send">
      <Tabs
        label="Channel"
        tabs={forms.map((form) => ({
          name: form.channel,
          label: channelNames[form.channel],
          content: () => <SendForm key={form.channel} form={form} />
        }))}
      />
    </div>
  </>
)
