import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone } from "../../app/Toasts.js"
import type { ViewProps } from "../../app/View.js"
import { ActionButton } from "../../components/ActionButton.js"
import { messageCount } from "../../components/MessageCount.js"
import { Pending } from "../../components/Pending.js"
import { Status } from "../../components/Status.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { MailList } from "../mails/MailList.js"
import { Reply } from "../mails/Reply.js"
import { answeredMessage } from "../mails/ReplyTo.js"
import { firstPages, loadThread } from "./LoadThread.js"

const back = { href: linkTo(paths.threads, {}), label: "Threads" }

/** One thread: its mails, and a form to reply. It follows events. */
const ThreadView = ({ params: { id } }: ViewProps<typeof paths.thread>) => {
  const [pages, setPages] = useState(firstPages)
  const { error, reload, replace, value } = useLoad((signal) => loadThread(id, pages, signal), [id, pages])
  const refresh = useLatest(async () => replace(await loadThread(id, pages)))
  useEvents(["message.", "conversation."], refresh)
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Thread" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const { hasEarlier, messages, thread } = value
  const answered = answeredMessage(messages)
  const markRead = async () => {
    replace({ ...value, thread: await client.threads.markRead({ path: { id } }) })
    showDone("The thread is marked as read")
  }
  return (
    <>
      <ViewHeader title={thread.subject === "" ? "No subject" : thread.subject} back={back}>
        <a class="button" href={linkTo(paths.conversation, { id: thread.conversationId })}>
          Conversation
        </a>
        {thread.unreadCount > 0 && (
          <ActionButton label="Mark as read" icon="check" permission="email.write" action={markRead} />
        )}
      </ViewHeader>
      <p class="exchange-facts">
        <Status value={thread.status} />
        <span>{messageCount(thread.messageCount)}</span>
        {thread.unreadCount > 0 && <span class="tag unread-count">{thread.unreadCount} unread</span>}
      </p>
      <MailList messages={messages} showEarlier={hasEarlier ? () => setPages(pages + firstPages) : undefined} />
      {answered !== undefined && <Reply message={answered} messages={messages} sent={refresh} />}
    </>
  )
}

export default ThreadView
