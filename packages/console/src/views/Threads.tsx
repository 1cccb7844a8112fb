import { useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { Message, Thread } from "../app/Types.js"
import { ActionButton, LinkButton } from "../components/Actions.js"
import { Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { counted } from "../components/Format.js"
import { Icon } from "../components/Icon.js"
import { filterChoice, filterText, listView } from "../components/ListView.js"
import { isAlways, PendingView, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"
import { answeredMessage, MessageList, Reply } from "./Exchange.js"

/** The people outside the organization in a thread. */
const contactsOf = ({ participants }: Thread): string =>
  participants
    .filter(({ type }) => type !== "sender")
    .map(({ displayName, name }) => displayName ?? name)
    .join(", ")

/** The cells of a thread in a list. */
const ThreadRow = ({ thread }: { readonly thread: Thread }) => (
  <>
    <span
      class={`direction ${thread.lastMessageDirection}`}
      title={thread.lastMessageDirection === "inbound" ? "last received" : "last sent"}
    >
      <Icon name={thread.lastMessageDirection === "inbound" ? "inbox" : "send"} />
    </span>
    <span class="partner">{contactsOf(thread)}</span>
    <span class={thread.unreadCount > 0 ? "subject unread" : "subject"}>
      {thread.unreadCount > 0 && <span class="tag unread-count">{thread.unreadCount} unread</span>}
      {thread.subject === "" ? <em>no subject</em> : thread.subject}
      <span class="tag">{thread.messageCount}</span>
    </span>
    <Status value={thread.status} />
    <Time value={thread.lastMessageAt} />
  </>
)

const statuses = ["active", "resolved", "archived"] as const

/** The list of e-mail threads, newest first, kept up to date by events. */
export const ThreadsView = listView({
  title: "Threads",
  noun: "thread",
  search: "Find by subject",
  choices: { status: statuses },
  filters: () => ({ search: filterText("search"), status: filterChoice("status", statuses) }),
  open: (filters, signal) => client.threads.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["message.received", "message.created", "conversation."],
  layout: "threads",
  columns: { "": "18px", Contact: "minmax(110px, 0.7fr)", Subject: 2, Status: "92px", "Last mail": "96px" },
  hrefOf: ({ id }) => linkTo(paths.thread, { id }),
  row: (thread) => <ThreadRow thread={thread} />,
  empty: "A thread begins with a received mail, or with the reply to a sent one. Send a mail:",
  example: [
    "/email/send",
    {
      to: ["ada@example.com"],
      subject: "Hello",
      text: "Reply to this mail."
    }
  ]
})

const pageSize = 50

/** How many pages are shown at first: two, so that a last page of few messages has a part of the exchange before it. */
const firstPages = 2

/** A thread with its latest messages, oldest first: those of its last `count` pages. */
const loadThread = async (id: string, count: number, options: { readonly signal?: AbortSignal }) => {
  const thread = await client.threads.get({ path: { id } }, options)
  const last = Math.max(1, Math.ceil(thread.messageCount / pageSize))
  const first = Math.max(1, last - count + 1)
  const pages = await Promise.all(
    Array.from({ length: last - first + 1 }, (_, at) =>
      client.threads.messages({ path: { id }, urlParams: { limit: pageSize, page: first + at } }, options)
    )
  )
  const messages: ReadonlyArray<Message> = pages.flatMap(({ items }) => items)
  return { thread, messages, hasEarlier: first > 1 }
}

const back = { href: linkTo(paths.threads, {}), label: "Threads" }

/** One thread: its mails, and a form to reply. It follows events. */
export const ThreadView = ({ id }: PathParams<typeof paths.thread>) => {
  const [pages, setPages] = useState(firstPages)
  const load = (options: { readonly signal?: AbortSignal }) => loadThread(id, pages, options)
  const resource = useResource(`${id} ${pages}`, load, ["message.", "conversation."], isAlways)
  const { value } = resource
  if (value === undefined) return <PendingView title="Thread" back={back} resource={resource} />
  const { hasEarlier, messages, thread } = value
  const answered = answeredMessage(messages)
  const markRead = async () => {
    resource.replace({ ...value, thread: await client.threads.markRead({ path: { id } }) })
  }
  return (
    <>
      <ViewHeader title={thread.subject === "" ? "No subject" : thread.subject} back={back}>
        <LinkButton label="Conversation" href={linkTo(paths.conversation, { id: thread.conversationId })} />
        {thread.unreadCount > 0 && (
          <ActionButton
            label="Mark as read"
            icon="check"
            permission="email.write"
            action={markRead}
            done="The thread is marked as read"
          />
        )}
      </ViewHeader>
      <p class="exchange-facts">
        <Status value={thread.status} />
        <span>{counted(thread.messageCount, "message")}</span>
        {thread.unreadCount > 0 && <span class="tag unread-count">{thread.unreadCount} unread</span>}
      </p>
      <MessageList messages={messages} showEarlier={hasEarlier ? () => setPages(pages + firstPages) : undefined} />
      {answered !== undefined && <Reply message={answered} messages={messages} sent={resource.refresh} />}
    </>
  )
}
