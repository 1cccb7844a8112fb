import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type { FailureReason } from "@switchboard/domain/messages/delivery/FailureReason"
import { deliveriesOf } from "@switchboard/domain/messages/Message"
import type { ComponentChildren } from "preact"
import { client } from "../app/Client.js"
import { useEvents } from "../app/LiveEvents.js"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { Block, Delivery, Message } from "../app/Types.js"
import { Status, Time } from "../components/Facts.js"
import { Icon } from "../components/Icon.js"
import { ErrorNotice } from "../components/Notices.js"
import { Card } from "../components/Resource.js"
import { useLoad } from "../components/View.js"
import { blockReason, blockScope, Unblock } from "./Unblock.js"

/** Why a recipient did not get a message, in a sentence for people. */
export const failureSentences: Readonly<Record<FailureReason, string>> = {
  user_unknown: "The address does not exist.",
  host_unknown: "The domain does not exist or accepts no mail.",
  user_disabled: "The mailbox is disabled.",
  moved: "The recipient has moved to another address.",
  mailbox_full: "The mailbox is full.",
  message_too_large: "The message is too large for the recipient's server.",
  too_many_recipients: "The server takes fewer recipients at once.",
  rate_limited: "The server limits how much mail it takes from this service.",
  sender_blocked: "The server blocks the address or the domain of the sender.",
  authentication: "SPF, DKIM, DMARC or the reverse DNS name of the sender failed.",
  policy: "A rule of the recipient's server refuses the message.",
  spam: "The server takes the message for spam.",
  content: "The server does not accept the content of the message.",
  relay_denied: "The server does not relay mail to this address.",
  greylisted: "The server asks to try again later (greylisting).",
  network: "The recipient's server could not be reached.",
  system: "The recipient's server has a fault.",
  expired: "The message could not be delivered in time.",
  unknown: "The server gave no clear reason."
}

/** The reasons that mean something else for a message to a phone. */
const phoneSentences: Partial<typeof failureSentences> = {
  user_unknown: "The phone number does not exist.",
  sender_blocked: "The provider does not accept the number of the sender.",
  rate_limited: "The provider limits how many messages it takes from this service.",
  policy: "A rule of the provider refuses the message.",
  content: "The provider does not accept the content of the message.",
  system: "The provider has a fault.",
  unknown: "The provider gave no clear reason."
}

/** The reasons that mean something else than for an e-mail, by channel. */
const sentencesOf: Readonly<Record<Message["channel"], Partial<typeof failureSentences>>> = {
  email: {},
  sms: phoneSentences,
  voice: phoneSentences,
  whatsapp: { ...phoneSentences, user_unknown: "The phone number cannot receive WhatsApp messages." }
}

const NextTry = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? null : (
    <>
      {" "}
      Next try: <Time value={at} isUpcoming />
    </>
  )

/** Why a message waits, by the code of its error. */
const waitSentences: Readonly<Record<string, string>> = {
  relay_unavailable: "It is not sent yet: the relay cannot be used now.",
  provider_unavailable: "It is not sent yet: the provider cannot be used now.",
  destination_unavailable: "It is not sent yet: the recipient's mail server cannot be used now."
}

/** What happened to a recipient, and what happens next, in sentences. */
const deliverySentence = (
  { reason, status }: Delivery,
  { channel, errorDetails, scheduledAt, status: messageStatus }: Message
): ComponentChildren => {
  const isMail = channel === "email"
  const failure = reason === undefined ? "" : (sentencesOf[channel][reason] ?? failureSentences[reason])
  switch (status) {
    case "pending":
      return messageStatus === "scheduled" && scheduledAt !== null ? (
        <>
          It is sent on <Time value={scheduledAt} isComplete />.
        </>
      ) : (
        <>
          {waitSentences[errorDetails?.code ?? ""] ?? "It is not sent yet."}
          <NextTry at={errorDetails?.nextRetryAt} />
        </>
      )
    case "deferred":
      return (
        <>
          {failure || `The ${isMail ? "server" : "provider"} asks to try again later.`}
          <NextTry at={errorDetails?.nextRetryAt} />
        </>
      )
    case "sent":
      return "It was accepted; its delivery is not confirmed yet."
    case "delivered":
      return "It was delivered."
    case "read":
      return "The recipient has opened it."
    case "bounced":
      return `${failure} It was not delivered.`.trim()
    case "failed":
      return `${failure} It is not tried again.`.trim()
    case "suppressed":
      return isMail ? "It was not sent: the address was blocked." : "It was not sent: the phone opted out."
    case "complained":
      return "The recipient reported it as spam."
  }
}

/** The last reply of the relay or provider, with its code. */
const replyOf = ({ errorCode = "", response = "", smtpCode }: Delivery) => {
  const code = String(smtpCode ?? errorCode)
  return response.includes(code) ? response : `${code} ${response}`.trim()
}

/** The blocks that apply to each recipient that the e-mail was tried for. */
const loadBlocks = async (channel: Message["channel"], deliveries: ReadonlyArray<Delivery>, signal: AbortSignal) => {
  if (channel !== "email" || !can("email.read")) return new Map<string, ReadonlyArray<Block>>()
  const tried = deliveries.filter((delivery) => !isOpen(delivery))
  return new Map(
    await Promise.all(
      tried.map(async ({ recipient }) => {
        const { blocks } = await client.blocks.check({ urlParams: { email: recipient } }, { signal })
        return [recipient, blocks] as const
      })
    )
  )
}

interface BlockNoteProps {
  readonly block: Block
  /** The message that is shown. */
  readonly id: string
  readonly removed: () => void
}

/** A block on a recipient, and the message that caused it. */
const BlockNote = ({ block, id, removed }: BlockNoteProps) => {
  const { sourceMessageId } = block
  return (
    <div class="block-note">
      <Icon name="shield" />
      <span>
        {sourceMessageId === id ? "This message blocked " : "Blocked: "}
        {blockScope(block)} ({blockReason(block)}
        {sourceMessageId !== undefined && sourceMessageId !== id && (
          <>
            {" by "}
            <a href={linkTo(paths.message, { id: sourceMessageId })}>another message</a>
          </>
        )}
        )
      </span>
      <Unblock block={block} removed={removed} />
    </div>
  )
}

/** Each recipient of a sent message: what happened, the last reply of the relay or provider, and the blocks that apply now. */
export const Deliveries = ({ message }: { readonly message: Message }) => {
  const deliveries = message.direction === "inbound" ? [] : deliveriesOf(message)
  const statuses = deliveries.map(({ status }) => status).join()
  const blocks = useLoad((signal) => loadBlocks(message.channel, deliveries, signal), [message.id, statuses])
  useEvents(["email_block."], blocks.reload)
  if (deliveries.length === 0) return null
  return (
    <Card class="deliveries" title="Recipients">
      <ul>
        {deliveries.map((delivery) => {
          const { at, recipient, status } = delivery
          return (
            <li key={recipient}>
              <strong>{recipient}</strong>
              <Status value={status} />
              <Time value={at} />
              <p>{deliverySentence(delivery, message)}</p>
              {replyOf(delivery) !== "" && <code>{replyOf(delivery)}</code>}
              {blocks.value?.get(recipient)?.map((block) => (
                <BlockNote key={block.id} block={block} id={message.id} removed={blocks.reload} />
              ))}
            </li>
          )
        })}
      </ul>
      {blocks.error !== undefined && <ErrorNotice error={blocks.error} retry={blocks.reload} />}
      {message.lastError !== null && !deliveries.some((delivery) => replyOf(delivery) === message.lastError) && (
        <p class="last-error">{message.lastError}</p>
      )}
    </Card>
  )
}
