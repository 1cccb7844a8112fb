import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { ViewProps } from "../../app/View.js"
import { Pending } from "../../components/Pending.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { Deliveries } from "./Deliveries.js"
import { MailContent } from "./MailContent.js"
import { MessageActions } from "./MessageActions.js"
import { MessageFacts } from "./MessageFacts.js"
import { Timeline } from "./Timeline.js"

const back = { href: linkTo(paths.messages, {}), label: "Messages" }

/** One message: its recipients with the replies of the relay, its content, and its timeline. It follows events. */
const MessageView = ({ params: { id } }: ViewProps<typeof paths.message>) => {
  const { error, reload, replace, value } = useLoad(
    (signal) =>
      Promise.all([
        client.messages.get({ path: { id } }, { signal }),
        client.messages.timeline({ path: { id } }, { signal })
      ]),
    [id]
  )
  const refresh = useLatest(async () => {
    replace(await Promise.all([client.messages.get({ path: { id } }), client.messages.timeline({ path: { id } })]))
  })
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
  const [message, timeline] = value
  return (
    <>
      <ViewHeader title={message.content.subject === "" ? "No subject" : message.content.subject} back={back}>
        <MessageActions message={message} changed={refresh} />
      </ViewHeader>
      <div class="detail">
        <div>
          <Deliveries message={message} />
          <MailContent message={message} />
        </div>
        <aside>
          <MessageFacts message={message} />
          <Timeline events={timeline.events} />
        </aside>
      </div>
    </>
  )
}

export default MessageView
