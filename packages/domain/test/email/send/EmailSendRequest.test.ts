import { EmailSendRequest, inCallersNames, toSendRequest } from "@switchboard/domain/email/send/EmailSendRequest"
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

/** Where a body is wrong, as far within as it can be said. */
const wrong = (body: unknown) =>
  Either.match(Schema.decodeUnknownEither(EmailSendRequest, strict)(body), {
    onLeft: (error) => {
      const paths = new Set(ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => path.join(".")))
      return [...paths].filter((path) => ![...paths].some((other) => other.startsWith(`${path}.`)))
    },
    onRight: () => []
  })

describe("an e-mail to send", () => {
  it("goes to one address or to fifty", () => {
    assert.deepEqual<unknown>(decode(plain).to, ["ada@example.com"])
    assert.deepEqual<unknown>(decode({ ...plain, to: ["ada@Example.com", "bob@example.com"] }).to, [
      "ada@example.com",
      "bob@example.com"
    ])
    const many = (length: number) => Array.from({ length }, (_, n) => `ada${n}@example.com`)
    assert.deepEqual(wrong({ ...plain, to: many(50) }), [])
    assert.deepEqual(wrong({ ...plain, to: many(51) }), ["to"])
  })

  it.each<readonly [string, object, ReadonlyArray<string>]>([
    ["nobody to go to", { to: undefined }, ["to"]],
    ["an empty list of addresses", { to: [] }, ["to"]],
    ["no address", { to: "ada" }, ["to"]],
    ["a list in which some are no addresses", { to: ["ada@example.com", "ada", "b@b.test", "b"] }, ["to.1", "to.3"]],
    ["an object without an address", { to: ["ada@example.com", { name: "Ada" }] }, ["to.1"]],
    ["an object with a bad address and name", { to: [{ email: "ada", name: "" }] }, ["to.0.email", "to.0.name"]],
    ["a name of two lines", { to: { email: "ada@example.com", name: "A\r\nBcc: b@b.test" } }, ["to.name"]],
    ["an unknown field of an object", { to: [{ email: "ada@example.com", phone: "1" }] }, ["to.0.phone"]],
    ["a number in a list", { to: ["ada@example.com", 5] }, ["to.1"]],
    ["no subject", { subject: undefined }, ["subject"]],
    ["an empty subject", { subject: "" }, ["subject"]],
    ["a subject of 201", { subject: "s".repeat(201) }, ["subject"]],
    ["a subject of two lines", { subject: "a\r\nBcc: b@b.test" }, ["subject"]],
    ["no html", { html: undefined }, ["html"]],
    ["an empty html", { html: "" }, ["html"]],
    ["21 attachments", { attachments: Array.from({ length: 21 }, () => file()) }, ["attachments"]],
    ["a path as a file's name", { attachments: [file({ filename: "../a" })] }, ["attachments.0.filename"]],
    ["two lines as a file's name", { attachments: [file({ filename: "a\r\nX: y" })] }, ["attachments.0.filename"]],
    ["an address as content", { attachments: [file({ content: "https://a.test/b" })] }, ["attachments.0.content"]],
    ["a path as content", { attachments: [file(), file({ content: "/etc/passwd" })] }, ["attachments.1.content"]],
    ["a path beside content", { attachments: [file({ path: "/etc/passwd" })] }, ["attachments.0.path"]],
    ["data for no template", { templateData: {} }, ["templateData"]],
    ["no uuid as template", { templateId: "welcome" }, ["templateId"]],
    ["no uuid as what it answers", { inReplyToMessageId: "1" }, ["inReplyToMessageId"]],
    ["a field of the other operation", { cc: ["bob@example.com"] }, ["cc"]],
    ["too long a key", { idempotencyKey: "k".repeat(256) }, ["idempotencyKey"]]
  ])("is not one with %s", (_, change, where) => {
    const given = Object.fromEntries(Object.entries({ ...plain, ...change }).filter(([, value]) => value !== undefined))
    assert.sameMembers(wrong(given), [...where])
  })

  it("has a subject of 200 characters, however many units they are", () => {
    assert.deepEqual(wrong({ ...plain, subject: "😀".repeat(200) }), [])
  })

  it("needs neither subject nor html with a template", () => {
    assert.deepEqual(wrong({ to: plain.to, templateId: id, templateData: { name: "Ada" } }), [])
  })

  it("is the same send as one by the other operation, all of it", () => {
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

  it("has recipients with display names, as the other operation has them", () => {
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

  it("is another send when it answers another message", () => {
    const plainly = toSendRequest(decode(plain))
    const answer = toSendRequest(decode({ ...plain, inReplyToMessageId: id }))
    assert.strictEqual(answer.inReplyToMessageId, id)
    assert.notStrictEqual(requestIdentity(answer), requestIdentity(plainly))
  })

  it("hears of its fields by their own names", () => {
    assert.deepEqual(inCallersNames({ "email.from": ["a"], "email.attachments.0.content": ["b"], "to.1": ["c"] }), {
      from: ["a"],
      "attachments.0.content": ["b"],
      "to.1": ["c"]
    })
  })
})
