import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import type { Block, Delivery, Message } from "../../app/Types.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { Icon } from "../../components/Icon.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"
import { blockReason, blockScope } from "../blocks/BlockText.js"
import { Unblock } from "../blocks/Unblock.js"
import { deliverySentence } from "./DeliverySentence.js"

const isOpen = ({ status }: Delivery) => status === "pending" || status === "deferred"

/** The last reply of the relay, with its code. */
const replyOf = ({ response = "", smtpCode }: Delivery) =>
  smtpCode === undefined || response.startsWith(String(smtpCode)) ? response : `${smtpCode} ${response}`.trim()

/** The blocks that apply to each recipient that the message was tried for. */
const loadBlocks = async (deliveries: ReadonlyArray<Delivery>, signal: AbortSignal) => {
  if (!can("email.read")) return new Map<string, ReadonlyArray<Block>>()
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

/** Each recipient of a sent message: what happened, the last reply of the relay, and the blocks that apply now. */
export const Deliveries = ({ message }: { readonly message: Message }) => {
  const deliveries = message.direction === "inbound" ? [] : (message.emailMetadata?.deliveries ?? [])
  const statuses = deliveries.map(({ status }) => status).join()
  const blocks = useLoad((signal) => loadBlocks(deliveries, signal), [message.id, statuses])
  useEvents(["email_block."], blocks.reload)
  if (deliveries.length === 0) return null
  return (
    <section class="card deliveries" aria-labelledby="deliveries">
      <h2 id="deliveries">Recipients</h2>
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
    </section>
  )
}
