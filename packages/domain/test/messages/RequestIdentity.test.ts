import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import {
  type Addressees,
  canonical,
  contentIdentity,
  identityAsWritten,
  requestIdentity
} from "@switchboard/domain/messages/RequestIdentity"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { DateTime, FastCheck, Schema } from "effect"
import { assert, describe, it } from "vitest"

const decode = Schema.decodeUnknownSync(SendRequest)

const address = (text: string) => text as EmailAddress

const plain = {
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: "Hello", html: "<p>Hello</p>" }
} as const

const full = {
  ...plain,
  cc: [{ email: "bob@example.com" }],
  bcc: [{ email: "cyd@example.com" }],
  email: {
    ...plain.email,
    text: "Hello",
    replyTo: ["reply@example.com"],
    from: "Ada <ada@example.com>",
    headers: { "X-One": "1", "X-Two": "2" },
    templateId: "t1",
    templateData: { a: 1, b: { c: [1, 2] } }
  },
  idempotencyKey: "k1",
  scheduledAt: "2026-11-20T09:30:00.000Z",
  externalId: "e1",
  referenceId: "r1",
  tags: ["one"],
  categories: ["two"],
  isTest: false
}

const nobody: Addressees = { to: [], cc: [], bcc: [], names: {} }

/** The same value with the keys of every object in another order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)])
  )
}

describe("canonical text", () => {
  it("does not show the order of keys", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), (value) => {
        assert.strictEqual(canonical(reversed(value)), canonical(value))
      })
    ))

  it("does not show absent fields", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()), (value) => {
        assert.strictEqual(canonical({ ...value, "not in it": undefined }), canonical(value))
      })
    ))

  it("is the same only for values that are the same", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), FastCheck.jsonValue(), (left, right) => {
        const same = JSON.stringify(JSON.parse(canonical(left))) === JSON.stringify(JSON.parse(canonical(right)))
        assert.strictEqual(canonical(left) === canonical(right), same)
      })
    ))

  it("is JSON for the same value", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), (value) => {
        assert.deepEqual(JSON.parse(canonical(value)), JSON.parse(JSON.stringify(value)))
      })
    ))

  it("keeps the order of lists, and tells null from absent", () => {
    assert.notStrictEqual(canonical([1, 2]), canonical([2, 1]))
    assert.notStrictEqual(canonical({ a: null }), canonical({}))
  })

  it("shows an instant as text", () => {
    assert.strictEqual(canonical(DateTime.unsafeMake(0)), '"1970-01-01T00:00:00.000Z"')
  })
})

describe("what must be the same when a key is used again", () => {
  it("is not the order of keys", () => {
    assert.strictEqual(requestIdentity(decode(reversed(full))), requestIdentity(decode(full)))
  })

  it("is not the key itself", () => {
    assert.strictEqual(requestIdentity(decode({ ...full, idempotencyKey: "k2" })), requestIdentity(decode(full)))
  })

  it("is the instant, not how it was written", () => {
    const elsewhere = decode({ ...full, scheduledAt: "2026-11-20T10:30:00+01:00" })
    assert.strictEqual(requestIdentity(elsewhere), requestIdentity(decode(full)))
  })

  it.each<readonly [string, object]>([
    ["nobody in copy", { cc: [], bcc: [] }],
    ["no labels", { tags: [], categories: [] }],
    ["that it is no test", { isTest: false }],
    [
      "nothing to the mail",
      { email: { ...plain.email, attachments: [], headers: {}, replyTo: [], tags: [], trackOpens: false } }
    ]
  ])("is not whether %s is said or left out", (_, written) => {
    const request = decode({ ...plain, ...written })
    assert.strictEqual(requestIdentity(request), requestIdentity(decode(plain)))
    assert.strictEqual(contentIdentity(request, "", nobody), contentIdentity(decode(plain), "", nobody))
    assert.strictEqual(identityAsWritten(request), canonical(request))
    assert.isNull(identityAsWritten(decode(plain)))
  })

  it("is not whether a template gets no data or none is named", () => {
    const email = { templateId: "t1" }
    const named = decode({ ...plain, email: { ...email, templateData: {} } })
    assert.strictEqual(requestIdentity(named), requestIdentity(decode({ ...plain, email })))
  })

  it("is what a template's data says, also where that is nothing", () => {
    const about = (templateData: object) =>
      requestIdentity(decode({ ...plain, email: { templateId: "t1", templateData } }))
    assert.notStrictEqual(about({ a: false }), about({}))
    assert.notStrictEqual(about({ a: [] }), about({ a: {} }))
  })

  it.each<readonly [string, object]>([
    ["to", { to: [{ email: "eve@example.com" }] }],
    ["a recipient's name", { to: [{ ...plain.to[0], name: "Ada" }] }],
    ["cc", { cc: [] }],
    ["bcc", { bcc: undefined }],
    ["the subject", { email: { ...full.email, subject: "Bye" } }],
    ["the html", { email: { ...full.email, html: "<p>Bye</p>" } }],
    ["the text", { email: { ...full.email, text: "Bye" } }],
    ["the sender", { email: { ...full.email, from: "bob@example.com" } }],
    ["whom to reply to", { email: { ...full.email, replyTo: [] } }],
    ["a header", { email: { ...full.email, headers: { "X-One": "1", "X-Two": "3" } } }],
    ["the template's data", { email: { ...full.email, templateData: { a: 1, b: { c: [2, 1] } } } }],
    ["a new field within", { email: { ...full.email, tags: ["x"] } }],
    ["the time", { scheduledAt: "2026-11-20T09:30:00.001Z" }],
    ["the external id", { externalId: "e2" }],
    ["the reference", { referenceId: "r2" }],
    ["the tags", { tags: [] }],
    ["the categories", { categories: ["two", "three"] }],
    ["whether it is a test", { isTest: true }]
  ])("is %s", (_, change) => {
    assert.notStrictEqual(requestIdentity(decode({ ...full, ...change })), requestIdentity(decode(full)))
  })

  it("is every text, whatever it is changed to", () => {
    const texts = {
      subject: (text: string) => ({ ...full, email: { ...full.email, subject: `s${text}` } }),
      html: (text: string) => ({ ...full, email: { ...full.email, html: `h${text}` } }),
      text: (text: string) => ({ ...full, email: { ...full.email, text } }),
      externalId: (text: string) => ({ ...full, externalId: `x${text}` }),
      data: (text: string) => ({ ...full, email: { ...full.email, templateData: { [text]: text } } })
    }
    const letters = FastCheck.stringMatching(/^[\w "{}:,[\]\\]{0,40}$/)
    FastCheck.assert(
      FastCheck.property(FastCheck.constantFrom(...Object.values(texts)), letters, letters, (change, one, other) => {
        const same = requestIdentity(decode(change(one))) === requestIdentity(decode(change(other)))
        assert.strictEqual(same, one === other)
      })
    )
  })
})

describe("what makes two sends without a key the same send", () => {
  const addressees: Addressees = {
    to: [address("ada@example.com"), address("bob@example.com")],
    cc: [address("cyd@example.com")],
    bcc: [],
    names: {}
  }
  const identity = (body: unknown = full, from = "us@example.com", whom = addressees) =>
    contentIdentity(decode(body), from, whom)

  it("is neither the order nor the case of the recipients", () => {
    const other = { ...addressees, to: [address("BOB@example.com"), address("ada@example.com")] }
    assert.strictEqual(identity(full, "us@example.com", other), identity())
  })

  it("is the names of the recipients, where they have any", () => {
    const named = (names: Addressees["names"]) => identity(full, "us@example.com", { ...addressees, names })
    assert.notStrictEqual(named({ [address("ada@example.com")]: "Ada" }), identity())
    assert.strictEqual(named({ [address("ADA@example.com")]: "Ada" }), named({ [address("ada@example.com")]: "Ada" }))
  })

  it("is the text that earlier releases made of a send without names", () => {
    assert.strictEqual(
      identity(plain),
      '{"bcc":[],"cc":["cyd@example.com"],"channel":"email",' +
        '"content":{"html":"<p>Hello</p>","subject":"Hello"},"from":"us@example.com",' +
        '"to":["ada@example.com","bob@example.com"]}'
    )
  })

  it("is neither the key nor the caller's own references and labels", () => {
    const { categories: _c, externalId: _e, idempotencyKey: _k, referenceId: _r, tags: _t, ...rest } = full
    assert.strictEqual(identity(rest), identity())
  })

  it("is the role of every recipient", () => {
    const moved = { ...addressees, cc: [], bcc: addressees.cc }
    assert.notStrictEqual(identity(full, "us@example.com", moved), identity())
  })

  it("is the sender, the content and the time", () => {
    assert.notStrictEqual(identity(full, "them@example.com"), identity())
    assert.notStrictEqual(identity({ ...full, email: { ...full.email, subject: "Bye" } }), identity())
    assert.notStrictEqual(identity({ ...full, scheduledAt: undefined }), identity())
  })
})
