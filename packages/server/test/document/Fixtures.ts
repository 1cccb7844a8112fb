import { randomInt } from "node:crypto"
import { Data, Effect, Schema } from "effect"
import { until } from "../LiveService.js"
import {
  Created,
  CreatedDomain,
  CreatedInvitation,
  CreatedMessage,
  CreatedUpload,
  DeliveryList,
  HandsetList,
  MailboxList,
  MailboxMail,
  MessageList,
  NumberList,
  Status,
  UserList,
  Verified
} from "./CreatedResources.js"
import type { Installation, Tenant } from "./Installation.js"
import type { RequestParts, TestResponse } from "./TestClient.js"

/** A phone whose service window is open in every organization with fixtures. */
export const whatsappPhone = "+4915123456789"

const inADay = () => new Date(Date.now() + 86_400_000).toISOString()

/** A fixture could not be created, or has no entry in OperationInputs.ts. */
export class MissingFixture extends Data.TaggedError("MissingFixture")<{ readonly message: string }> {}

/** An email that is sent at once, or at `scheduledAt`. */
export const emailRequest = (name: string, overrides: Readonly<Record<string, unknown>> = {}) => ({
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: name, html: "<p>Hello</p>" },
  ...overrides
})

/** Decodes the body of a response. */
const decodeBody = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(schema)
  return (request: Effect.Effect<TestResponse>) =>
    Effect.flatMap(request, ({ body, status, text }) =>
      Effect.mapError(decode(body), () => new MissingFixture({ message: `Creation failed: ${status} ${text}` }))
    )
}

const eventually = <A, E>(what: string, look: Effect.Effect<A, E>, isSo: (found: A) => boolean) =>
  Effect.mapError(until(look, isSo), () => new MissingFixture({ message: `Timeout: ${what}` }))

/**
 * One resource of each kind for an organization, created on first use. Two organizations with an equal `name` create
 * equal resources: names, contents and idempotency keys are scoped to the organization.
 */
export const makeFixtures = Effect.fnUntraced(function* (
  { hook, linkTo, publish, send }: Installation["Type"],
  { key, name: tenant }: Tenant,
  name: string
) {
  const label = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
  const call = (method: string, path: string, body?: unknown): Effect.Effect<TestResponse> => {
    const parts: RequestParts = { headers: { "X-API-Key": key }, ...(body === undefined ? {} : { body }) }
    return send(method, path, parts)
  }
  const make = (path: string, body: unknown) => decodeBody(Created)(call("POST", path, body))

  /** The id of the mail of a message in the mailbox. */
  const findMail = (messageId: string): Effect.Effect<string, MissingFixture> =>
    Effect.flatMap(decodeBody(MailboxList)(call("GET", `/v1/mailbox?messageId=${messageId}`)), ({ items: [found] }) =>
      found === undefined
        ? new MissingFixture({ message: `The mailbox has no mail of ${messageId}` })
        : Effect.succeed(found.id)
    )

  // Scheduled, so that it does not change.
  const scheduled = yield* Effect.cached(
    decodeBody(CreatedMessage)(
      call("POST", "/v1/messages", emailRequest(name, { scheduledAt: inADay(), idempotencyKey: name }))
    )
  )

  const mail = yield* Effect.cached(
    Effect.gen(function* () {
      const sent = yield* decodeBody(CreatedMessage)(call("POST", "/v1/messages", emailRequest(`Mail ${name}`)))
      yield* eventually(
        `a delivered mail for ${name}`,
        decodeBody(Status)(call("GET", `/v1/messages/${sent.id}`)),
        ({ status }) => status === "delivered"
      )
      return yield* findMail(sent.id)
    })
  )

  const handsetText = yield* Effect.cached(
    Effect.gen(function* () {
      const template = name.toLowerCase().replace(/[^a-z0-9]/g, "_")
      const whatsapp = { template: { name: template, language: "en_US" } }
      yield* make("/v1/messages", { channel: "whatsapp", to: [{ phone: whatsappPhone }], whatsapp })
      const { items } = yield* eventually(
        `a message on the handset for ${name}`,
        decodeBody(HandsetList)(call("GET", "/v1/handset")),
        (found) => found.items.some(({ text }) => text === template)
      )
      return items.find(({ text }) => text === template)?.id ?? ""
    })
  )

  // To a separate recipient, who can unsubscribe.
  const newsletter = yield* Effect.cached(
    Effect.gen(function* () {
      const subject = `News ${name}`
      const news = emailRequest(subject, {
        to: [{ email: `${label}@readers.test` }],
        email: { subject, html: '<a href="https://example.com/">Hello</a>', trackOpens: true, trackClicks: true },
        categories: ["marketing"]
      })
      const sent = yield* decodeBody(CreatedMessage)(call("POST", "/v1/messages", news))
      yield* eventually(
        `a delivered newsletter for ${name}`,
        decodeBody(Status)(call("GET", `/v1/messages/${sent.id}`)),
        ({ status }) => status === "delivered"
      )
      const arrived = yield* findMail(sent.id)
      const { headers, html } = yield* decodeBody(MailboxMail)(call("GET", `/v1/mailbox/${arrived}`))
      const link = headers.find((header) => header.name === "List-Unsubscribe")?.value ?? ""
      const tokenIn = (text: string) => /token=([\w.-]+)/.exec(text)?.[1] ?? ""
      return {
        message: sent.id,
        mail: arrived,
        unsubscribe: tokenIn(link),
        open: tokenIn(html),
        click: /click\/([\w.-]+)/.exec(html)?.[1] ?? ""
      }
    })
  )

  // A scheduled question and a delivered reply.
  const thread = yield* Effect.cached(
    Effect.gen(function* () {
      const question = emailRequest(`Question ${name}`, { scheduledAt: inADay() })
      const { id: inReplyToMessageId } = yield* make("/v1/messages", question)
      const reply = {
        to: "ada@example.com",
        subject: `Re: Question ${name}`,
        html: "<p>Hello</p>",
        inReplyToMessageId
      }
      const { id: replyId } = yield* make("/v1/email/send", reply)
      yield* eventually(
        `a delivered reply for ${name}`,
        decodeBody(Status)(call("GET", `/v1/messages/${replyId}`)),
        ({ status }) => status === "delivered"
      )
      const { id } = yield* decodeBody(Created)(call("GET", `/v1/email/threads/by-message/${replyId}`))
      return { id, messageId: inReplyToMessageId }
    })
  )

  const apiKey = yield* Effect.cached(make("/v1/api-keys", { name, roleName: "viewer" }))

  // Addresses of users are unique in the installation.
  const newInvitation = Effect.flatMap(
    Effect.sync(() => `${label}-${randomInt(2 ** 40)}@${tenant}.test`),
    (email) => decodeBody(CreatedInvitation)(call("POST", "/v1/users/invitations", { email, roleName: "viewer" }))
  )
  const invitation = yield* Effect.cached(newInvitation)
  const invitationToken = Effect.map(newInvitation, ({ url }) => url.split("=").at(-1) ?? "")
  const user = yield* Effect.cached(
    Effect.gen(function* () {
      const token = yield* invitationToken
      const person = `Person ${randomInt(2 ** 40)}`
      const body = { token, name: person, password: "correct horse battery" }
      yield* send("POST", "/v1/users/invitations/accept", { body })
      const filters = encodeURIComponent(JSON.stringify({ search: person }))
      const { items } = yield* decodeBody(UserList)(call("GET", `/v1/users?filters=${filters}`))
      return items[0]?.id ?? ""
    })
  )

  const template = yield* Effect.cached(
    make("/v1/email/templates", { name, subject: "Hello", html: "<p>Hello {{name}}</p>" })
  )

  const smsTemplate = yield* Effect.cached(
    make("/v1/email/templates", { name: `${name} text`, channel: "sms", text: "Hello {{name}}" })
  )

  const whatsappTemplate = yield* Effect.cached(
    make("/v1/email/templates", { name: `${name} for WhatsApp`, channel: "whatsapp", text: "Hello {{name}}" })
  )

  const blockedAddress = `${label}@blocked.test`
  const block = yield* Effect.cached(make("/v1/email/blocks", { email: blockedAddress }))
  const number = yield* Effect.cached(
    Effect.flatMap(decodeBody(NumberList)(call("GET", "/v1/numbers")), ({ items: [first] }) =>
      first === undefined ? new MissingFixture({ message: `${tenant} has no number` }) : Effect.succeed(first.number)
    )
  )
  const newPhone = Effect.sync(() => `+4930${randomInt(10_000_000, 99_999_999)}`)
  const optOut = yield* Effect.cached(
    Effect.flatMap(Effect.all({ number, phone: newPhone }), (payload) => make("/v1/sms/opt-outs", payload))
  )
  // Both organizations add the unverified domain; only one could verify it. `ownDomain` is verified.
  const domain = yield* Effect.cached(make("/v1/email/domains", { domain: `${label}.test` }))
  const pausedDomain = yield* Effect.cached(
    Effect.flatMap(domain, ({ id }) => make(`/v1/email/domains/${id}/pause`, undefined))
  )
  const ownDomain = yield* Effect.cached(
    Effect.gen(function* () {
      const payload = { domain: `${label}.${tenant}.test` }
      const made = yield* decodeBody(CreatedDomain)(call("POST", "/v1/email/domains", payload))
      publish(made.dnsRecords)
      yield* decodeBody(Verified)(call("POST", "/v1/email/domains/verify", payload))
      return made.domain
    })
  )

  const receivingDomain = yield* Effect.cached(
    Effect.gen(function* () {
      const domain = yield* ownDomain
      yield* decodeBody(Verified)(call("POST", "/v1/email/domains/enable-receiving", { domain, catchAll: true }))
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

  // An unconfirmed sender whose confirmation mail has arrived.
  const sender = yield* Effect.cached(
    Effect.gen(function* () {
      yield* domain
      const email = `sender@${label}.test`
      const { id } = yield* make("/v1/email/senders", { email, name })
      const { items } = yield* eventually(
        `a confirmation mail to ${email}`,
        decodeBody(MessageList)(call("GET", `/v1/messages?recipient=${email}`)),
        (found) => found.items.some(({ status }) => status === "delivered")
      )
      const arrived = yield* findMail(items[0]?.id ?? "")
      const { text } = yield* decodeBody(Schema.Struct({ text: Schema.String }))(call("GET", `/v1/mailbox/${arrived}`))
      return { id, token: /token=([\w.-]+)/.exec(text)?.[1] ?? "" }
    })
  )

  // With a participant and a scheduled message.
  const conversation = yield* Effect.cached(
    Effect.gen(function* () {
      const { toParticipantIds } = yield* scheduled
      const payload = { title: name, channels: ["email"], participantIds: toParticipantIds }
      const made = yield* make("/v1/conversations", payload)
      yield* make("/v1/messages", emailRequest(`In ${name}`, { scheduledAt: inADay(), conversationId: made.id }))
      return made
    })
  )
  const parentConversation = yield* Effect.cached(make("/v1/conversations", { title: name, channels: ["sms"] }))
  // Without messages, so that it can be deleted.
  const participant = yield* Effect.cached(make("/v1/participants", { name }))

  const voiceAgent = yield* Effect.cached(make("/v1/voice/agents", { name, webhookConfig: { url: hook } }))
  // Linked with the agent; an agent has at most one workflow.
  const voiceWorkflow = yield* Effect.cached(
    Effect.gen(function* () {
      const agent = yield* voiceAgent
      const nodes = [{ id: "start", type: "trigger.callStarted" }]
      const { id } = yield* make("/v1/voice/workflows", { name, nodes, edges: [] })
      return yield* make(`/v1/voice/workflows/${id}/link/${agent.id}`, {})
    })
  )

  const waitingAgent = yield* Effect.cached(
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
  // In progress during all tests, so that it does not change.
  const activeCall = Effect.gen(function* () {
    const agentId = yield* waitingAgent
    const payload = { voiceAgentId: agentId, to: "+442079460118", sandbox: { speed: 2 } }
    const { id } = yield* make("/v1/voice/calls", payload)
    yield* eventually(
      `an answered call for ${name}`,
      decodeBody(Status)(call("GET", `/v1/voice/calls/${id}`)),
      ({ status }) => status === "in_progress"
    )
    return { id, agentId }
  })
  const voiceCall = yield* Effect.cached(activeCall)
  const unrecordedCall = yield* Effect.cached(
    Effect.gen(function* () {
      const { id } = yield* activeCall
      yield* decodeBody(Verified)(call("POST", `/v1/voice/calls/${id}/recording/stop`))
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

  // A send finds the contact that fixtures of the same organization made before.
  const whatsappContact = yield* Effect.cached(
    Effect.gen(function* () {
      const whatsapp = { template: { name: "hello", language: "en_US" } }
      const send = { channel: "whatsapp", to: [{ phone: whatsappPhone }], whatsapp, scheduledAt: inADay() }
      const { toParticipantIds } = yield* decodeBody(CreatedMessage)(call("POST", "/v1/messages", send))
      return yield* call("POST", "/v1/whatsapp/service-windows", { participantId: toParticipantIds[0] })
    })
  )

  const serviceWindow = yield* Effect.cached(
    Effect.gen(function* () {
      const { toParticipantIds } = yield* scheduled
      const payload = { participantId: toParticipantIds[0] }
      const window = Schema.Struct({ serviceWindowId: Schema.String })
      return yield* decodeBody(window)(call("POST", "/v1/whatsapp/service-windows", payload))
    })
  )

  const knowledgeBase = yield* Effect.cached(make("/v1/voice/knowledge-bases", { name }))
  // JSON, like all bodies of these tests.
  const uploaded = '"hello"'
  const payload = { filename: "hello.json", contentType: "application/json", contentLength: uploaded.length }
  const requestUpload = Effect.gen(function* () {
    const { id } = yield* knowledgeBase
    const made = yield* decodeBody(CreatedUpload)(call("POST", `/v1/voice/knowledge-bases/${id}/upload-url`, payload))
    return { storageKey: made.storageKey, token: made.uploadUrl.replace(/^.*\//, "") }
  })
  const upload = yield* Effect.cached(requestUpload)
  const download = yield* Effect.cached(
    Effect.gen(function* () {
      const { storageKey, token } = yield* requestUpload
      yield* decodeBody(Verified)(send("PUT", `/v1/uploads/${token}`, { body: uploaded }))
      return yield* linkTo(storageKey)
    })
  )

  const subscribe = (...events: ReadonlyArray<string>) => make("/v1/webhook-endpoints", { name, url: hook, events })
  // Subscribed to an event that never occurs, so that it gets no deliveries.
  const endpoint = yield* Effect.cached(subscribe("organization.usage_exceeded"))

  const delivery = yield* Effect.cached(
    Effect.gen(function* () {
      const { id } = yield* subscribe("message.scheduled")
      const { id: messageId } = yield* make("/v1/messages", emailRequest(`Event ${name}`, { scheduledAt: inADay() }))
      const { items } = yield* eventually(
        `a webhook delivery for ${name}`,
        decodeBody(DeliveryList)(call("GET", `/v1/webhook-endpoints/${id}/logs`)),
        ({ items: [first] }) => first?.status === "succeeded"
      )
      return { id, deliveryId: items[0]?.id ?? "", messageId }
    })
  )

  const event = yield* Effect.cached(
    Effect.gen(function* () {
      yield* scheduled
      const eventPattern = /^id: (\S+)\nevent: /m
      const { text } = yield* send(
        "GET",
        "/v1/events?lastEventId=00000000-0000-0000-0000-000000000000",
        { headers: { "X-API-Key": key } },
        (received) => eventPattern.test(received)
      )
      return eventPattern.exec(text)?.[1] ?? ""
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
    invitation: Effect.map(invitation, ({ id }) => id),
    invitationToken,
    user,
    block: Effect.map(block, ({ id }) => id),
    number,
    newPhone,
    optOut: Effect.map(optOut, ({ id }) => id),
    domain: Effect.map(domain, ({ id }) => id),
    ownDomain,
    pausedDomain: Effect.map(pausedDomain, ({ id }) => id),
    receivingDomain,
    forwardingRule: Effect.map(forwardingRule, ({ id }) => id),
    sender,
    newsletter,
    handsetText,
    template: Effect.map(template, ({ id }) => id),
    smsTemplate: Effect.map(smsTemplate, ({ id }) => id),
    whatsappTemplate: Effect.map(whatsappTemplate, ({ id }) => id),
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
    /** Creates all resources that must not change during a comparison. */
    everything: Effect.zipRight(
      Effect.all([voiceWorkflow, voiceCall, unrecordedCall, upload, download]),
      Effect.all(
        [
          scheduled,
          mail,
          handsetText,
          newsletter,
          thread,
          apiKey,
          invitation,
          user,
          template,
          conversation,
          parentConversation,
          smsTemplate,
          whatsappTemplate,
          whatsappContact,
          participant,
          block,
          optOut,
          domain,
          ownDomain,
          pausedDomain,
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

/** The fixtures of an organization. */
export type Fixtures = Effect.Effect.Success<ReturnType<typeof makeFixtures>>
