import { decodeBody } from "@switchboard/api/http/body/DecodeBody"
import { describeIssue, type FieldErrors } from "@switchboard/api/http/body/FieldErrors"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { Effect, Either, ParseResult } from "effect"
import { assert, describe, it } from "vitest"

const decode = ParseResult.decodeUnknownEither(SendRequest, { errors: "all", onExcessProperty: "error" })
const wrongIn = (body: unknown): FieldErrors =>
  Either.match(decode(body), { onLeft: describeIssue, onRight: () => ({}) })

const ada = { email: "ada@example.com" }
const email = { subject: "Hello", html: "<p>Hello</p>" }
const request = { channel: "email", to: [ada], email }
const contactId = "01890a5d-ac96-774b-bcce-b302099a8057"

const anAddress = "must be an email address like ada@example.com"
const withoutTemplate = "is required without a template"
const contentMissing = {
  "email.subject": [withoutTemplate],
  "email.html": ["is required without a text or a template"]
}
const tooMany = Array.from({ length: 51 }, (_, index) => ({ email: `p${index}@example.com` }))

const cases: ReadonlyArray<readonly [name: string, body: unknown, fields: FieldErrors]> = [
  ["no error of a valid request", request, {}],
  ["a missing channel", {}, { channel: ["is required"] }],
  ["missing fields", { channel: "email" }, { to: ["is required"], email: ["is required"] }],
  ["an unknown field", { ...request, color: "red" }, { color: ["is not a known field"] }],
  [
    "unknown fields with the names of object members",
    { ...request, constructor: 1, toString: 1, valueOf: 1 },
    { constructor: ["is not a known field"], toString: ["is not a known field"], valueOf: ["is not a known field"] }
  ],
  [
    "an unknown nested field",
    { ...request, email: { ...email, body: "x" } },
    { "email.body": ["is not a known field"] }
  ],
  ["text instead of a list", { ...request, to: "ada@example.com" }, { to: ["must be a list"] }],
  ["a number instead of text", { ...request, email: { ...email, subject: 5 } }, { "email.subject": ["must be text"] }],
  ["null instead of text", { ...request, email: { ...email, subject: null } }, { "email.subject": ["must be text"] }],
  ["text instead of a boolean", { ...request, isTest: "yes" }, { isTest: ["must be true or false"] }],
  [
    "a list instead of an object",
    { ...request, email: { ...email, templateData: [] } },
    { "email.templateData": ["must be an object"] }
  ],
  [
    "template data without a template",
    { ...request, email: { ...email, templateData: { name: "Ada" } } },
    { "email.templateData": ["must not be given without a template"] }
  ],
  ["a number instead of a time", { ...request, scheduledAt: 5 }, { scheduledAt: ["must be text"] }],
  ["a list instead of the body", [], { "": ["must be an object"] }],
  ["an invalid address with its index", { ...request, to: [ada, { email: "nope" }] }, { "to.1.email": [anAddress] }],
  ["a number instead of an address", { ...request, to: [{ email: 5 }] }, { "to.0.email": ["must be text"] }],
  [
    "every invalid address",
    { ...request, cc: [{ email: "nope" }], email: { ...email, replyTo: ["nope", 5] } },
    { "cc.0.email": [anAddress], "email.replyTo.0": [anAddress], "email.replyTo.1": ["must be text"] }
  ],
  ["no recipients", { ...request, to: [] }, { to: ["must name at least one recipient"] }],
  [
    "both an address and a contact",
    { ...request, to: [{ ...ada, contactId }] },
    { "to.0": ["must have either email or contactId"] }
  ],
  ["neither an address nor a contact", { ...request, to: [{}] }, { "to.0": ["must have either email or contactId"] }],
  ["a channel without sends", { ...request, channel: "voice" }, { channel: ["must be one of email, sms, whatsapp"] }],
  ["an unknown channel", { ...request, channel: "fax" }, { channel: ["must be one of email, sms, whatsapp"] }],
  ["missing subject and html", { ...request, email: {} }, contentMissing],
  [
    "missing subject and html with another invalid field of the e-mail",
    { ...request, email: { headers: 5 } },
    { ...contentMissing, "email.headers": ["must be an object"] }
  ],
  [
    "missing subject and html with an unknown field of the e-mail",
    { ...request, email: { body: "x" } },
    { ...contentMissing, "email.body": ["is not a known field"] }
  ],
  [
    "missing subject and html with an invalid field elsewhere",
    { ...request, email: {}, isTest: "yes" },
    { ...contentMissing, isTest: ["must be true or false"] }
  ],
  [
    "missing html and an invalid subject, once each",
    { ...request, email: { subject: 5 } },
    { "email.subject": ["must be text"], "email.html": ["is required without a text or a template"] }
  ],
  [
    "too many recipients with another invalid field",
    { ...request, to: tooMany, isTest: 5 },
    { to: ["must be at most 50 recipients over to, cc and bcc"], isTest: ["must be true or false"] }
  ],
  [
    "every invalid header",
    { ...request, email: { ...email, headers: { Subject: "x", "X-A": "a\r\nb", "a b": "c", "X-N": 5 } } },
    {
      "email.headers.Subject": ["is set by the service"],
      "email.headers.X-A": ["must not contain line breaks"],
      "email.headers.a b": ["is not a header name"],
      "email.headers.X-N": ["must be text"]
    }
  ],
  [
    "errors of attachments",
    { ...request, email: { ...email, attachments: [{ filename: "../a", content: "!" }, {}] } },
    {
      "email.attachments.0.filename": ["must be a name without a path or control characters"],
      "email.attachments.0.content": ["must be base64"],
      "email.attachments.1.filename": ["is required"],
      "email.attachments.1.content": ["is required"]
    }
  ],
  [
    "an invalid media type",
    { ...request, email: { ...email, attachments: [{ filename: "a", content: "", contentType: "x" }] } },
    { "email.attachments.0.contentType": ["must be a media type like application/pdf"] }
  ],
  ["an invalid sender", { ...request, email: { ...email, from: "Ada <nope>" } }, { "email.from": [anAddress] }],
  ["an invalid time", { ...request, scheduledAt: "tomorrow" }, { scheduledAt: ["must be an ISO 8601 date-time"] }],
  ["an empty key", { ...request, idempotencyKey: "" }, { idempotencyKey: ["must have 1 to 255 characters"] }]
]

describe("decodeBody", () => {
  it("reports all errors of a body, and the first one of a body of more than 10,000 values", () => {
    const decodeSend = decodeBody(SendRequest)
    const errorsOf = (recipients: number) =>
      Object.keys(
        Effect.runSync(
          Effect.flip(decodeSend({ channel: "email", to: Array.from({ length: recipients }, () => ({})) }))
        ).fields ?? {}
      )
    assert.lengthOf(errorsOf(4_000), 4_001)
    assert.lengthOf(errorsOf(10_000), 1)
  })
})

describe("describeIssue", () => {
  it.each(cases)("describes %s", (_, body, fields) => {
    assert.deepEqual(wrongIn(body), fields)
  })

  it.each([
    ["a contact", { ...request, to: [{ contactId: "nope" }] }, "to.0.contactId"],
    ["a conversation", { ...request, conversationId: "nope" }, "conversationId"]
  ])("does not require text when %s is text already", (_, body, path) => {
    const fields = wrongIn(body)
    assert.deepStrictEqual(Object.keys(fields), [path])
    assert.notDeepEqual(fields[path], ["must be text"])
  })
})
