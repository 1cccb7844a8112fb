import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import {
  type Addressees,
  canonical,
  emailIdentity,
  requestIdentity
} from "@switchboard/domain/messages/RequestIdentity"
import { EmailSend } from "@switchboard/domain/messages/SendRequest"
import { DateTime, FastCheck, Schema } from "effect"
import { assert, describe, it } from "vitest"

const decode = Schema.decodeUnknownSync(EmailSend)

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

const noAddressees: Addressees = { to: [], cc: [], bcc: [], names: {} }

/** The same value with the keys of all objects reversed. */
const withReversedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withReversedKeys)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, withReversedKeys(member)])
  )
}

describe("Canonical JSON", () => {
  it("is independent of the order of keys", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), (value) => {
        assert.strictEqual(canonical(withReversedKeys(value)), canonical(value))
      })
    ))

  it("omits undefined fields", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()), (value) => {
        assert.strictEqual(canonical({ ...value, "not in it": undefined }), canonical(value))
      })
    ))

  it("is equal only for equal values", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), FastCheck.jsonValue(), (left, right) => {
        const same = JSON.stringify(JSON.parse(canonical(left))) === JSON.stringify(JSON.parse(canonical(right)))
        assert.strictEqual(canonical(left) === canonical(right), same)
      })
    ))

  it("parses to the same value", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), (value) => {
        assert.deepEqual(JSON.parse(canonical(value)), JSON.parse(JSON.stringify(value)))
      })
    ))

  it("keeps the order of arrays, and null fields", () => {
    assert.notStrictEqual(canonical([1, 2]), canonical([2, 1]))
    assert.notStrictEqual(canonical({ a: null }), canonical({}))
  })

  it("contains a date-time as text", () => {
    assert.strictEqual(canonical(DateTime.unsafeMake(0)), '"1970-01-01T00:00:00.000Z"')
  })
})

describe("The identity of a request with an idempotency key", () => {
  it("is independent of the order of keys", () => {
    assert.strictEqual(requestIdentity(decode(withReversedKeys(full))), requestIdentity(decode(full)))
  })

  it("is independent of the key", () => {
    assert.strictEqual(requestIdentity(decode({ ...full, idempotencyKey: "k2" })), requestIdentity(decode(full)))
  })

  it("is independent of the time zone of scheduledAt", () => {
    const otherZone = decode({ ...full, scheduledAt: "2026-11-20T10:30:00+01:00" })
    assert.strictEqual(requestIdentity(otherZone), requestIdentity(decode(full)))
  })

  it.each<readonly [string, object]>([
    ["empty cc and bcc", { cc: [], bcc: [] }],
    ["empty tags and categories", { tags: [], categories: [] }],
    ["isTest false", { isTest: false }],
    [
      "empty email options",
      { email: { ...plain.email, attachments: [], headers: {}, replyTo: [], tags: [], trackOpens: false } }
    ]
  ])("is independent of %s", (_, written) => {
    const request = decode({ ...plain, ...written })
    assert.strictEqual(requestIdentity(request), requestIdentity(decode(plain)))
    assert.strictEqual(emailIdentity(request, "", noAddressees), emailIdentity(decode(plain), "", noAddressees))
  })

  it("is independent of empty template data", () => {
    const email = { templateId: "t1" }
    const named = decode({ ...plain, email: { ...email, templateData: {} } })
    assert.strictEqual(requestIdentity(named), requestIdentity(decode({ ...plain, email })))
  })

  it("depends on template data, also on empty values", () => {
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
    ["the reply address", { email: { ...full.email, replyTo: [] } }],
    ["a header", { email: { ...full.email, headers: { "X-One": "1", "X-Two": "3" } } }],
    ["the template's data", { email: { ...full.email, templateData: { a: 1, b: { c: [2, 1] } } } }],
    ["a new field within", { email: { ...full.email, tags: ["x"] } }],
    ["the time", { scheduledAt: "2026-11-20T09:30:00.001Z" }],
    ["the external id", { externalId: "e2" }],
    ["the reference", { referenceId: "r2" }],
    ["the tags", { tags: [] }],
    ["the categories", { categories: ["two", "three"] }],
    ["whether it is a test", { isTest: true }]
  ])("depends on %s", (_, change) => {
    assert.notStrictEqual(requestIdentity(decode({ ...full, ...change })), requestIdentity(decode(full)))
  })

  it("depends on each text", () => {
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

describe("The identity of the content without an idempotency key", () => {
  const addressees: Addressees = {
    to: [address("ada@example.com"), address("bob@example.com")],
    cc: [address("cyd@example.com")],
    bcc: [],
    names: {}
  }
  const identity = (body: unknown = full, from = "us@example.com", recipients = addressees) =>
    emailIdentity(decode(body), from, recipients)

  it("is independent of the order and the case of recipients", () => {
    const other = { ...addressees, to: [address("BOB@example.com"), address("ada@example.com")] }
    assert.strictEqual(identity(full, "us@example.com", other), identity())
  })

  it("depends on the recipients' names, if given", () => {
    const named = (names: Addressees["names"]) => identity(full, "us@example.com", { ...addressees, names })
    assert.notStrictEqual(named({ [address("ada@example.com")]: "Ada" }), identity())
    assert.strictEqual(named({ [address("ADA@example.com")]: "Ada" }), named({ [address("ada@example.com")]: "Ada" }))
  })

  it("is unchanged from earlier releases for a request without names", () => {
    assert.strictEqual(
      identity(plain),
      '{"bcc":[],"cc":["cyd@example.com"],"channel":"email",' +
        '"content":{"html":"<p>Hello</p>","subject":"Hello"},"from":"us@example.com",' +
        '"to":["ada@example.com","bob@example.com"]}'
    )
  })

  it("is independent of the key, references and labels", () => {
    const { categories: _c, externalId: _e, idempotencyKey: _k, referenceId: _r, tags: _t, ...rest } = full
    assert.strictEqual(identity(rest), identity())
  })

  it("depends on the role of each recipient", () => {
    const moved = { ...addressees, cc: [], bcc: addressees.cc }
    assert.notStrictEqual(identity(full, "us@example.com", moved), identity())
  })

  it("depends on sender, content and time", () => {
    assert.notStrictEqual(identity(full, "them@example.com"), identity())
    assert.notStrictEqual(identity({ ...full, email: { ...full.email, subject: "Bye" } }), identity())
    assert.notStrictEqual(identity({ ...full, scheduledAt: undefined }), identity())
  })
})
