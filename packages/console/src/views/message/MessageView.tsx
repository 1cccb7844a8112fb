import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { ViewProps } from "../../app/View.js"
import { Pending } from "../../components/Pending.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { Reply } from "../mails/Reply.js"
import { Authentication } from "./Authentication.js"
import { Deliveries } from "./Deliveries.js"
import { MailContent } from "./MailContent.js"
import { MessageActions } from "./MessageActions.js"
import { MessageFacts } from "./MessageFacts.js"
import { MailboxMails } from "./Related.js"
import { Timeline } from "./Timeline.js"
import { WebhookEvents } from "./WebhookEvents.js"

const back = { href: linkTo(paths.messages, {}), label: "Messages" }

/** A message with its timeline. A received reply also has the message that it replies to. */
const loadMessage = async (id: string, signal?: AbortSignal) => {
  const options = signal === undefined ? {} : { signal }
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
const MessageView = ({ params: { id } }: ViewProps<typeof paths.message>) => {
  const { error, reload, replace, value } = useLoad((signal) => loadMessage(id, signal), [id])
  const refresh = useLatest(async () => replace(await loadMessage(id)))
  useEvents(["message."], (event) => {
    if (event.type !== "unknown" && "id" in event.data && event.data.id === id) refresh()
  })
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Message" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const { exchange, message, timeline } = value
  const { channel, content, direction, threadId } = message
  const isInbound = direction === "inbound"
  return (
    <>
      <ViewHeader title={content.subject === "" ? "No subject" : content.subject} back={back}>
        <MessageActions message={message} changed={refresh} />
      </ViewHeader>
      <div class="detail">
        <div>
          <Deliveries message={message} />
          <MailContent message={message} />
          {isInbound && channel === "email" && (
            <Reply
              message={message}
              messages={exchange}
              sent={() => threadId !== null && navigate(linkTo(paths.thread, { id: threadId }))}
            />
          )}
          <WebhookEvents messageId={id} />
        </div>
        <aside>
          <MessageFacts message={message} />
          {isInbound ? <Authentication id={id} /> : <MailboxMails message={message} />}
          <Timeline events={timeline.events} />
        </aside>
      </div>
    </>
  )
}

export default MessageView
