import { isReplySubject } from "@switchboard/domain/email/threads/BaseSubject"
import { deliveriesOf, plainTextOf } from "@switchboard/domain/messages/Message"
import { useId, useRef, useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { EmailSender, Message } from "../app/Types.js"
import { Button, submitTo, useAction } from "../components/Actions.js"
import { Status, Time } from "../components/Facts.js"
import { mailboxText, parseMailbox } from "../components/Format.js"
import { Icon } from "../components/Icon.js"
import { ClosedPart, MailFrame, MailText } from "../components/MailContent.js"
import { ErrorNotice, showDone, showFailed } from "../components/Notices.js"
import { isCommand, shortcut } from "../components/Shortcuts.js"
import { channelNames, mailContentOf, recipientsOf, titleOf } from "./MessageRow.js"
import { useNumbers, useSenders } from "./Sender.js"

/** The author of a message. */
const authorOf = ({ content, fromParticipant }: Message): string =>
  content.from === "" ? (fromParticipant?.displayName ?? fromParticipant?.name ?? "unknown sender") : content.from

/** The recipients, each with its status if they differ. */
const recipientsText = (message: Message): string => {
  const deliveries = message.direction === "inbound" ? [] : deliveriesOf(message)
  const isMixed = deliveries.some(({ status }) => status !== deliveries[0]?.status)
  return (isMixed ? deliveries.map(({ recipient, status }) => `${recipient} (${status})`) : recipientsOf(message)).join(
    ", "
  )
}

/** One message of an exchange: author, channel, recipients, text. */
const MessageCard = ({ message }: { readonly message: Message }) => {
  const { channel, content, createdAt, direction, id, lastError, status } = message
  const mail = mailContentOf(message)
  const heading = useId()
  return (
    <li>
      <article class={`card mail ${direction}`} aria-labelledby={heading}>
        <header>
          <span class={`direction ${direction}`}>
            <Icon name={direction === "inbound" ? "inbox" : "send"} />
          </span>
          <h2 id={heading}>{authorOf(message)}</h2>
          <Status value={status} />
          <a href={linkTo(paths.message, { id })}>
            <Time value={createdAt} />
            <span class="visually-hidden">, details of this message</span>
          </a>
        </header>
        <p class="hint">
          {channelNames[channel]} to {recipientsText(message)}
        </p>
        {status === "failed" && lastError !== null && <p class="problem">{lastError}</p>}
        {content.erasedAt === undefined ? (
          <MailText text={plainTextOf(content)} replyText={mail?.replyText} />
        ) : (
          <p class="hint">The content was erased.</p>
        )}
        {mail !== undefined && mail.html !== "" && can("email.read") && (
          <ClosedPart name="HTML" content={() => <MailFrame id={id} />} />
        )}
        {mail !== undefined && mail.attachments.length > 0 && (
          <p class="hint">Attachments: {mail.attachments.map(({ filename }) => filename).join(", ")}</p>
        )}
      </article>
    </li>
  )
}

interface MessageListProps {
  /** The latest messages, oldest first. */
  readonly messages: ReadonlyArray<Message>
  /** Loads earlier messages; undefined if all are shown. */
  readonly showEarlier: (() => void) | undefined
}

/** The messages of an exchange, oldest first. */
export const MessageList = ({ messages, showEarlier }: MessageListProps) => (
  <>
    {showEarlier !== undefined && <Button label="Show earlier messages" press={showEarlier} />}
    <ol class="mails" aria-label="Exchange">
      {messages.map((message) => (
        <MessageCard key={message.id} message={message} />
      ))}
    </ol>
  </>
)

/** The maximum number of characters of the subject of `POST /email/send`. */
const maxSubjectLength = 200

/** The message that a reply refers to: the latest received one, or else the latest. */
export const answeredMessage = (messages: ReadonlyArray<Message>): Message | undefined =>
  messages.findLast(({ direction }) => direction === "inbound") ?? messages.at(-1)

/** The addresses that the organization replies to: the author of a received mail, or the recipients of a sent one. */
const replyRecipients = (message: Message): ReadonlyArray<string> => {
  const { content, direction, emailMetadata, fromParticipant } = message
  if (direction === "outbound") return emailMetadata?.to ?? []
  const { replyTo = [] } = mailContentOf(message) ?? {}
  if (replyTo.length > 0) return replyTo
  return fromParticipant?.channelIdentities?.email?.slice(0, 1) ?? [content.from]
}

/** The subject of a reply. */
const replySubject = (message: Message): string => {
  const subject = titleOf(message)
  return (isReplySubject(subject) ? subject : `Re: ${subject}`).slice(0, maxSubjectLength).trim()
}

/** The signed address for replies to one message, which no mail is sent from. */
const isReplyAddress = (address: string) => /^r\+[\da-f-]{36}\./.test(address)

/** The organization's side of a message: the addresses that received it, or the author of a sent one. */
const ownMailboxes = ({ content, direction, emailMetadata }: Message): ReadonlyArray<string> =>
  direction === "outbound"
    ? [content.from]
    : (emailMetadata?.deliveries ?? []).map(({ recipient }) => recipient).filter((address) => !isReplyAddress(address))

const addressOf = (mailbox: string) => parseMailbox(mailbox).address.toLowerCase()

/**
 * The senders of a reply: first the address that was written to, or that sent the message which a received reply refers
 * to; then the default sender, and the others.
 */
const replySenders = (
  message: Message,
  messages: ReadonlyArray<Message>,
  senders: ReadonlyArray<EmailSender>
): ReadonlyArray<string> => {
  const registered = senders
    .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault))
    .map(({ email, name }) => mailboxText(email, name))
  const own = [message, ...messages.filter(({ id }) => id === message.parentMessageId)]
    .flatMap(ownMailboxes)
    .map((mailbox) => registered.find((sender) => addressOf(sender) === addressOf(mailbox)) ?? mailbox)
  const all = [...own, ...registered]
  const addresses = all.map(addressOf)
  return all.filter((mailbox, index) => addresses.indexOf(addressOf(mailbox)) === index)
}

interface ReplyFormProps {
  /** The label of the text. */
  readonly label: string
  /** The senders to choose from. The first one is used without a choice. */
  readonly senders: ReadonlyArray<string>
  readonly send: (text: string, sender: string) => Promise<void>
}

/** A form to reply with a text. The text stays if it is not sent. */
export const ReplyForm = ({ label, send, senders }: ReplyFormProps) => {
  const text = useRef<HTMLTextAreaElement>(null)
  const [chosen, setChosen] = useState<string>()
  const sender = chosen ?? senders[0] ?? ""
  const { busy, error, run } = useAction(async () => {
    const field = text.current
    if (field === null) return
    await send(field.value, sender)
    field.value = ""
    field.focus()
  })
  if (!can("messages.send")) return null
  return (
    <form class="card padded reply" onSubmit={submitTo(run)}>
      {senders.length > 1 && (
        <label class="field">
          <span>From</span>
          <select value={sender} onChange={(event) => setChosen(event.currentTarget.value)}>
            {senders.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>{label}</span>
        <textarea
          ref={text}
          name="reply"
          rows={5}
          required
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onKeyDown={(event) => {
            if (event.key === "Enter" && isCommand(event)) event.currentTarget.form?.requestSubmit()
          }}
        />
      </label>
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="buttons">
        <button class="button primary" type="submit" disabled={busy}>
          <Icon name="reply" />
          Send reply
        </button>
        <small class="keys">
          <kbd>{shortcut("Enter")}</kbd> sends
        </small>
      </div>
    </form>
  )
}

interface ReplyProps {
  /** The messages of the exchange, oldest first. */
  readonly messages: ReadonlyArray<Message>
  /** The message that the reply refers to. */
  readonly message: Message
  readonly sent: () => void
}

/** Marks the thread as read. The reply is sent already: a failure is only shown. */
const markRead = (id: string | null) =>
  id !== null && can("email.write") ? client.threads.markRead({ path: { id } }).catch(showFailed) : undefined

/** A reply by e-mail, from the address that was written to. It joins the thread and marks it as read. */
const MailReply = ({ message, messages, sent }: ReplyProps) => {
  const to = replyRecipients(message)
  const senders = replySenders(message, messages, useSenders())
  const send = async (text: string, sender: string) => {
    await client.email.send({
      payload: {
        to,
        subject: replySubject(message),
        text,
        inReplyToMessageId: message.id,
        ...(sender === "" ? {} : { from: parseMailbox(sender) })
      }
    })
    await markRead(message.threadId)
    showDone("The reply is sent")
    sent()
  }
  return <ReplyForm label={`Reply to ${to.join(", ")}`} senders={senders} send={send} />
}

/** The numbers of the other side of a message, and those of the organization. */
const numbersOf = (message: Message) => {
  const { content, direction } = message
  const recipients = deliveriesOf(message).map(({ recipient }) => recipient)
  return direction === "inbound" ? { to: [content.from], own: recipients } : { to: recipients, own: [content.from] }
}

/** A reply by SMS, from the number that was written to. It joins the conversation. */
const SmsReply = ({ message, sent }: ReplyProps) => {
  const { conversationId } = message
  const { own, to } = numbersOf(message)
  const senders = [...new Set([...own, ...(useNumbers("sms") ?? [])])]
  const send = async (text: string, from: string) => {
    const options = conversationId === null ? {} : { conversationId }
    const recipientsOfReply = to.map((phone) => ({ phone }))
    await client.messages.send({ payload: { channel: "sms", to: recipientsOfReply, ...options, sms: { text, from } } })
    showDone("The reply is sent")
    sent()
  }
  return <ReplyForm label={`Reply by SMS to ${to.join(", ")}`} senders={senders} send={send} />
}

/** A reply by WhatsApp with a text, which needs an open service window. It joins the conversation. */
const WhatsAppReply = ({ message, sent }: ReplyProps) => {
  const { conversationId } = message
  const [phone = ""] = numbersOf(message).to
  const send = async (body: string) => {
    const options = conversationId === null ? {} : { conversationId }
    await client.messages.send({
      payload: { channel: "whatsapp", to: [{ phone }], ...options, whatsapp: { text: { body } } }
    })
    showDone("The reply is sent")
    sent()
  }
  return <ReplyForm label={`Reply by WhatsApp to ${phone}`} senders={[]} send={send} />
}

/** The form to reply in each channel. */
const replyForms: Partial<Readonly<Record<Message["channel"], typeof MailReply>>> = {
  email: MailReply,
  sms: SmsReply,
  whatsapp: WhatsAppReply
}

/** Whether the session can reply to a message. */
export const canReply = ({ channel }: Message): boolean => replyForms[channel] !== undefined && can("messages.send")

/** A reply of the organization in the channel of the message. */
export const Reply = (props: ReplyProps) => {
  const Form = replyForms[props.message.channel]
  return Form === undefined ? null : <Form {...props} />
}
