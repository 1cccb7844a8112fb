import { useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { navigate } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { Conversation, Message } from "../app/Types.js"
import { ActionButton, FormDialog } from "../components/Actions.js"
import { Facts, Identifier, Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { requiredText, SelectField, TextField, textOf, textsOf } from "../components/Fields.js"
import { durationText } from "../components/Format.js"
import { filterChoice, filterText, listView } from "../components/ListView.js"
import { EmptyState, sendCommand } from "../components/Notices.js"
import { isAlways, PendingView, useResource } from "../components/Resource.js"
import { ViewHeader } from "../components/View.js"
import { averageResponseSeconds, ConversationParticipants, conversationName } from "./ConversationParticipants.js"
import { answeredMessage, MessageList, Reply } from "./Exchange.js"
import { channelNames } from "./MessageRow.js"

const statuses = ["active", "waiting", "snoozed", "resolved", "archived"] as const
const channels = ["email", "sms", "whatsapp", "voice"] as const
/** The priorities of conversations; 2 is normal. */
const conversationPriorities = ["0", "1", "2", "3", "4"] as const

/** The request of a form. Empty texts are undefined. */
const conversationOf = (form: FormData) => ({
  title: textOf(form, "title"),
  description: textOf(form, "description"),
  priority: Number(requiredText(form, "priority")),
  tags: textsOf(form, "tags")
})

/** The fields of a new conversation, or of one to change. */
const ConversationFields = ({ conversation }: { readonly conversation?: Conversation }) => (
  <>
    <TextField label="Title" name="title" placeholder="Where is my order?" value={conversation?.title} />
    <TextField label="Description" name="description" lines={3} value={conversation?.description} />
    <SelectField
      label="Priority"
      name="priority"
      options={conversationPriorities.map((priority) => [priority, priority])}
      value={String(conversation?.priority ?? 2)}
    />
    <TextField
      label="Tags"
      name="tags"
      placeholder="orders, refund"
      value={conversation?.tags.join(", ") ?? ""}
      hint="Separated by commas."
    />
  </>
)

const row = (conversation: Conversation) => {
  const { channels: used, lastActivityAt, priority, startedAt, status, tags } = conversation
  return (
    <>
      <span class="subject">
        <bdi>{conversationName(conversation)}</bdi>
        {[...used.map((channel) => channelNames[channel]), ...tags].map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </span>
      <span class="priority">Priority {priority}</span>
      <Status value={status} />
      <Time value={lastActivityAt ?? startedAt} />
    </>
  )
}

const begin = async (form: FormData) => {
  const { id } = await client.conversations.create({ payload: { ...conversationOf(form), channels: ["email"] } })
  navigate(linkTo(paths.conversation, { id }))
}

/** The list of conversations, newest first, kept up to date by events. */
export const ConversationsView = listView({
  title: "Conversations",
  noun: "conversation",
  search: "Find by title or description",
  hasTag: true,
  choices: { status: statuses, priority: conversationPriorities, channel: channels },
  filters: () => {
    const priority = filterChoice("priority", conversationPriorities)
    return {
      search: filterText("search"),
      status: filterChoice("status", statuses),
      channel: filterChoice("channel", channels),
      priority: priority === undefined ? undefined : Number(priority),
      tag: filterText("tag")
    }
  },
  open: (filters, signal) => client.conversations.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["conversation."],
  layout: "conversations",
  columns: { Conversation: 1, Priority: "76px", Status: "100px", "Last activity": "96px" },
  hrefOf: ({ id }) => linkTo(paths.conversation, { id }),
  row,
  empty: "A conversation begins with a received message. To begin one yourself:",
  example: [
    "/conversations",
    {
      title: "Where is my order?",
      channels: ["email"],
      tags: ["orders"]
    }
  ],
  actions: () => (
    <FormDialog
      label="Begin a conversation"
      kind="primary"
      permission="conversations.write"
      submitLabel="Begin"
      submit={begin}
    >
      <ConversationFields />
    </FormDialog>
  )
})

/** How many messages are shown at first, and how many earlier ones are added at a time. */
const messageStep = 50

/** A conversation with its latest messages, at most `count`, oldest first. */
const loadConversation = async (id: string, count: number, options: { readonly signal?: AbortSignal }) => {
  const conversation = await client.conversations.get({ path: { id } }, options)
  const latest: Array<Message> = []
  let hasEarlier = false
  for await (const message of client.messages.list.all(
    { urlParams: { conversationId: id, limit: messageStep } },
    options
  )) {
    if (latest.length === count) {
      hasEarlier = true
      break
    }
    latest.push(message)
  }
  return { conversation, messages: latest.toReversed(), hasEarlier }
}

interface ConversationFactsProps {
  readonly conversation: Conversation
  readonly changed: (conversation: Conversation) => void
}

/** The participants and the facts of a conversation beside its messages. */
const ConversationFacts = ({ changed, conversation }: ConversationFactsProps) => {
  const edit = async (form: FormData) => {
    const { description = null, title = null, ...fields } = conversationOf(form)
    const payload = { ...fields, description, title }
    changed(await client.conversations.update({ path: { id: conversation.id }, payload }))
  }
  const response = averageResponseSeconds(conversation.metrics)
  return (
    <aside>
      <ConversationParticipants conversation={conversation} changed={changed} />
      <section class="card" aria-label="Facts">
        <Facts
          facts={[
            ["Status", <Status key="status" value={conversation.status} />],
            ["Reason", conversation.statusReason],
            ["Priority", String(conversation.priority)],
            ["Urgency", conversation.urgency],
            ["Channels", conversation.channels.map((channel) => channelNames[channel]).join(", ")],
            ["Tags", conversation.tags.join(", ")],
            ["Started", conversation.startedAt],
            ["Resolved", conversation.resolvedAt],
            ["Notes", conversation.resolutionNotes],
            ["Response", response === undefined ? null : `${durationText(response)} on average`],
            ["Own id", conversation.externalId],
            ["Id", <Identifier key="id" label="id" value={conversation.id} />]
          ]}
        />
        <div class="card-actions">
          <FormDialog
            label="Edit"
            permission="conversations.write"
            submitLabel="Save"
            submit={edit}
            done="The conversation is saved"
          >
            <ConversationFields conversation={conversation} />
          </FormDialog>
        </div>
      </section>
    </aside>
  )
}

const back = { href: linkTo(paths.conversations, {}), label: "Conversations" }

/** One conversation: its participants, its messages, and a form to reply. It follows events. */
export const ConversationView = ({ id }: PathParams<typeof paths.conversation>) => {
  const [count, setCount] = useState(messageStep)
  const load = (options: { readonly signal?: AbortSignal }) => loadConversation(id, count, options)
  const resource = useResource(`${id} ${count}`, load, ["message.", "conversation."], isAlways)
  if (resource.value === undefined) return <PendingView title="Conversation" back={back} resource={resource} />
  const { conversation, hasEarlier, messages } = resource.value
  const answered = answeredMessage(messages)
  const isOngoing = conversation.status !== "resolved" && conversation.status !== "archived"
  const changed = (change: Conversation) => resource.replace({ conversation: change, hasEarlier, messages })
  const status = isOngoing ? "resolved" : "active"
  return (
    <>
      <ViewHeader title={conversationName(conversation)} back={back}>
        <ActionButton
          key={status}
          label={isOngoing ? "Resolve" : "Reopen"}
          icon={isOngoing ? "check" : "refresh"}
          permission="conversations.write"
          action={async () => changed(await client.conversations.update({ path: { id }, payload: { status } }))}
          done={isOngoing ? "The conversation is resolved" : "The conversation is active again"}
        />
      </ViewHeader>
      <div class="detail">
        <div>
          {conversation.description !== undefined && <p class="description">{conversation.description}</p>}
          <MessageList messages={messages} showEarlier={hasEarlier ? () => setCount(count + messageStep) : undefined} />
          {answered === undefined ? (
            <EmptyState
              title="No messages yet"
              text="Send the first one:"
              command={sendCommand({ conversationId: id })}
            />
          ) : (
            <Reply message={answered} messages={messages} sent={resource.refresh} />
          )}
        </div>
        <ConversationFacts conversation={conversation} changed={changed} />
      </div>
    </>
  )
}
