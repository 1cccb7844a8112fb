import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { idIn } from "../../app/SearchTerm.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import type { MailboxMail } from "../../app/Types.js"
import type { ViewProps } from "../../app/View.js"
import { Facts } from "../../components/Facts.js"
import { MailFrame } from "../../components/MailFrame.js"
import { Pending } from "../../components/Pending.js"
import { Tabs } from "../../components/Tabs.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { ReplyForm } from "../mails/ReplyForm.js"
import { Simulations } from "./Simulations.js"

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
const MailView = ({ params: { id } }: ViewProps<typeof paths.mail>) => {
  const { error, reload, value: mail } = useLoad((signal) => client.mailbox.get({ path: { id } }, { signal }), [id])
  if (mail === undefined) {
    return (
      <>
        <ViewHeader title="Mail" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const messageId = idIn(mail.messageId)
  return (
    <>
      <ViewHeader title={mail.subject === "" ? "No subject" : mail.subject} back={back}>
        {messageId !== undefined && (
          <a class="button" href={linkTo(paths.message, { id: messageId })}>
            Open the message
          </a>
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
          <section class="card" aria-label="Facts">
            <Facts
              facts={[
                ["From", mail.from],
                ["To", mail.to.join(", ")],
                ["Cc", mail.cc.join(", ")],
                ["Envelope", mail.rcptTo.join(", ")],
                ["Arrived", <Time key="arrived" value={mail.receivedAt} isComplete />]
              ]}
            />
          </section>
          <Simulations id={id} />
        </aside>
      </div>
    </>
  )
}

export default MailView
