import { Data, Effect, Schema } from "effect"
import { until } from "../LiveService.js"
import type { Answer, Given } from "./Ask.js"
import type { Installation, Tenant } from "./Installation.js"
import {
  Deliveries,
  Made,
  MadeDomain,
  MadeMail,
  MadeMessage,
  MadeUpload,
  Mails,
  Sent,
  Status,
  Verified
} from "./Made.js"

const inADay = () => new Date(Date.now() + 86_400_000).toISOString()

/** Something that the walk over the document needs is not there. */
export class Unmade extends Data.TaggedError("Unmade")<{ readonly message: string }> {}

/** A mail that goes out at once, or when it is told to. */
export const letter = (name: string, given: Readonly<Record<string, unknown>> = {}) => ({
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: name, html: "<p>Hello</p>" },
  ...given
})

/** Reads what an answer must be to go on. */
const told = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(schema)
  return (asked: Effect.Effect<Answer>) =>
    Effect.flatMap(asked, ({ body, status, text }) =>
      Effect.mapError(decode(body), () => new Unmade({ message: `Nothing was made: ${status} ${text}` }))
    )
}

const eventually = <A, E>(what: string, look: Effect.Effect<A, E>, isSo: (found: A) => boolean) =>
  Effect.mapError(until(look, isSo), () => new Unmade({ message: `There never was ${what}` }))

/**
 * One of each thing that an organization can have, made when it is asked for. Two organizations with the same name for
 * it make the very same: names, contents and idempotency keys are each organization's own.
 */
export const stockOf = Effect.fnUntraced(function* (
  { hook, linkTo, publish, send }: Installation["Type"],
  { key, name: tenant }: Tenant,
  name: string
) {
  const label = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
  const call = (method: string, path: string, body?: unknown): Effect.Effect<Answer> => {
    const given: Given = { headers: { "X-API-Key": key }, ...(body === undefined ? {} : { body }) }
    return send(method, path, given)
  }
  const make = (path: string, body: unknown) => told(Made)(call("POST", path, body))

  // It waits for its time, and so does not change by itself.
  const scheduled = yield* Effect.cached(
    told(MadeMessage)(call("POST", "/v1/messages", letter(name, { scheduledAt: inADay(), idempotencyKey: name })))
  )

  const mail = yield* Effect.cached(
    Effect.gen(function* () {
      const sent = yield* told(MadeMessage)(call("POST", "/v1/messages", letter(`Mail ${name}`)))
      yield* eventually(
        `a delivered mail for ${name}`,
        told(Status)(call("GET", `/v1/messages/${sent.id}`)),
        ({ status }) => status === "delivered"
      )
      const { items } = yield* told(Mails)(call("GET", "/v1/mailbox?limit=100"))
      return items.find(({ messageId }) => messageId === sent.emailMetadata.messageId)?.id ?? ""
    })
  )

  // To a recipient of its own, who may unsubscribe.
  const newsletter = yield* Effect.cached(
    Effect.gen(function* () {
      const subject = `News ${name}`
      const news = letter(subject, {
        to: [{ email: `${label}@readers.test` }],
        email: { subject, html: "<p>Hello</p>", trackOpens: true },
        categories: ["marketing"]
      })
      const sent = yield* told(MadeMessage)(call("POST", "/v1/messages", news))
      yield* eventually(
        `a delivered newsletter for ${name}`,
        told(Status)(call("GET", `/v1/messages/${sent.id}`)),
        ({ status }) => status === "delivered"
      )
      const { items } = yield* told(Mails)(call("GET", "/v1/mailbox?limit=100"))
      const arrived = items.find(({ messageId }) => messageId === sent.emailMetadata.messageId)?.id ?? ""
      const { headers, html } = yield* told(MadeMail)(call("GET", `/v1/mailbox/${arrived}`))
      const link = headers.find((header) => header.name === "List-Unsubscribe")?.value ?? ""
      const tokenIn = (text: string) => /token=([\w.-]+)/.exec(text)?.[1] ?? ""
      return { unsubscribe: tokenIn(link), open: tokenIn(html) }
    })
  )

  // A question that waits for its time, and an answer that has arrived.
  const thread = yield* Effect.cached(
    Effect.gen(function* () {
      const question = letter(`Question ${name}`, { scheduledAt: inADay() })
      const { id: inReplyToMessageId } = yield* make("/v1/messages", question)
      const answer = {
        to: "ada@example.com",
        subject: `Re: Question ${name}`,
        html: "<p>Hello</p>",
        inReplyToMessageId
      }
      const { id: answered } = yield* make("/v1/email/send", answer)
      yield* eventually(
        `a delivered answer for ${name}`,
        told(Status)(call("GET", `/v1/messages/${answered}`)),
        ({ status }) => status === "delivered"
      )
      const { id } = yield* told(Made)(call("GET", `/v1/email/threads/by-message/${answered}`))
      return { id, messageId: inReplyToMessageId }
    })
  )

  const apiKey = yield* Effect.cached(make("/v1/api-keys", { name, roleName: "viewer" }))

  const template = yield* Effect.cached(
    make("/v1/email/templates", { name, subject: "Hello", html: "<p>Hello {{name}}</p>" })
  )

  const blockedAddress = `${label}@blocked.test`
  const block = yield* Effect.cached(make("/v1/email/blocks", { email: blockedAddress }))
  // Two organizations may wait for the same domain. The other one is verified, which only one organization can be.
  const domain = yield* Effect.cached(make("/v1/email/domains", { domain: `${label}.test` }))
  const ownDomain = yield* Effect.cached(
    Effect.gen(function* () {
      const given = { domain: `${label}.${tenant}.test` }
      const made = yield* told(MadeDomain)(call("POST", "/v1/email/domains", given))
      publish(made.dnsRecords)
      yield* told(Verified)(call("POST", "/v1/email/domains/verify", given))
      return made.domain
    })
  )

  const receivingDomain = yield* Effect.cached(
    Effect.gen(function* () {
      const domain = yield* ownDomain
      yield* told(Verified)(call("POST", "/v1/email/domains/enable-receiving", { domain, catchAll: true }))
      return domain
    })
  )

  const forwardingRule = yield* Effect.cached(
    make("/v1/email/forwarding/rules", {
      name,
      match: { recipient: `help@${label}.test` },
      forwardTo: ["ada@example.com"],
      isActive: false
    })
  )

  // One that waits for its confirmation, whose mail has arrived.
  const sender = yield* Effect.cached(
    Effect.gen(function* () {
      yield* domain
      const email = `sender@${label}.test`
      const { id } = yield* make("/v1/email/senders", { email, name })
      const { items } = yield* eventually(
        `a confirmation mail to ${email}`,
        told(Sent)(call("GET", "/v1/messages?limit=100")),
        (found) => found.items.some(({ emailMetadata: { to }, status }) => to[0] === email && status === "delivered")
      )
      const asked = items.find(({ emailMetadata: { to } }) => to[0] === email)?.emailMetadata.messageId
      const { items: mails } = yield* told(Mails)(call("GET", "/v1/mailbox?limit=100"))
      const arrived = mails.find(({ messageId }) => messageId === asked)?.id ?? ""
      const { text } = yield* told(Schema.Struct({ text: Schema.String }))(call("GET", `/v1/mailbox/${arrived}`))
      return { id, token: /token=([\w.-]+)/.exec(text)?.[1] ?? "" }
    })
  )

  // Somebody takes part in it, and a message of it waits for its time.
  const conversation = yield* Effect.cached(
    Effect.gen(function* () {
      const { toParticipantIds } = yield* scheduled
      const given = { title: name, channels: ["email"], participantIds: toParticipantIds }
      const made = yield* make("/v1/conversations", given)
      yield* make("/v1/messages", letter(`In ${name}`, { scheduledAt: inADay(), conversationId: made.id }))
      return made
    })
  )
  const parentConversation = yield* Effect.cached(make("/v1/conversations", { title: name, channels: ["sms"] }))
  // Whom no message names: they can be removed.
  const participant = yield* Effect.cached(make("/v1/participants", { name }))

  const voiceAgent = yield* Effect.cached(make("/v1/voice/agents", { name, webhookConfig: { url: hook } }))
  // Linked with the agent, which only one workflow can be.
  const voiceWorkflow = yield* Effect.cached(
    Effect.gen(function* () {
      const agent = yield* voiceAgent
      const nodes = [{ id: "start", type: "trigger.callStarted" }]
      const { id } = yield* make("/v1/voice/workflows", { name, nodes, edges: [] })
      return yield* make(`/v1/voice/workflows/${id}/link/${agent.id}`, {})
    })
  )

  const patientAgent = yield* Effect.cached(
    Effect.gen(function* () {
      const { id } = yield* make("/v1/voice/agents", { name: `${name} calls` })
      const workflow = yield* make("/v1/voice/workflows", {
        name: `${name} calls`,
        nodes: [
          { id: "start", type: "trigger.callStarted" },
          { id: "wait", type: "logic.delay", data: { config: { seconds: 3_600 } } }
        ],
        edges: [{ id: "start-wait", source: "start", target: "wait" }]
      })
      yield* make(`/v1/voice/workflows/${workflow.id}/link/${id}`, {})
      yield* make(`/v1/voice/workflows/${workflow.id}/publish`, {})
      return id
    })
  )
  // In progress as long as the walk lasts, so that it does not change by itself.
  const answeredCall = Effect.gen(function* () {
    const agentId = yield* patientAgent
    const wanted = { voiceAgentId: agentId, to: "+442079460018", sandbox: { speed: 2 } }
    const { id } = yield* make("/v1/voice/calls", wanted)
    yield* eventually(
      `an answered call for ${name}`,
      told(Status)(call("GET", `/v1/voice/calls/${id}`)),
      ({ status }) => status === "in_progress"
    )
    return { id, agentId }
  })
  const voiceCall = yield* Effect.cached(answeredCall)
  const unrecordedCall = yield* Effect.cached(
    Effect.gen(function* () {
      const { id } = yield* answeredCall
      yield* told(Verified)(call("POST", `/v1/voice/calls/${id}/recording/stop`))
      return id
    })
  )

  const draft = yield* Effect.cached(
    make("/v1/drafts", {
      channel: "email",
      recipients: [{ email: "ada@example.com" }],
      content: { subject: `Draft ${name}`, body: "Hello" },
      title: name
    })
  )
  const attachment = yield* Effect.cached(
    make("/v1/attachments", { filename: `${label}.txt`, contentType: "text/plain", content: "aGVsbG8=" })
  )

  const serviceWindow = yield* Effect.cached(
    Effect.gen(function* () {
      const { toParticipantIds } = yield* scheduled
      const given = { participantId: toParticipantIds[0] }
      const window = Schema.Struct({ serviceWindowId: Schema.String })
      return yield* told(window)(call("POST", "/v1/whatsapp/service-windows", given))
    })
  )

  const knowledgeBase = yield* Effect.cached(make("/v1/voice/knowledge-bases", { name }))
  // Of the type that all bodies of the walk have.
  const uploaded = '"hello"'
  const given = { filename: "hello.json", contentType: "application/json", contentLength: uploaded.length }
  const askUpload = Effect.gen(function* () {
    const { id } = yield* knowledgeBase
    const made = yield* told(MadeUpload)(call("POST", `/v1/voice/knowledge-bases/${id}/upload-url`, given))
    return { storageKey: made.storageKey, token: made.uploadUrl.replace(/^.*\//, "") }
  })
  const upload = yield* Effect.cached(askUpload)
  const download = yield* Effect.cached(
    Effect.gen(function* () {
      const { storageKey, token } = yield* askUpload
      yield* told(Verified)(send("PUT", `/v1/uploads/${token}`, { body: uploaded }))
      return yield* linkTo(storageKey)
    })
  )

  const subscribe = (...events: ReadonlyArray<string>) => make("/v1/webhook-endpoints", { name, url: hook, events })
  // No plan is used up: nothing is ever delivered to it.
  const endpoint = yield* Effect.cached(subscribe("organization.usage_exceeded"))

  const delivery = yield* Effect.cached(
    Effect.gen(function* () {
      const { id } = yield* subscribe("organization.updated")
      yield* call("PATCH", "/v1/organizations/current", { metadata: { name } })
      const { items } = yield* eventually(
        `a webhook delivery for ${name}`,
        told(Deliveries)(call("GET", `/v1/webhook-endpoints/${id}/logs`)),
        ({ items: [first] }) => first?.status === "succeeded"
      )
      return { id, deliveryId: items[0]?.id ?? "" }
    })
  )

  const event = yield* Effect.cached(
    Effect.gen(function* () {
      yield* scheduled
      const isTold = /^id: (\S+)\nevent: /m
      const { text } = yield* send(
        "GET",
        "/v1/events?lastEventId=00000000-0000-0000-0000-000000000000",
        { headers: { "X-API-Key": key } },
        (heard) => isTold.test(heard)
      )
      return isTold.exec(text)?.[1] ?? ""
    })
  )

  return {
    key,
    hook,
    name,
    label,
    blockedAddress,
    message: Effect.map(scheduled, ({ id }) => id),
    contact: Effect.map(scheduled, ({ toParticipantIds: [first] }) => first),
    mail,
    thread,
    apiKey: Effect.map(apiKey, ({ id }) => id),
    block: Effect.map(block, ({ id }) => id),
    domain: Effect.map(domain, ({ id }) => id),
    ownDomain,
    receivingDomain,
    forwardingRule: Effect.map(forwardingRule, ({ id }) => id),
    sender,
    newsletter,
    template: Effect.map(template, ({ id }) => id),
    conversation: Effect.map(conversation, ({ id }) => id),
    parentConversation: Effect.map(parentConversation, ({ id }) => id),
    participant: Effect.map(participant, ({ id }) => id),
    voiceAgent: Effect.map(voiceAgent, ({ id }) => id),
    voiceWorkflow: Effect.map(voiceWorkflow, ({ id }) => id),
    serviceWindow: Effect.map(serviceWindow, ({ serviceWindowId }) => serviceWindowId),
    draft: Effect.map(draft, ({ id }) => id),
    attachment: Effect.map(attachment, ({ id }) => id),
    knowledgeBase: Effect.map(knowledgeBase, ({ id }) => id),
    uploaded,
    voiceCall,
    unrecordedCall,
    upload,
    download,
    endpoint: Effect.map(endpoint, ({ id }) => id),
    delivery,
    event,
    /** All of it: nothing changes by itself any more. */
    everything: Effect.zipRight(
      Effect.all([voiceWorkflow, voiceCall, unrecordedCall, upload, download]),
      Effect.all(
        [
          scheduled,
          mail,
          thread,
          apiKey,
          template,
          conversation,
          parentConversation,
          participant,
          block,
          domain,
          ownDomain,
          receivingDomain,
          forwardingRule,
          sender,
          draft,
          serviceWindow,
          attachment,
          endpoint,
          delivery,
          event
        ],
        {
          discard: true
        }
      )
    )
  } as const
})

/** What an organization has of each thing. */
export type Stock = Effect.Effect.Success<ReturnType<typeof stockOf>>
