import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import { showDone } from "../../app/Toasts.js"
import type { ViewProps } from "../../app/View.js"
import { ActionButton } from "../../components/ActionButton.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { EmptyState } from "../../components/EmptyState.js"
import { Pending } from "../../components/Pending.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { MailList } from "../mails/MailList.js"
import { Reply } from "../mails/Reply.js"
import { answeredMessage } from "../mails/ReplyTo.js"
import { ConversationFacts } from "./ConversationFacts.js"
import { loadConversation, messageStep } from "./LoadConversation.js"

const back = { href: linkTo(paths.conversations, {}), label: "Conversations" }

const commandFor = (id: string) =>
  curlCommand("/messages", {
    channel: "email",
    conversationId: id,
    to: [{ email: "ada@example.com" }],
    email: { subject: "Hello", text: "It works." }
  })

/** One conversation: its participants, its messages, and a form to reply. It follows events. */
const ConversationView = ({ params: { id } }: ViewProps<typeof paths.conversation>) => {
  const [count, setCount] = useState(messageStep)
  const { error, reload, replace, value } = useLoad((signal) => loadConversation(id, count, signal), [id, count])
  const refresh = useLatest(async () => replace(await loadConversation(id, count)))
  useEvents(["message.", "conversation."], refresh)
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="Conversation" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  const { conversation, hasEarlier, messages } = value
  const answered = answeredMessage(messages)
  const isOngoing = conversation.status !== "resolved" && conversation.status !== "archived"
  const change = (status: "resolved" | "active", done: string) => async () => {
    replace({ ...value, conversation: await client.conversations.update({ path: { id }, payload: { status } }) })
    showDone(done)
  }
  return (
    <>
      <ViewHeader title={conversation.title ?? "No title"} back={back}>
        <ActionButton
          key={isOngoing ? "resolve" : "reopen"}
          label={isOngoing ? "Resolve" : "Reopen"}
          icon={isOngoing ? "check" : "refresh"}
          permission="conversations.write"
          action={
            isOngoing
              ? change("resolved", "The conversation is resolved")
              : change("active", "The conversation is active again")
          }
        />
      </ViewHeader>
      <div class="detail">
        <div>
          {conversation.description !== undefined && <p class="description">{conversation.description}</p>}
          <MailList messages={messages} showEarlier={hasEarlier ? () => setCount(count + messageStep) : undefined} />
          {answered === undefined ? (
            <EmptyState title="No messages yet" text="Send the first one:" command={commandFor(id)} />
          ) : (
            <Reply message={answered} messages={messages} sent={refresh} />
          )}
        </div>
        <ConversationFacts
          conversation={conversation}
          changed={(changed) => replace({ ...value, conversation: changed })}
        />
      </div>
    </>
  )
}

export default ConversationView
