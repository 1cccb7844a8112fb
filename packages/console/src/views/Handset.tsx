import { client } from "../app/Client.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { HandsetText } from "../app/Types.js"
import { LinkButton } from "../components/Actions.js"
import { Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { segmentsText } from "../components/Format.js"
import { listView } from "../components/ListView.js"
import { showDone } from "../components/Notices.js"
import { Card, FactsCard, PendingView, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"
import { ReplyForm } from "./Exchange.js"
import { channelNames } from "./MessageRow.js"
import { SendLink } from "./Sender.js"

const row = ({ receivedAt, text, to }: HandsetText) => (
  <>
    <span class="partner">{to}</span>
    <span class="subject">{text}</span>
    <Time value={receivedAt} />
  </>
)

/** The texts and WhatsApp messages that the service sent to its local handset, newest first. New ones appear as they arrive. */
export const HandsetView = listView({
  title: "Local handset",
  noun: "message",
  filters: () => ({}),
  open: (_, signal) => client.handset.list.all({ urlParams: { limit: feedStep } }, { signal }),
  events: ["message.sent", "message.delivered"],
  layout: "mails",
  columns: { To: "minmax(120px, 0.8fr)", Text: 2, Arrived: "96px" },
  hrefOf: ({ id }) => linkTo(paths.handsetText, { id }),
  row,
  emptyTitle: "No message has arrived",
  empty:
    "Texts and WhatsApp messages that you send arrive here, unless the service has a provider (SMS_URL, WHATSAPP_TOKEN). Read and answer them as the phone would.",
  actions: () => <SendLink channel="sms" />
})

const back = { href: linkTo(paths.handset, {}), label: "Local handset" }

/** A message on the local handset, with a form to answer it as its recipient would. */
export const HandsetTextView = ({ id }: PathParams<typeof paths.handsetText>) => {
  const resource = useResource(id, (options) => client.handset.get({ path: { id } }, options))
  const { value } = resource
  if (value === undefined) return <PendingView title="Message" back={back} resource={resource} />
  const { channel, encoding, from, messageId, receivedAt, segments, text, to } = value
  return (
    <>
      <ViewHeader title={`Message to ${to}`} back={back}>
        {messageId !== null && <LinkButton label="Open the message" href={linkTo(paths.message, { id: messageId })} />}
      </ViewHeader>
      <div class="detail">
        <div>
          <Card title="Message">
            <pre class="mail-text">{text}</pre>
          </Card>
          <ReplyForm
            label={`Reply as ${to}`}
            senders={[]}
            send={async (reply) => {
              await client.handset.reply({ path: { id }, payload: { text: reply } })
              showDone("The reply is received")
            }}
          />
        </div>
        <aside>
          <FactsCard
            facts={[
              ["From", from],
              ["To", to],
              ["Channel", channelNames[channel]],
              ["Encoding", encoding === null || segments === null ? null : segmentsText(encoding, segments)],
              ["Arrived", receivedAt]
            ]}
          />
        </aside>
      </div>
    </>
  )
}
