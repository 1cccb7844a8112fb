import { EmailSendRequest, toEmailSendFields, toSendRequest } from "@switchboard/domain/email/send/EmailSendRequest"
import { requestIdentity } from "@switchboard/domain/messages/RequestIdentity"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { Either, ParseResult, Schema } from "effect"
import { assert, describe, it } from "vitest"

const id = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
const strict = { errors: "all", onExcessProperty: "error" } as const
const decode = Schema.decodeUnknownSync(EmailSendRequest, strict)
const decodeSend = Schema.decodeUnknownSync(SendRequest, strict)

const plain = { to: "ada@Example.com", subject: "Hello", html: "<p>Hello</p>" }

const file = (given: object = {}) => ({ filename: "a.txt", content: "aGVsbG8=", ...given })

/** The innermost paths of invalid fields. */
const invalidPaths = (body: unknown) =>
  Either.match(Schema.decodeUnknownEither(EmailSendRequest, strict)(body), {
    onLeft: (error) => {
      const paths = new Set(ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => path.join(".")))
      return [...paths].filter((path) => ![...paths].some((other) => other.startsWith(`${path}.`)))
    },
    onRight: () => []
  })

describe("A request to send an email", () => {
  it("accepts one recipient and up to fifty", () => {
    assert.deepEqual<unknown>(decode(plain).to, ["ada@example.com"])
    assert.deepEqual<unknown>(decode({ ...plain, to: ["ada@Example.com", "bob@example.com"] }).to, [
      "ada@example.com",
      "bob@example.com"
    ])
    const many = (length: number) => Array.from({ length }, (_, n) => `ada${n}@example.com`)
    assert.deepEqual(invalidPaths({ ...plain, to: many(50) }), [])
    assert.deepEqual(invalidPaths({ ...plain, to: many(51) }), ["to"])
  })

  it.each<readonly [string, object, ReadonlyArray<string>]>([
    ["no recipient", { to: undefined }, ["to"]],
    ["an empty list of addresses", { to: [] }, ["to"]],
    ["an invalid address", { to: "ada" }, ["to"]],
    ["a list with invalid addresses", { to: ["ada@example.com", "ada", "b@b.test", "b"] }, ["to.1", "to.3"]],
    ["an object without an address", { to: ["ada@example.com", { name: "Ada" }] }, ["to.1"]],
    ["an object with a bad address and name", { to: [{ email: "ada", name: "" }] }, ["to.0.email", "to.0.name"]],
    ["a name of two lines", { to: { email: "ada@example.com", name: "A\r\nBcc: b@b.test" } }, ["to.name"]],
    ["an unknown field of an object", { to: [{ email: "ada@example.com", phone: "1" }] }, ["to.0.phone"]],
    ["a number in a list", { to: ["ada@example.com", 5] }, ["to.1"]],
    ["no subject", { subject: undefined }, ["subject"]],
    ["an empty subject", { subject: "" }, ["subject"]],
    ["a subject of 201 characters", { subject: "s".repeat(201) }, ["subject"]],
    ["a subject of two lines", { subject: "a\r\nBcc: b@b.test" }, ["subject"]],
    ["no html", { html: undefined }, ["html"]],
    ["an empty html", { html: "" }, ["html"]],
    ["a path as a file's name", { attachments: [file({ filename: "../a" })] }, ["attachments.0.filename"]],
    ["a URL as content", { attachments: [file({ content: "https://a.test/b" })] }, ["attachments.0.content"]],
    ["a path beside content", { attachments: [file({ path: "/etc/passwd" })] }, ["attachments.0.path"]],
    ["template data without a template", { templateData: {} }, ["templateData"]],
    ["a template id that is no UUID", { templateId: "welcome" }, ["templateId"]],
    ["an inReplyToMessageId that is no UUID", { inReplyToMessageId: "1" }, ["inReplyToMessageId"]],
    ["a field of POST /v1/messages", { cc: ["bob@example.com"] }, ["cc"]]
  ])("rejects %s", (_, change, where) => {
    const given = Object.fromEntries(Object.entries({ ...plain, ...change }).filter(([, value]) => value !== undefined))
    assert.sameMembers(invalidPaths(given), [...where])
  })

  it("accepts a subject of 200 characters outside the basic multilingual plane", () => {
    assert.deepEqual(invalidPaths({ ...plain, subject: "😀".repeat(200) }), [])
  })

  it("requires neither subject nor html with a template", () => {
    assert.deepEqual(invalidPaths({ to: plain.to, templateId: id, templateData: { name: "Ada" } }), [])
  })

  it("has the identity of the same request to POST /v1/messages", () => {
    const email = {
      subject: "Hello",
      html: "<p>Hello</p>",
      text: "Hello",
      attachments: [file({ contentType: "text/plain", contentId: "one" })],
      templateId: id.toUpperCase(),
      templateData: { name: "Ada" }
    }
    const to = ["ada@example.com", "bob@example.com"]
    const request = toSendRequest(decode({ ...email, to, idempotencyKey: "k" }))
    const other = decodeSend({
      channel: "email",
      to: to.map((address) => ({ email: address })),
      email,
      idempotencyKey: "k"
    })
    assert.deepEqual(request, other)
    assert.strictEqual(requestIdentity(request), requestIdentity(other))
  })

  it("accepts display names as POST /v1/messages does", () => {
    const ada = { email: "ada@Example.com", name: "Ada Lovelace" }
    const single = toSendRequest(decode({ ...plain, to: ada }))
    assert.deepEqual<unknown>(single.to, [{ email: "ada@example.com", name: "Ada Lovelace" }])
    const request = toSendRequest(decode({ ...plain, to: [ada, "bob@example.com", { contactId: id }] }))
    const other = decodeSend({
      channel: "email",
      to: [ada, { email: "bob@example.com" }, { contactId: id }],
      email: { subject: "Hello", html: "<p>Hello</p>" }
    })
    assert.deepEqual(request, other)
    assert.strictEqual(requestIdentity(request), requestIdentity(other))
    assert.notStrictEqual(requestIdentity(single), requestIdentity(toSendRequest(decode(plain))))
  })

  it("takes an author as POST /v1/messages does", () => {
    const from = "Orders <orders@Example.com>"
    const request = toSendRequest(decode({ ...plain, from }))
    const email = { subject: "Hello", html: "<p>Hello</p>", from }
    assert.deepEqual(request, decodeSend({ channel: "email", to: [{ email: "ada@example.com" }], email }))
    assert.deepEqual(invalidPaths({ ...plain, from: "orders" }), ["from"])
  })

  it("has another identity if it replies to another message", () => {
    const withoutReply = toSendRequest(decode(plain))
    const reply = toSendRequest(decode({ ...plain, inReplyToMessageId: id }))
    assert.strictEqual(reply.inReplyToMessageId, id)
    assert.notStrictEqual(requestIdentity(reply), requestIdentity(withoutReply))
  })

  it("maps the fields of errors to its own names", () => {
    assert.deepEqual(toEmailSendFields({ "email.from": ["a"], "email.attachments.0.content": ["b"], "to.1": ["c"] }), {
      from: ["a"],
      "attachments.0.content": ["b"],
      "to.1": ["c"]
    })
  })
})
