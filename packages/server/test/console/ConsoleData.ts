import { assert } from "@effect/vitest"
import { dmarcXml } from "@switchboard/channels/testing/email/receiving/reports/ReportFixtures"
import { Clock, Effect } from "effect"
import { Secret, TOTP } from "otpauth"
import { publish } from "../email/domains/Zone.js"
import { deliver, ReceivingService } from "../email/ReceivingService.js"
import { caller, type ServiceResponse, until } from "../LiveService.js"
import { logIn } from "../sessions/Browser.js"
import { Laptop } from "./Laptop.js"

const orderMail = (order: string) => `<!DOCTYPE html>
<div style="max-width: 520px; margin: 24px auto; font: 15px/1.5 Georgia, serif; color: #2b2620">
  <h1 style="font-size: 24px">Your books are on their way</h1>
  <p>Dear Ada, order <b>${order}</b> left our shop this morning and arrives on Thursday.</p>
  <table style="width: 100%; border-collapse: collapse">
    <tr><td style="padding: 8px 0; border-top: 1px solid #ddd5c8">The Mathematical Analysis of Logic</td>
      <td style="text-align: right; border-top: 1px solid #ddd5c8">1</td></tr>
    <tr><td style="padding: 8px 0; border-top: 1px solid #ddd5c8">Sketch of the Analytical Engine</td>
      <td style="text-align: right; border-top: 1px solid #ddd5c8">2</td></tr>
  </table>
  <p><a href="https://bookshop.example/orders/${order}" style="color: #8a4b16">Follow the parcel</a></p>
</div>`

const graph = {
  nodes: [
    { id: "start", type: "trigger.callStarted", position: { x: 40, y: 0 } },
    { id: "ask", type: "action.speak", position: { x: 300, y: 90 }, data: { config: { text: "How can I help?" } } },
    { id: "answer", type: "action.listen", position: { x: 600, y: 90 } }
  ],
  edges: [
    { id: "1", source: "start", target: "ask" },
    { id: "2", source: "ask", target: "answer" }
  ]
}

/** Sends a request that must succeed; returns the body of the response. */
const create = (path: string, request: unknown) =>
  Effect.gen(function* () {
    const { call } = yield* Laptop
    const { body, status } = yield* call("POST", path, request)
    assert.oneOf(status, [200, 201], `${path}: ${JSON.stringify(body)}`)
    return body
  })

const sendMail = (to: string, subject: string, more: Readonly<Record<string, unknown>> = {}) => {
  const defaults = { html: `<p>${subject}</p>`, attachments: [], trackClicks: false }
  const { html, attachments, trackClicks, ...message } = { ...defaults, ...more }
  return create("/v1/messages", {
    channel: "email",
    to: [{ email: to }],
    email: { from: "Bookshop <hello@bookshop.example>", subject, html, attachments, trackClicks },
    ...message
  })
}

/** Waits until a message has a status. */
export const reached = (id: string, status: string) =>
  Effect.flatMap(Laptop, ({ call }) =>
    until(call("GET", `/v1/messages/${id}`), ({ body }: ServiceResponse) => body.status === status)
  )

/** The reply of the recipient of a message, sent from the local mailbox. */
const reply = (message: ServiceResponse["body"], text: string) =>
  Effect.gen(function* () {
    const { call } = yield* Laptop
    const { body } = yield* call("GET", `/v1/mailbox?messageId=${message.id}`)
    yield* create(`/v1/mailbox/${body.items[0].id}/reply`, { text })
    yield* until(
      call("GET", `/v1/email/threads/by-message/${message.id}`),
      ({ body }: ServiceResponse) => body.messageCount === 2
    )
  })

/** A scanner follows the first link of a message. */
const click = (message: ServiceResponse["body"]) =>
  Effect.gen(function* () {
    const { call } = yield* Laptop
    const { body: mailbox } = yield* call("GET", `/v1/mailbox?messageId=${message.id}`)
    const { body: mail } = yield* call("GET", `/v1/mailbox/${mailbox.items[0].id}`)
    const [, link = ""] = /href="([^"]+)"/.exec(mail.html) ?? []
    const headers = { "User-Agent": "Mozilla/5.0 (Proofpoint URL Defense)" }
    const { status } = yield* Effect.promise(() => fetch(link, { redirect: "manual", headers }))
    assert.strictEqual(status, 302)
    yield* until(
      call("GET", `/v1/messages/${message.id}`),
      ({ body }: ServiceResponse) => body.emailMetadata.clicks !== undefined
    )
  })

/** Setup: two domains, senders, blocks, a template with two versions, a webhook endpoint and an API key. */
const createSetup = Effect.gen(function* () {
  const { call, zone } = yield* Laptop
  const { dnsRecords } = yield* create("/v1/email/domains", { domain: "bookshop.example" })
  publish(zone, dnsRecords)
  const { success } = yield* create("/v1/email/domains/verify", { domain: "bookshop.example" })
  assert.strictEqual(success, true)
  yield* create("/v1/email/domains/enable-receiving", { domain: "bookshop.example", addresses: ["hello", "accounts"] })
  const { id: newsId } = yield* create("/v1/email/domains", { domain: "news.bookshop.example" })
  yield* create(`/v1/email/domains/${newsId}/pause`, undefined)
  yield* create("/v1/email/senders", { email: "hello@bookshop.example", name: "Bookshop" })
  yield* create("/v1/email/blocks", { email: "charles@example.com", reason: "unsubscribe", category: "newsletter" })
  yield* create("/v1/email/blocks", { domain: "spam.example" })
  yield* create("/v1/participants", {
    name: "Charles",
    displayName: "Charles Babbage",
    email: "charles@example.com",
    phone: "+442079460018",
    country: "GB",
    metadata: { customer: "B-1791" }
  })
  const template = { name: "Order shipped", subject: "Order {{order}} has shipped", html: "<p>Order {{order}}</p>" }
  const { id } = yield* create("/v1/email/templates", template)
  yield* call("PATCH", `/v1/email/templates/${id}`, { html: "<h1>Order {{order}}</h1>" })
  const endpoint = { name: "Shop", url: "https://hooks.bookshop.example/switchboard", events: ["message.*"] }
  yield* create("/v1/webhook-endpoints", endpoint)
  yield* create("/v1/api-keys", { name: "Web shop", roleName: "sender" })
})

/** Adds a second factor to the log-in of a person. */
export const addSecondFactor = Effect.fnUntraced(function* (email: string, password: string) {
  const { baseUrl } = yield* Laptop
  const { headers } = yield* logIn(baseUrl, { email, password })
  const call = caller(baseUrl, null)
  const { body } = yield* call("POST", "/v1/session/totp", { password }, headers)
  const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
  const { status } = yield* call("POST", "/v1/session/totp/confirm", { code }, headers)
  assert.strictEqual(status, 200)
})

/** Two people, one with a second factor, and an invitation that is not accepted. */
const invitePeople = Effect.gen(function* () {
  const password = "three blind mice"
  const invite = (email: string, roleName: string) => create("/v1/users/invitations", { email, roleName })
  for (const [name, email, roleName] of [
    ["Alan Turing", "alan@bookshop.example", "admin"],
    ["Alice Smith", "alice@bookshop.example", "sender"]
  ] as const) {
    const { url } = yield* invite(email, roleName)
    const token = String(url).split("#invitation=")[1]
    yield* create("/v1/users/invitations/accept", { token, name, password })
  }
  yield* addSecondFactor("alice@bookshop.example", password)
  yield* invite("alonzo@bookshop.example", "viewer")
})

/** A DMARC report of yesterday about the verified domain. */
const createReport = Effect.gen(function* () {
  const { call, inboundPort, zone } = yield* Laptop
  const now = yield* Clock.currentTimeMillis
  zone["reporter.example"] = [{ type: "TXT", chunks: ["v=spf1 ip4:127.0.0.1 -all"] }]
  const rows = [
    { ip: "192.0.2.10", count: 1_230, disposition: "none", dkim: "pass", spf: "pass", headerFrom: "bookshop.example" },
    {
      ip: "203.0.113.9",
      count: 20,
      disposition: "quarantine",
      dkim: "fail",
      spf: "fail",
      headerFrom: "bookshop.example"
    }
  ]
  const xml = dmarcXml(rows, { domain: "bookshop.example", begin: Math.floor(now / 1_000) - 86_400 })
  const mail = ["From: <noreply@reporter.example>", "Subject: Report", "Content-Type: text/xml", "", xml].join("\r\n")
  const reply = yield* deliver("noreply@reporter.example", "reports@bounce.bookshop.example", mail).pipe(
    Effect.provideService(ReceivingService, { inboundPort, zone })
  )
  assert.match(reply, /^250/)
  const { body } = yield* call("GET", "/v1/email/domains?limit=100")
  const found: { readonly id: string } | undefined = body.items.find(
    (one: { readonly domain: string }) => one.domain === "bookshop.example"
  )
  yield* until(
    call("GET", `/v1/email/domains/${found?.id}/reports`),
    (response: ServiceResponse) => response.body.dmarc.reports === 1
  )
})

/** A forwarding rule, and a mail that it forwards. */
const forwardMail = Effect.gen(function* () {
  const { call, inboundPort, zone } = yield* Laptop
  const match = { recipient: "accounts@bookshop.example", subjectContains: "invoice" }
  yield* create("/v1/email/forwarding/rules", {
    name: "Invoices",
    match,
    forwardTo: ["books@example.net"],
    keepCopy: false
  })
  const mail = ["From: <mary@example.com>", "To: <accounts@bookshop.example>", "Subject: Your invoice 7", "", "48.00"]
  const reply = yield* deliver("mary@example.com", "accounts@bookshop.example", mail.join("\r\n")).pipe(
    Effect.provideService(ReceivingService, { inboundPort, zone })
  )
  assert.match(reply, /^250/)
  yield* until(call("GET", "/v1/email/forwarding/log"), ({ body }: ServiceResponse) => body.items.length === 1)
})

/** A text with a reply of its recipient from the local handset, and an opt-out. */
const exchangeTexts = Effect.gen(function* () {
  const { call } = yield* Laptop
  const phone = "+4915123456789"
  const sms = { text: "Your order is ready. Is 9 am convenient?" }
  const { content, id } = yield* create("/v1/messages", { channel: "sms", to: [{ phone }], sms })
  yield* reached(id, "delivered")
  const { body } = yield* call("GET", "/v1/handset")
  yield* create(`/v1/handset/${body.items[0].id}/reply`, { text: "Yes, thank you" })
  yield* until(call("GET", "/v1/messages?channel=sms"), ({ body }: ServiceResponse) => body.items.length === 2)
  yield* create("/v1/sms/opt-outs", { number: content.from, phone: "+447400123456" })
})

/** A WhatsApp template with a reply of its recipient from the local handset. */
const exchangeWhatsApp = Effect.gen(function* () {
  const { call } = yield* Laptop
  const components = [{ type: "body", parameters: [{ type: "text", text: "B-1815" }] }]
  const { id } = yield* create("/v1/messages", {
    channel: "whatsapp",
    to: [{ phone: "+4915187654321" }],
    whatsapp: { template: { name: "order_ready", language: "en_US", components } }
  })
  yield* reached(id, "delivered")
  const { body } = yield* call("GET", "/v1/handset")
  const { id: arrived } = body.items.find(({ messageId }: { readonly messageId: string }) => messageId === id)
  yield* create(`/v1/handset/${arrived}/reply`, { text: "I come at 10" })
  yield* until(call("GET", "/v1/messages?channel=whatsapp"), ({ body }: ServiceResponse) => body.items.length === 2)
  yield* reached(id, "read")
})

const createVoice = Effect.gen(function* () {
  const { call } = yield* Laptop
  const agent = yield* create("/v1/voice/agents", {
    name: "Front desk",
    systemPrompt: "Answer questions about orders.",
    transport: "pstn"
  })
  const workflow = yield* create("/v1/voice/workflows", { name: "Order status", ...graph })
  yield* create(`/v1/voice/workflows/${workflow.id}/link/${agent.id}`, {})
  yield* create(`/v1/voice/workflows/${workflow.id}/publish`, {})
  const { id } = yield* create("/v1/voice/calls", {
    voiceAgentId: agent.id,
    to: "+442079460018",
    sandbox: { answers: ["Where is my order?"], speed: 100 }
  })
  yield* until(call("GET", `/v1/voice/calls/${id}`), ({ body }: ServiceResponse) => body.status === "completed")
})

/** Creates at least one of everything that the console shows. Returns the id of a delivered message with an attachment. */
export const createConsoleData = Effect.gen(function* () {
  yield* createSetup
  yield* invitePeople
  yield* forwardMail
  yield* createReport
  const { call } = yield* Laptop
  const welcome = yield* sendMail("grace@example.com", "Welcome to the bookshop", { tags: ["welcome"] })
  const bounced = yield* sendMail("george+bounce@example.com", "Your invoice for May", { tags: ["invoice"] })
  const question = yield* sendMail("ada@example.com", "Is this edition the right one?")
  yield* sendMail("mary@example.com", "New arrivals", { scheduledAt: new Date(Date.now() + 7 * 86_400_000) })
  const meeting = yield* sendMail("grace@example.com", "Your reading group meets on Friday", { tags: ["events"] })
  const shipped = yield* sendMail("ada@example.com", "Your order has shipped", {
    html: orderMail("B-1815"),
    attachments: [{ filename: "invoice.txt", content: Buffer.from("Three books: 48.00").toString("base64") }],
    tags: ["order"],
    externalId: "B-1815",
    trackClicks: true
  })
  yield* create("/v1/drafts", {
    channel: "email",
    title: "Summer newsletter",
    recipients: [{ email: "ada@example.com", name: "Ada" }],
    content: { subject: "Summer in the bookshop", text: "Hello Ada" }
  })
  yield* createVoice
  yield* exchangeTexts
  yield* exchangeWhatsApp
  yield* reached(bounced.id, "bounced")
  for (const { id } of [welcome, meeting, question, shipped]) yield* reached(id, "delivered")
  yield* click(shipped)
  yield* reply(question, "It is. Please send the second volume, too!\n\nAda")
  const { body: endpoints } = yield* call("GET", "/v1/webhook-endpoints")
  yield* until(
    call("GET", `/v1/webhook-endpoints/${endpoints.items[0].id}/logs?limit=100`),
    ({ body }: ServiceResponse) =>
      body.items.every(({ attempts }: { readonly attempts: ReadonlyArray<unknown> }) => attempts.length > 0)
  )
  return String(shipped.id)
})
