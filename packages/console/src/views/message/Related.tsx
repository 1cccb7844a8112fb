import type { ComponentChildren } from "preact"
import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import type { Message } from "../../app/Types.js"
import { useLoad } from "../../components/UseLoad.js"

interface NamedLinkProps {
  readonly href: string
  readonly load: (signal: AbortSignal) => Promise<string>
  /** Shown until the name is loaded, and if the resource was deleted. */
  readonly id: string
}

/** A link to a resource with its name. */
const NamedLink = ({ href, id, load }: NamedLinkProps) => {
  const { error, value } = useLoad(load, [href])
  if (error !== undefined) return <span>{id}</span>
  return <a href={href}>{value ?? id}</a>
}

const messageLink = (id: string | null | undefined) =>
  id === null || id === undefined ? null : <a href={linkTo(paths.message, { id })}>Open the message</a>

const templateLink = ({ templateId: id, templateVersion }: Message["content"]) => {
  if (id === undefined) return null
  const version = templateVersion === undefined ? "" : `, version ${templateVersion}`
  if (!can("templates.read")) return `${id}${version}`
  return (
    <NamedLink
      href={linkTo(paths.template, { id }, { version: templateVersion?.toString() })}
      load={async (signal) => `${(await client.templates.get({ path: { id } }, { signal })).name}${version}`}
      id={id}
    />
  )
}

const keyLink = (id: string | null) => {
  if (id === null) return null
  if (!can("apiKeys.read")) return id
  return (
    <NamedLink
      href={linkTo(paths.key, { id })}
      load={async (signal) => (await client.apiKeys.get({ path: { id } }, { signal })).name}
      id={id}
    />
  )
}

/** What a message belongs to and was made from, as facts with links. */
export const relatedFacts = ({
  apiKeyId,
  content,
  conversationId,
  errorDetails,
  parentMessageId,
  threadId
}: Message): ReadonlyArray<readonly [string, ComponentChildren]> => {
  const resentAs = errorDetails?.details?.resentAs
  return [
    [
      "Thread",
      threadId === null || !can("email.read") ? null : (
        <a href={linkTo(paths.thread, { id: threadId })}>Open the thread</a>
      )
    ],
    [
      "Conversation",
      conversationId === null || !can("conversations.read") ? null : (
        <a href={linkTo(paths.conversation, { id: conversationId })}>Open the conversation</a>
      )
    ],
    ["Reply to", messageLink(parentMessageId)],
    ["Sent again", messageLink(typeof resentAs === "string" ? resentAs : null)],
    ["Template", templateLink(content)],
    ["API key", keyLink(apiKeyId)]
  ]
}

/** The mails of a message in the local mailbox: one, or a copy for each recipient. */
export const MailboxMails = ({ message: { id, status } }: { readonly message: Message }) => {
  const { value: mails = [] } = useLoad(
    async (signal) => (await client.mailbox.list({ urlParams: { messageId: id, limit: 50 } }, { signal })).items,
    [id, status]
  )
  if (mails.length === 0) return null
  return (
    <section class="card" aria-labelledby="mailbox">
      <h2 id="mailbox">Local mailbox</h2>
      <ul class="plain-list">
        {mails.map(({ id, rcptTo }) => (
          <li key={id}>
            <a href={linkTo(paths.mail, { id })}>Mail to {rcptTo.join(", ")}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
