import { readFileSync } from "node:fs"
import { EmailSendRequest } from "@switchboard/domain/email/send/EmailSendRequest"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { jsonSchemaProblems } from "./JsonSchemaProblems.js"
import { decodeDocument } from "./OpenApiDocument.js"

const file = repositoryFile("packages/api/openapi.json")
const problems = jsonSchemaProblems(decodeDocument(JSON.parse(readFileSync(file, "utf8"))))
const strict = { onExcessProperty: "error" } as const
const acceptedBy = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, strict)
  return (value: unknown) => Either.isRight(decode(value))
}
const services = { EmailSendRequest: acceptedBy(EmailSendRequest), SendRequest: acceptedBy(SendRequest) }

/** Whether a body is accepted; document and service must agree. */
const isAccepted = (name: keyof typeof services, body: object) => {
  const value: unknown = JSON.parse(JSON.stringify(body))
  const byDocument = problems({ $ref: `#/components/schemas/${name}` }, value).length === 0
  const byService = services[name](value)
  assert.strictEqual(byDocument, byService, JSON.stringify(value))
  return byService
}

const to = "ada@example.com"
const id = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
const content = { subject: "Hello", html: "<p>Hello</p>" }

const contents: ReadonlyArray<readonly [string, object, boolean]> = [
  ["subject and html", content, true],
  ["text in place of html", { subject: "Hello", text: "Hello" }, true],
  ["a template", { templateId: id, templateData: { name: "Ada" } }, true],
  ["a template with a subject of its own", { templateId: id, subject: "Hello" }, true],
  ["no subject", { html: "<p>Hello</p>" }, false],
  ["neither html nor text", { subject: "Hello" }, false],
  ["an empty text without html", { subject: "Hello", text: "" }, false],
  ["an empty html", { subject: "Hello", html: "", text: "Hello" }, false],
  ["data without a template", { ...content, templateData: {} }, false]
]

const named = { email: to, name: "Ada Lovelace" }

const recipients: ReadonlyArray<readonly [string, unknown, boolean]> = [
  ["an address", to, true],
  ["an address with a name", named, true],
  ["a list of both", [to, named], true],
  ["a contact", [{ contactId: id, name: "Ada" }], true],
  ["a contact with an address", [{ contactId: id, email: to }], false],
  ["only a name", [{ name: "Ada" }], false],
  ["an empty name", [{ email: to, name: "" }], false],
  ["an unknown field", [{ email: to, phone: "1" }], false],
  ["an empty list", [], false],
  ["a number", 5, false]
]

describe("Document and service agree on a send", () => {
  it.each(contents)("with %s", (_, value, expected) => {
    assert.strictEqual(isAccepted("EmailSendRequest", { to, ...value }), expected)
    assert.strictEqual(isAccepted("SendRequest", { channel: "email", to: [{ email: to }], email: value }), expected)
  })

  it.each(recipients)("to %s", (_, value, expected) => {
    assert.strictEqual(isAccepted("EmailSendRequest", { ...content, to: value }), expected)
  })
})
