import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, LiveApi } from "./LiveApi.js"

const email = "ada@example.com"
const anAddress = "must be an email address like ada@example.com"
const url = "https://10.0.0.1/x"
const id = "01a1fc1d-e263-75b0-8c63-b51e27abcdaf"
const start = { id: "s", type: "trigger.callStarted" }
const config = { url, method: "GET" }
const channels = ["email"]
const variable = (name: string) => ({ name, fallback: "" })
const template = { name: "n", subject: "{{a}}", html: "h" }
const attachment = { filename: "a.txt", contentType: "text/plain" }
const largeFile = "A".repeat(4 * Math.ceil((25 * 1024 * 1024 + 1) / 3))

/** An operation, a body, and its errors: the names of the fields, or the fields with their sentences. */
const cases: ReadonlyArray<
  readonly [operation: string, body: object, fields: string | Readonly<Record<string, string | RegExp>>]
> = [
  ["POST /v1/api-keys", { name: "n" }, { permissions: "is required without roleName" }],
  [
    "POST /v1/api-keys",
    { name: "n", roleName: "viewer", permissions: {} },
    { roleName: "must be left out where permissions are given" }
  ],
  ["POST /v1/email/blocks", {}, { email: "is required without domain" }],
  ["POST /v1/email/blocks", { email, domain: "example.com" }, { domain: "must be left out where email is given" }],
  [
    "POST /v1/email/blocks",
    { email: "ada", reason: "spite" },
    { email: anAddress, reason: "must be one of hard_bounce, complaint, unsubscribe, manual" }
  ],
  ["POST /v1/email/blocks", { email, expiresAt: "1969-01-01T00:00:00.000Z" }, { expiresAt: "must be in the future" }],
  ["POST /v1/email/blocks", { domain: email }, { domain: "must be a domain like example.com" }],
  [
    "POST /v1/email/templates",
    { ...template, subject: "é".repeat(900), html: "x".repeat(262_144 - 1_799) },
    { html: "must be at most 256 KiB together with subject, text and fallbacks" }
  ],
  [
    "POST /v1/email/templates",
    { ...template, variables: ["b", "a", "c"].map(variable) },
    { "variables.0.name": "is not used by the template", "variables.2.name": "is not used by the template" }
  ],
  [
    "POST /v1/email/templates",
    { ...template, variables: ["a", "a"].map(variable) },
    { "variables.1.name": "must not be named twice" }
  ],
  ["POST /v1/email/senders", { email: "ada", name: "A\r\nBcc: eve", replyTo: "x" }, "email name replyTo"],
  [
    "POST /v1/email/senders",
    { email: "ada@elsewhere.test", name: "Ada" },
    { email: "must be at a domain of the organization: add elsewhere.test first" }
  ],
  ["POST /v1/email/forwarding/rules", { name: "n", match: {}, forwardTo: [email] }, "match"],
  [
    "POST /v1/email/forwarding/rules",
    { name: "n", match: { recipient: "*@", sender: "*" }, forwardTo: ["ada"], priority: 1.5 },
    "match.recipient match.sender forwardTo.0 priority"
  ],
  [
    "POST /v1/drafts",
    { channel: "email", recipients: [{ participantId: "ada" }], content: { attachmentIds: [id, id, "x"] } },
    {
      "recipients.0.participantId": "must be a uuid",
      "content.attachmentIds.1": "must not be named twice",
      "content.attachmentIds.2": "must be a uuid"
    }
  ],
  ["POST /v1/attachments", { filename: "../x", contentType: "pdf", content: "a" }, "filename contentType content"],
  ["POST /v1/attachments", { ...attachment, content: largeFile }, { content: "must be at most 25 MiB" }],
  ["POST /v1/conversations", { channels, metadata: "{", context: "no" }, "metadata context"],
  ["POST /v1/conversations", { channels, metadata: JSON.stringify("x".repeat(5000)) }, "metadata"],
  ["POST /v1/conversations", { channels, primaryChannel: "sms" }, "primaryChannel"],
  ["POST /v1/conversations", { channels, resolutionType: "manual" }, "resolutionType"],
  ["POST /v1/participants", { name: "Ada", phone: "030 123456", whatsappId: "ada" }, "phone whatsappId"],
  [
    "POST /v1/participants",
    { name: " ", email: "ada", country: "XX", metadata: { long: "x".repeat(9000) } },
    "name email country metadata"
  ],
  [
    "PATCH /v1/organizations/current",
    { defaultCurrency: "euro", countryCode: "Germany", timezone: "CEST", slug: "A Slug", logo: "javascript:alert(1)" },
    {
      defaultCurrency: "must be an ISO 4217 currency code like EUR",
      countryCode: "must be an ISO 3166-1 alpha-2 country code like DE",
      timezone: "must be an IANA time zone like Europe/Berlin",
      slug: "must be 1 to 63 lowercase letters, digits and hyphens, with no hyphen at either end",
      logo: "must be an http or https URL"
    }
  ],
  [
    "POST /v1/webhook-endpoints",
    {
      name: "",
      url: "ftp://example.com",
      events: ["message.send", "message.*"],
      filters: { channels: ["fax"], to: 1 },
      rateLimit: { maxPerSecond: 0 },
      headers: { Host: "inside", "X-A": "a\r\nb" }
    },
    "name url events.0 filters.channels.0 filters.to rateLimit.maxPerSecond headers.Host headers.X-A"
  ],
  ["POST /v1/voice/agents", { name: "n", webhookConfig: { url } }, { "webhookConfig.url": /NETWORK_ALLOW/ }],
  [
    "POST /v1/voice/workflows",
    { name: "n", nodes: [start, { id: "h", type: "action.httpRequest", data: { config } }], edges: [] },
    { "nodes.1.data.config.url": /NETWORK_ALLOW/ }
  ],
  [`POST /v1/mailbox/${id}/reply`, { text: "", subject: "a\nb", from: "ada", to: email }, "text subject from to"],
  [`POST /v1/handset/${id}/reply`, { text: "", from: "ada" }, "text from"]
]

const rows = cases.map(([operation, body, fields]) => {
  const sentences = typeof fields === "string" ? {} : fields
  return { operation, body, sentences, names: typeof fields === "string" ? fields.split(" ") : Object.keys(fields) }
})

layer(LiveApi.layer, { excludeTestServices: true })("An invalid body", (it) => {
  it.effect.each(rows)("of $operation is refused by the fields $names", ({ body, names, operation, sentences }) =>
    Effect.gen(function* () {
      const [method = "", path = ""] = operation.split(" ")
      const response = yield* call(method, path, { body })
      assert.strictEqual(response.status, 422, response.text)
      assert.sameMembers(Object.keys(response.body.fields), names)
      for (const [field, expected] of Object.entries(sentences)) {
        if (typeof expected === "string") assert.deepStrictEqual(response.body.fields[field], [expected])
        else assert.match(response.body.fields[field].join(), expected)
      }
    })
  )
})
