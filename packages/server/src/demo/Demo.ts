import { randomUUID } from "node:crypto"
import { createServer } from "node:net"
import { FileSystem } from "@effect/platform"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { type Message, make, type SendRequest, type Switchboard } from "@switchboard/client"
import { Array, Config, Console, DateTime, Effect, Option, Random, Redacted, Schedule } from "effect"
import { startProcess } from "./StartProcess.js"

const key = "sk_sm_DemoDemoDemoDemoDemoDemoDemoDemoDemoDemo"

const ada = "ada@example.com"

const phone = "+4915123456789"

/** Prints the heading of a step. */
const heading = (text: string) => Console.log(`\n── ${text}`)

/** The time of day of an ISO timestamp. */
const clock = (timestamp: string) => timestamp.slice(11, 23)

/** Prints a text with each line marked as a quotation. */
const quote = (text: string) =>
  Effect.forEach(text.trimEnd().split(/\r?\n/), (line) => Console.log(`   │ ${line}`), { discard: true })

/** The text of a message, or the name of its WhatsApp template. */
const textOf = ({ content }: Message): string => {
  if ("template" in content && content.template !== undefined) return `template ${content.template.name}`
  const { text = "" } = content
  return typeof text === "string" ? text : text.body
}

/** Prints direction, sender and first line of messages. */
const show = (messages: ReadonlyArray<Message>) =>
  Effect.forEach(
    messages,
    (message) => {
      const arrow = message.direction === "inbound" ? "←" : "→"
      const [first = ""] = textOf(message).trim().split(/\r?\n/)
      return Console.log(`   ${arrow}  ${(message.content.from ?? "").padEnd(38)}  ${first}`)
    },
    { discard: true }
  )

/** Repeats a request for at most a minute, until it finds something. */
const awaited = <A, E extends { readonly _tag: string }>(request: Effect.Effect<A, E>) =>
  Effect.retry(request, {
    schedule: Schedule.upTo(Schedule.spaced("50 millis"), "1 minute"),
    while: ({ _tag }) => _tag === "NoSuchElementException" || _tag === "ResourceNotFoundError"
  })

/** Whether the relay has the message. With `SMTP_CONFIRMATION=dsn` it remains `sent` until a notification arrives. */
const isSent = ({ status }: Message) => !["pending", "scheduled", "queued", "processing"].includes(status)

const isDelivered = ({ status }: Message) => status === "delivered"

/** Polls a message until it is sent, or as far as `isDone` requires. */
const followed = (client: Switchboard, id: Message["id"], isDone = isSent) =>
  awaited(Effect.flatMap(client.messages.get({ path: { id } }), Option.liftPredicate(isDone)))

/** Polls the thread of a message until it has `messages` messages; returns it with its items. */
const threadOf = Effect.fnUntraced(function* (client: Switchboard, messageId: Message["id"], messages: number) {
  const thread = yield* awaited(
    Effect.flatMap(
      client.threads.getByMessage({ path: { messageId } }),
      Option.liftPredicate(({ messageCount }) => messageCount >= messages)
    )
  )
  const { items } = yield* client.threads.messages({ path: { id: thread.id } })
  return { thread, items }
})

/** The recipient replies; the reply is found in its thread and conversation, and gets a reply in the same thread. */
const playConversation = Effect.fnUntraced(function* (client: Switchboard, message: Message, mail: string) {
  yield* heading("The recipient replies over SMTP")
  const reply = yield* client.mailbox.reply({
    path: { id: mail },
    payload: { text: "Thank you! Will it be here before Friday?" }
  })
  yield* Console.log(`   from ${reply.from}\n   to   ${reply.to.join(", ")}\n   ${reply.response}`)

  yield* heading("The reply has arrived: it belongs to a thread and a conversation")
  const { items, thread } = yield* threadOf(client, message.id, 2)
  yield* Console.log(
    `   thread ${thread.id}  "${thread.subject}"  ${thread.messageCount} messages, ${thread.unreadCount} unread`
  )
  yield* show(items)
  const inbound = yield* Array.findFirst(items, ({ direction }) => direction === "inbound")
  const conversation = yield* client.conversations.get({ path: { id: thread.conversationId } })
  yield* Console.log(`   conversation ${conversation.id}  ${conversation.status}  ${conversation.metrics}`)

  yield* heading("Reply in the same thread")
  const { id } = yield* client.email.send({
    payload: {
      to: [ada],
      subject: reply.subject,
      html: "<p>On Thursday, by the afternoon post.</p>",
      inReplyToMessageId: inbound.id
    }
  })
  const { status } = yield* followed(client, id)
  const complete = yield* threadOf(client, message.id, 3)
  yield* show(complete.items)
  yield* Console.log(`   the last one is ${status}; messages in the thread: ${complete.thread.messageCount}`)
})

const showTimeline = (client: Switchboard, id: Message["id"]) =>
  Effect.gen(function* () {
    const { events } = yield* client.messages.timeline({ path: { id } })
    yield* Effect.forEach(
      events,
      ({ reason, recipient, timestamp, type }) =>
        Console.log(
          `   ${clock(timestamp)}  ${type.padEnd(20)} ${[recipient, reason].filter((part) => part !== undefined).join("  ")}`
        ),
      { discard: true }
    )
  })

/** An e-mail, its repetition, and with the local mailbox a reply and the answer to it. */
const playEmail = Effect.fnUntraced(function* (client: Switchboard, hasRelay: boolean) {
  yield* heading("Send an e-mail through the typed client")
  const idempotencyKey = `demo-${randomUUID()}`
  const payload = {
    channel: "email" as const,
    to: [{ email: ada }],
    email: {
      subject: "Your order has shipped",
      html: "<h1>On its way</h1><p>Your order <b>#1815</b> left our house this morning.</p>"
    },
    idempotencyKey
  }
  const message = yield* client.messages.send({ payload })
  const messageId = message.emailMetadata?.messageId ?? ""
  yield* Console.log(`   201  ${message.id}  ${message.status}\n   Message-ID: ${messageId}`)

  yield* heading("Follow it")
  yield* followed(client, message.id)
  yield* showTimeline(client, message.id)

  yield* heading("Send it again with the same idempotency key, as a retry after a lost response would")
  const again = yield* client.messages.send({ payload })
  const { pagination } = yield* client.messages.list()
  yield* Console.log(
    `   201  ${again.id}  ${again.status}  (${again.id === message.id ? "the same message" : "ANOTHER MESSAGE"})\n   messages in total: ${pagination.total}`
  )

  const changed = yield* Effect.flip(
    client.messages.send({
      payload: { ...payload, email: { ...payload.email, subject: "Something else" } }
    })
  )
  yield* Console.log(`   with other content: ${changed._tag}, ${changed.message}`)

  if (hasRelay) {
    yield* heading("Your relay has the mail")
    yield* Console.log(`   one mail with the Message-ID ${messageId}`)
  } else {
    yield* heading("The mail as it arrived in the local mailbox")
    const { items: copies } = yield* client.mailbox.list({ urlParams: { messageId: message.id } })
    const { id } = yield* Array.head(copies)
    const { raw } = yield* client.mailbox.get({ path: { id } })
    yield* quote(raw)
    yield* Console.log(`   mails that arrived: ${copies.length}`)
    yield* playConversation(client, message, id)
  }
})

/** Sends a message to the phone, and follows it to its receipt. */
const sendToPhone = Effect.fnUntraced(function* (client: Switchboard, payload: SendRequest) {
  const { id } = yield* client.messages.send({ payload })
  const message = yield* followed(client, id, isDelivered)
  yield* showTimeline(client, id)
  yield* show([message])
  return message
})

/** Replies to a message on the local handset, and finds the reply. */
const replyByPhone = Effect.fnUntraced(function* (client: Switchboard, messageId: Message["id"], text: string) {
  const { items } = yield* client.handset.list()
  const { id } = yield* Array.findFirst(items, (received) => received.messageId === messageId)
  yield* client.handset.reply({ path: { id }, payload: { text } })
  const reply = yield* awaited(
    Effect.flatMap(client.messages.list(), ({ items }) =>
      Array.findFirst(items, ({ parentMessageId }) => parentMessageId === messageId)
    )
  )
  yield* show([reply])
})

/** A text message and the reply to it. */
const playSms = Effect.fnUntraced(function* (client: Switchboard) {
  yield* heading("Send a text message; the phone replies")
  const { items } = yield* client.numbers.list()
  yield* Console.log(`   from ${items.map(({ number }) => number).join(", ")} to ${phone}`)
  const { id } = yield* sendToPhone(client, {
    channel: "sms",
    to: [{ phone }],
    sms: { text: "Your order arrives on Thursday. Is 9 am convenient?" }
  })
  yield* replyByPhone(client, id, "9 am is fine.")
})

/** A WhatsApp template, the reply that opens the service window, and a text in the window. */
const playWhatsApp = Effect.fnUntraced(function* (client: Switchboard) {
  yield* heading("Send a WhatsApp template; the reply opens a window of 24 hours for texts")
  const to = [{ phone }]
  const text = {
    channel: "whatsapp" as const,
    to,
    whatsapp: { text: { body: "At the door, or at your neighbour's?" } }
  }
  const refused = yield* Effect.flip(client.messages.send({ payload: text }))
  const reason = refused._tag === "ValidationError" ? JSON.stringify(refused.fields) : refused.message
  yield* Console.log(`   a text before: ${refused._tag}, ${reason}`)
  const { id } = yield* sendToPhone(client, {
    channel: "whatsapp",
    to,
    whatsapp: { template: { name: "order_shipped", language: "en_US" } }
  })
  yield* replyByPhone(client, id, "Where will you leave it?")

  yield* heading("Send a WhatsApp text in the window")
  yield* sendToPhone(client, text)
})

const isFree = (port: number) =>
  Effect.async<boolean>((resume) => {
    const server = createServer()
      .once("error", () => resume(Effect.succeed(false)))
      .listen(port, () => server.close(() => resume(Effect.succeed(true))))
  })

/** A port below the ephemeral ones. Not port 0: the local handset posts its callbacks to the port of the settings. */
const freePort = Effect.repeat(Random.nextIntBetween(10_000, 32_768), { until: isFree })

const scene = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const relay = yield* Config.option(Config.nonEmptyString("SMTP_URL"))
  const dataDir = yield* fs.makeTempDirectoryScoped({ prefix: "switchboard-demo-" })
  // Texts and WhatsApp messages stay on the local handset, and its callbacks on this host.
  const environment = yield* Effect.sync(() =>
    Object.entries(process.env).flatMap(([name, value]) =>
      value && !/^(SMS_|WHATSAPP_|PUBLIC_URL$)/.test(name) ? [[name, value]] : []
    )
  )

  yield* heading("Start the service: API, worker, embedded database and local mailbox")
  const { baseUrl } = yield* startProcess({
    ...Object.fromEntries(environment),
    DATA_DIR: dataDir,
    PORT: String(yield* freePort),
    INBOUND_SMTP_PORT: "0",
    SUBMISSION_PORT: "0",
    MAILBOX_SMTP_PORT: "0",
    HANDSET_SMPP_PORT: "0",
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: "warning"
  })
  yield* Console.log(`   listening on ${baseUrl}`)
  const client = yield* make({ baseUrl, apiKey: Redacted.make(key), retries: 3 })

  yield* playEmail(client, Option.isSome(relay))
  yield* playSms(client)
  yield* playWhatsApp(client)

  yield* heading("List the conversations of all channels")
  const { items } = yield* client.conversations.list()
  yield* Effect.forEach(items, ({ channels, metrics, status }) =>
    Console.log(`   ${channels.join(", ").padEnd(10)}  ${status}  ${metrics}`)
  )
  const now = yield* DateTime.now
  yield* heading(`Done at ${clock(DateTime.formatIso(now))}: the temporary files are deleted.\n`)
})

scene.pipe(
  Effect.scoped,
  Effect.tapErrorCause((cause) => Console.error("The demo failed", cause)),
  Effect.provide([NodeContext.layer, NodeHttpClient.layer]),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
