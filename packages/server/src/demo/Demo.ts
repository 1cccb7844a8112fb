import { randomUUID } from "node:crypto"
import { FileSystem } from "@effect/platform"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { type Message, make, type Switchboard } from "@switchboard/client"
import { Config, Console, DateTime, Effect, Option, Redacted } from "effect"
import { followed } from "./Followed.js"
import { playConversation } from "./PlayConversation.js"
import { startServer } from "./ServerProcess.js"
import { clock, heading, quote } from "./Shown.js"

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
