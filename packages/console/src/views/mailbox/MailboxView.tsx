import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { MailboxMailSummary } from "../../app/Types.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep, useFeed } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { Time } from "../../components/Time.js"
import { useLatest } from "../../components/UseLatest.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { SendLink } from "../send/SendLink.js"

const keyOf = ({ id }: MailboxMailSummary) => id

const Row = ({ mail: { receivedAt, subject, to } }: { readonly mail: MailboxMailSummary }) => (
  <>
    <span class="partner">{to.join(", ")}</span>
    <span class="subject">{subject === "" ? <em>no subject</em> : subject}</span>
    <Time value={receivedAt} />
  </>
)

/** The mails that the service delivered to its local mailbox, newest first. New ones appear as they arrive. */
const MailboxView = () => {
  const feed = useFeed("", keyOf, (signal) => client.mailbox.list.all({ urlParams: { limit: feedStep } }, { signal }))
  const refresh = useLatest(async () => {
    const { items } = await client.mailbox.list({ urlParams: { limit: feedStep } })
    feed.update(items)
  })
  useEvents(["message.sent", "message.delivered"], refresh)
  return (
    <>
      <ViewHeader title="Local mailbox" />
      <p class="lead">Without a relay, mail is delivered here: read it and answer it as its recipient would.</p>
      <FeedList
        label="Mails"
        columns="mails"
        headings={["To", "Subject", "Arrived"]}
        feed={feed}
        keyOf={keyOf}
        hrefOf={({ id }) => linkTo(paths.mail, { id })}
        row={(mail) => <Row mail={mail} />}
        empty={
          <EmptyState
            title="No mail has arrived"
            text="Mail that you send arrives here, unless the service has a relay (SMTP_URL)."
          >
            <SendLink />
          </EmptyState>
        }
      />
    </>
  )
}

export default MailboxView
