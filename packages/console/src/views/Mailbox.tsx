import { client } from "../app/Client.js"
import { useEvents, useLatest } from "../app/LiveEvents.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { MailboxMail, MailboxMailSummary } from "../app/Types.js"
import { ActionButton, LinkButton } from "../components/Actions.js"
import { Facts, Time } from "../components/Facts.js"
import { feedStep, useFeed } from "../components/Feed.js"
import { FeedList } from "../components/FeedList.js"
import { idIn } from "../components/Format.js"
import { MailFrame } from "../components/MailContent.js"
import { EmptyState, showDone } from "../components/Notices.js"
import { Card, FactsCard, PendingView, useResource } from "../components/Resource.js"
import { Tabs } from "../components/Tabs.js"
import { ViewHeader } from "../components/View.js"
import { ReplyForm } from "./Exchange.js"
import { SendLink } from "./Sender.js"

const keyOf = ({ id }: MailboxMailSummary) => id

const Row = ({ mail: { receivedAt, subject, to } }: { readonly mail: MailboxMailSummary }) => (
  <>
    <span class="partner">{to.join(", ")}</span>
    <span class="subject">{subject === "" ? <em>no subject</em> : subject}</span>
    <Time value={receivedAt} />
  </>
)

/** The mails that the service delivered to its local mailbox, newest first. New ones appear as they arrive. */
export const MailboxView = () => {
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
        layout="mails"
        columns={{ To: "minmax(120px, 0.8fr)", Subject: 2, Arrived: "96px" }}
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

const permission = "messages.send"

const events = [
  { kind: "read", label: "Read", done: "The mail is read" },
  { kind: "bounce", label: "Bounce", done: "The mail comes back" },
  { kind: "complaint", label: "Complain", done: "The mail is reported as spam" }
] as const

/** Simulates an event of a delivered mail. It reaches the service in the same ways as from other mail servers. */
const Simulations = ({ id }: { readonly id: string }) =>
  can(permission) ? (
    <Card title="Simulate">
      <div class="buttons">
        {events.map(({ done, kind, label }) => (
          <ActionButton
            key={kind}
            label={label}
            permission={permission}
            action={() => client.mailbox.simulate({ path: { id }, payload: { kind } })}
            done={done}
          />
        ))}
      </div>
    </Card>
  ) : null

const back = { href: linkTo(paths.mailbox, {}), label: "Local mailbox" }

const Content = ({ mail: { headers, html, messageId, raw, text } }: { readonly mail: MailboxMail }) => {
  const id = idIn(messageId)
  return (
    <section class="card content" aria-label="Content">
      <Tabs
        label="Forms of the content"
        tabs={[
          ...(html === null || id === undefined || !can("email.read")
            ? []
            : [{ name: "html", label: "HTML", content: () => <MailFrame id={id} /> }]),
          { name: "text", label: "Text", content: () => <pre class="mail-text">{text}</pre> },
          {
            name: "headers",
            label: "Headers",
            content: () => <Facts facts={headers.map(({ name, value }) => [name, value] as const)} />
          },
          { name: "raw", label: "Raw", content: () => <pre class="mail-text">{raw}</pre> }
        ]}
      />
    </section>
  )
}

/** A mail of the local mailbox, with what its recipient can do. */
export const MailView = ({ id }: PathParams<typeof paths.mail>) => {
  const resource = useResource(id, (options) => client.mailbox.get({ path: { id } }, options))
  const { value: mail } = resource
  if (mail === undefined) return <PendingView title="Mail" back={back} resource={resource} />
  const messageId = idIn(mail.messageId)
  return (
    <>
      <ViewHeader title={mail.subject === "" ? "No subject" : mail.subject} back={back}>
        {messageId !== undefined && (
          <LinkButton label="Open the message" href={linkTo(paths.message, { id: messageId })} />
        )}
      </ViewHeader>
      <div class="detail">
        <div>
          <Content mail={mail} />
          <ReplyForm
            label="Reply as the recipient"
            senders={mail.rcptTo}
            send={async (text, from) => {
              await client.mailbox.reply({ path: { id }, payload: { text, from } })
              showDone("The reply is received")
            }}
          />
        </div>
        <aside>
          <FactsCard
            facts={[
              ["From", mail.from],
              ["To", mail.to.join(", ")],
              ["Cc", mail.cc.join(", ")],
              ["Envelope", mail.rcptTo.join(", ")],
              ["Arrived", mail.receivedAt]
            ]}
          />
          <Simulations id={id} />
        </aside>
      </div>
    </>
  )
}
