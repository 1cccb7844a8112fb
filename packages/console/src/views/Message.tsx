import type { ComponentChildren } from "preact"
import { client } from "../app/Client.js"
import { navigate } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { Message, MessageTimeline } from "../app/Types.js"
import { ActionButton, Button } from "../components/Actions.js"
import { Identifier, Status, Time } from "../components/Facts.js"
import { shortened } from "../components/Format.js"
import { showDone } from "../components/Notices.js"
import { Card, FactsCard, PendingView, useResource } from "../components/Resource.js"
import { useLoad, ViewHeader } from "../components/View.js"
import { canReply, Reply } from "./Exchange.js"
import { Authentication, MessageContent } from "./MessageContent.js"
import { Deliveries } from "./MessageDeliveries.js"
import { recipientsOf, titleOf } from "./MessageRow.js"
import { WebhookEvents } from "./WebhookDeliveries.js"

interface MessageActionsProps {
  readonly message: Message
  readonly changed: () => void
}

const focusReply = () => document.querySelector<HTMLTextAreaElement>("textarea[name=reply]")?.focus()

/** The actions of a message: cancel a scheduled one, send a sent one again, reply to a received one. */
const MessageActions = ({ changed, message }: MessageActionsProps) => {
  const { direction, id, status } = message
  const resend = async () => {
    const copy = await client.messages.resend({ path: { id } })
    showDone("Sent again as a new message")
    navigate(linkTo(paths.message, { id: copy.id }))
  }
  return (
    <>
      {status === "scheduled" && (
        <ActionButton
          label="Cancel"
          kind="danger"
          permission="messages.send"
          action={async () => {
            await client.messages.cancel({ path: { id } })
            changed()
          }}
          done="The message is cancelled"
        />
      )}
      {direction === "inbound" && canReply(message) && (
        <Button label="Reply" icon="reply" kind="primary" press={focusReply} />
      )}
      {direction === "outbound" && (
        <ActionButton label="Send again" icon="refresh" permission="messages.send" action={resend} />
      )}
    </>
  )
}

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

const templateLink = (content: Message["content"]) => {
  if (!("templateId" in content) || content.templateId === undefined) return null
  const { templateId: id, templateVersion } = content
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

const linkIf = (isLinked: boolean, text: string, href: string) => (isLinked ? <a href={href}>{text}</a> : null)

/** What a message belongs to and was made from, as facts with links. */
const relatedFacts = (message: Message): ReadonlyArray<readonly [string, ComponentChildren]> => {
  const { apiKeyId, content, conversationId, errorDetails, parentMessageId, threadId } = message
  const resentAs = errorDetails?.details?.resentAs
  const thread = linkTo(paths.thread, { id: threadId ?? "" })
  const conversation = linkTo(paths.conversation, { id: conversationId ?? "" })
  return [
    ["Thread", linkIf(threadId !== null && can("email.read"), "Open the thread", thread)],
    [
      "Conversation",
      linkIf(conversationId !== null && can("conversations.read"), "Open the conversation", conversation)
    ],
    ["Reply to", messageLink(parentMessageId)],
    ["Sent again", messageLink(typeof resentAs === "string" ? resentAs : null)],
    ["Template", templateLink(content)],
    ["API key", keyLink(apiKeyId)]
  ]
}

/** The mails of a message in the local mailbox: one, or a copy for each recipient. */
const MailboxMails = ({ message: { id, status } }: { readonly message: Message }) => {
  const { value: mails = [] } = useLoad(
    async (signal) => (await client.mailbox.list({ urlParams: { messageId: id, limit: 50 } }, { signal })).items,
    [id, status]
  )
  if (mails.length === 0) return null
  return (
    <Card title="Local mailbox">
      <ul class="plain-list">
        {mails.map(({ id, rcptTo }) => (
          <li key={id}>
            <a href={linkTo(paths.mail, { id })}>Mail to {rcptTo.join(", ")}</a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const list = (values: ReadonlyArray<string> | undefined) =>
  values === undefined || values.length === 0 ? null : values.join(", ")

/** The facts of a message beside its content. */
const MessageFacts = ({ message }: { readonly message: Message }) => {
  const { channel, content, direction, emailMetadata, externalId, referenceId, scheduledAt, tags } = message
  const { conversationCategory, windowExpiresAt } = message.whatsappMetadata ?? {}
  return (
    <FactsCard
      facts={[
        ["Status", <Status key="status" value={message.status} />],
        ["Direction", `${direction}, ${channel}`],
        ["From", content.from],
        ["To", list(recipientsOf(message))],
        ["Cc", list(emailMetadata?.cc)],
        ["Bcc", list(emailMetadata?.bcc)],
        ["Created", message.createdAt],
        ["Scheduled", scheduledAt],
        ["Service window until", windowExpiresAt === undefined ? null : new Date(windowExpiresAt)],
        ["Billed as", conversationCategory],
        ["Attempts", message.deliveryAttempts === 0 ? null : String(message.deliveryAttempts)],
        ["Tags", list(tags)],
        ["Categories", list(message.categories)],
        ...relatedFacts(message),
        ["Own id", externalId === null ? null : <Identifier key="own" label="own id" value={externalId} />],
        ["Reference", referenceId]
      ]}
      id={message.id}
    />
  )
}

/** The links that recipients and scanners followed. */
const Clicks = ({ message }: { readonly message: Message }) => {
  const clicks = message.emailMetadata?.clicks ?? []
  if (clicks.length === 0) return null
  return (
    <Card class="deliveries clicks" title="Clicks">
      <ul>
        {clicks.map(({ at, isLikelyBot, recipient, url, userAgent = "unknown" }, index) => (
          <li key={`${index} ${at}`}>
            <Identifier label="link" value={url} />
            <Time value={at} />
            <p>{recipient}</p>
            <p class="hint">{isLikelyBot ? `Likely a bot: ${userAgent}` : userAgent}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The history of a message, oldest first. */
const Timeline = ({ events }: Pick<MessageTimeline, "events">) => (
  <Card title="Timeline">
    <ol class="timeline">
      {events.map(({ reason, recipient, status, timestamp, type }, index) => (
        <li key={`${index} ${timestamp}`}>
          <Status value={status ?? type.slice(type.lastIndexOf(".") + 1)} />
          <Time value={timestamp} isComplete />
          {recipient !== undefined && <p>{recipient}</p>}
          {reason !== undefined && <p class="hint">{reason}</p>}
        </li>
      ))}
    </ol>
  </Card>
)

/** The maximum number of characters of the heading, which for a text message is its text. */
const maxTitleLength = 80

const back = { href: linkTo(paths.messages, {}), label: "Messages" }

/** A message with its timeline. A received reply also has the message that it replies to. */
const loadMessage = async (id: string, options: { readonly signal?: AbortSignal }) => {
  const [message, timeline] = await Promise.all([
    client.messages.get({ path: { id } }, options),
    client.messages.timeline({ path: { id } }, options)
  ])
  const { direction, parentMessageId } = message
  const parents =
    direction === "inbound" && parentMessageId !== null
      ? await client.messages.get({ path: { id: parentMessageId } }, options).then(
          (parent) => [parent],
          () => []
        )
      : []
  return { message, timeline, exchange: [...parents, message] }
}

/** One message: what happened to each recipient, its content, and what belongs to it. It follows events. */
export const MessageView = ({ id }: PathParams<typeof paths.message>) => {
  const resource = useResource(id, (options) => loadMessage(id, options), ["message."])
  const { value } = resource
  if (value === undefined) return <PendingView title="Message" back={back} resource={resource} />
  const { exchange, message, timeline } = value
  const { channel, conversationId, direction, threadId } = message
  const isInbound = direction === "inbound"
  const whole = titleOf(message)
  const title = ("subject" in message.content ? whole : shortened(whole, maxTitleLength)) || "No subject"
  const showExchange = () => {
    if (threadId !== null) navigate(linkTo(paths.thread, { id: threadId }))
    else if (conversationId !== null) navigate(linkTo(paths.conversation, { id: conversationId }))
  }
  return (
    <>
      <ViewHeader title={title} back={back}>
        <MessageActions message={message} changed={resource.refresh} />
      </ViewHeader>
      <div class="detail">
        <div>
          <Deliveries message={message} />
          <Clicks message={message} />
          <MessageContent message={message} />
          {isInbound && <Reply message={message} messages={exchange} sent={showExchange} />}
          <WebhookEvents messageId={id} />
        </div>
        <aside>
          <MessageFacts message={message} />
          {channel === "email" && (isInbound ? <Authentication id={id} /> : <MailboxMails message={message} />)}
          <Timeline events={timeline.events} />
        </aside>
      </div>
    </>
  )
}
