import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { FileSystem } from "@effect/platform"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { type Message, make, type Switchboard } from "@switchboard/client"
import { Config, Console, Data, DateTime, Effect, Option, Redacted, Schedule } from "effect"

/** Prints the heading of a step. */
const heading = (text: string) => Console.log(`\n── ${text}`)

/** The time of day of an ISO timestamp. */
const clock = (timestamp: string) => timestamp.slice(11, 23)

/** Prints a text with each line marked as a quotation. */
const quote = (text: string) =>
  Effect.forEach(text.trimEnd().split(/\r?\n/), (line) => Console.log(`   │ ${line}`), { discard: true })

/** Direction, sender and first line of a message. */
const summary = ({ content, direction }: Message): string => {
  const { text = "" } = content
  const [first = ""] = (typeof text === "string" ? text : text.body).trim().split(/\r?\n/)
  return `${direction === "inbound" ? "←" : "→"}  ${(content.from ?? "").padEnd(38)}  ${first}`
}

/** Whether the relay has the message. With `SMTP_CONFIRMATION=dsn` it remains `sent` until a notification arrives. */
const isSent = ({ status }: Message) => !["pending", "scheduled", "queued", "processing"].includes(status)

/** Polls a message until the relay has it. */
const followed = (client: Switchboard, id: Message["id"]) => {
  const poll: Effect.Effect<Message, Effect.Effect.Error<ReturnType<Switchboard["messages"]["get"]>>> = Effect.flatMap(
    client.messages.get({ path: { id } }),
    (message) => (isSent(message) ? Effect.succeed(message) : Effect.delay(poll, "50 millis"))
  )
  return Effect.timeout(poll, "60 seconds")
}

/** The reply has not arrived yet. */
class NotYet extends Data.TaggedError("NotYet") {}

/** Polls for at most 30 seconds. */
const pollSchedule = Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(600))

/** Polls the thread of a message until it has `messages` messages; returns it with its items. */
const threadOf = (client: Switchboard, messageId: Message["id"], messages: number) =>
  Effect.gen(function* () {
    const thread = yield* client.threads.getByMessage({ path: { messageId } })
    if (thread.messageCount < messages) return yield* new NotYet()
    const { items } = yield* client.threads.messages({ path: { id: thread.id } })
    return { thread, items }
  }).pipe(
    Effect.retry({ schedule: pollSchedule, while: ({ _tag }) => _tag === "NotYet" || _tag === "ResourceNotFoundError" })
  )

const show = (items: ReadonlyArray<Message>) =>
  Effect.forEach(items, (message) => Console.log(`   ${summary(message)}`), { discard: true })

/** The recipient replies; the reply is found in its thread and conversation, and gets a reply in the same thread. */
const playConversation = Effect.fnUntraced(function* (
  client: Switchboard,
  message: Message,
  mail: string,
  recipient: string
) {
  yield* heading("6  The recipient replies over SMTP")
  const reply = yield* client.mailbox.reply({
    path: { id: mail },
    payload: { text: "Thank you! Will it be here before Friday?" }
  })
  yield* Console.log(`   from ${reply.from}\n   to   ${reply.to.join(", ")}\n   ${reply.response}`)

  yield* heading("7  The reply has arrived: it belongs to a thread and a conversation")
  const { items, thread } = yield* threadOf(client, message.id, 2)
  yield* Console.log(
    `   thread ${thread.id}  "${thread.subject}"  ${thread.messageCount} messages, ${thread.unreadCount} unread`
  )
  yield* show(items)
  const inbound = items.find(({ direction }) => direction === "inbound")
  if (inbound === undefined) return yield* new NotYet()
  const conversation = yield* client.conversations.get({ path: { id: thread.conversationId } })
  yield* Console.log(`   conversation ${conversation.id}  ${conversation.status}  ${conversation.metrics}`)

  yield* heading("8  Reply in the same thread")
  const { id } = yield* client.email.send({
    payload: {
      to: [recipient],
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

/** The service did not start; the message has its error output. */
class ServerFailed extends Data.TaggedError("ServerFailed")<{ readonly message: string }> {}

const program = fileURLToPath(new URL("../../bin/switchboard.js", import.meta.url))

/** The addresses of a process of the service. */
interface Serving {
  readonly baseUrl: string
  /** The SMTP port for incoming mail, on the same host. */
  readonly inboundPort: number
}

/** Starts `switchboard serve` as a child process, and stops it with SIGTERM at the end of the scope. */
export const startProcess = (environment: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program, "serve"], { env: environment, stdio: ["ignore", "pipe", "pipe"] })
    ),
    (child) =>
      child.exitCode !== null
        ? Effect.void
        : Effect.async<void>((resume) => {
            child.once("exit", () => resume(Effect.void))
            child.kill("SIGTERM")
          })
  ).pipe(
    Effect.flatMap((child) =>
      Effect.async<Serving, ServerFailed>((resume) => {
        let errors = ""
        let inboundPort = 0
        child.stderr.on("data", (chunk) => {
          errors += String(chunk)
        })
        createInterface(child.stdout).on("line", (line) => {
          const receiving = /^Switchboard receives mail on \S+:(\d+)$/.exec(line)
          if (receiving !== null) inboundPort = Number(receiving[1])
          const serving = /^Switchboard serves (\S+)/.exec(line)
          if (serving?.[1] !== undefined) resume(Effect.succeed({ baseUrl: serving[1], inboundPort }))
        })
        child.once("exit", () => resume(new ServerFailed({ message: `The service did not start.\n${errors}` })))
      })
    )
  )

/** Starts `switchboard serve` as a child process, and returns its base URL. */
const startServer = (environment: Readonly<Record<string, string>>) =>
  Effect.map(startProcess(environment), ({ baseUrl }) => baseUrl)

const key = "sk_sm_DemoDemoDemoDemoDemoDemoDemoDemoDemoDemo"

const ada = "ada@example.com"

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

/** The mails of a message in the local mailbox. */
const mailsOf = (client: Switchboard, messageId: string) =>
  Effect.map(client.mailbox.list(), ({ items }) => items.filter((mail) => mail.messageId === messageId))

const scene = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const relay = yield* Config.option(Config.nonEmptyString("SMTP_URL"))
  const dataDir = yield* fs.makeTempDirectoryScoped({ prefix: "switchboard-demo-" })
  const environment = yield* Effect.sync(() => ({ ...process.env }))

  yield* heading("1  Start the service: API, worker, embedded database and local mailbox")
  const baseUrl = yield* startServer({
    ...Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    DATA_DIR: dataDir,
    PORT: "0",
    INBOUND_SMTP_PORT: "0",
    MAILBOX_SMTP_PORT: "0",
    HANDSET_SMPP_PORT: "0",
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: "warning"
  })
  yield* Console.log(`   listening on ${baseUrl}`)
  const client = yield* make({ baseUrl, apiKey: Redacted.make(key), retries: 3 })

  yield* heading("2  Send a message through the typed client")
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

  yield* heading("3  Follow it")
  const { status } = yield* followed(client, message.id)
  yield* showTimeline(client, message.id)

  yield* heading("4  Send it again with the same idempotency key, as a retry after a lost response would")
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

  if (Option.isSome(relay)) {
    yield* heading("5  Your relay has the mail")
    yield* Console.log(`   one mail with the Message-ID ${messageId}`)
  } else {
    yield* heading("5  The mail as it arrived in the local mailbox")
    const copies = yield* mailsOf(client, messageId)
    for (const { id } of copies.slice(0, 1)) {
      const { raw } = yield* client.mailbox.get({ path: { id } })
      yield* quote(raw)
      yield* Console.log(`   mails that arrived: ${copies.length}`)
      yield* playConversation(client, message, id, ada)
    }
  }
  const now = yield* DateTime.now
  yield* heading(
    `Done at ${clock(DateTime.formatIso(now))}: the message is ${status}. The temporary files are deleted.\n`
  )
})

scene.pipe(
  Effect.scoped,
  Effect.tapErrorCause((cause) => Console.error("The demo failed", cause)),
  Effect.provide([NodeContext.layer, NodeHttpClient.layer]),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
