import { decodedLength } from "@switchboard/domain/messages/Attachment"
import { EmailSend, recipientLimit, SendRequest } from "@switchboard/domain/messages/SendRequest"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"

const decode = Schema.decodeUnknownEither(SendRequest, { onExcessProperty: "error" })
const decodeEmail = Schema.decodeUnknownEither(EmailSend)

const ada = { email: "ada@example.com" }
const email = { subject: "Hello", html: "<p>Hello</p>" }
const request = { channel: "email", to: [ada], email }
const contactId = "01890a5d-ac96-774b-bcce-b302099a8057"

const addresses = (count: number, prefix = "p") =>
  Array.from({ length: count }, (_, index) => ({ email: `${prefix}${index}@example.com` }))

const phones = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ phone: `+49151${String(index).padStart(8, "0")}` }))

const file = { filename: "a.txt", content: "aGVsbG8=" }
const mebibytes = (count: number) => "A".repeat(Math.ceil((count * 1024 * 1024 * 4) / 3 / 4) * 4)

const withFile = (change: object) => ({ ...request, email: { ...email, attachments: [{ ...file, ...change }] } })
const withHeader = (name: string, value = "x") => ({ ...request, email: { ...email, headers: { [name]: value } } })

const valid: ReadonlyArray<readonly [string, unknown]> = [
  ["an address, a subject and html", request],
  ["a contact", { ...request, to: [{ contactId }] }],
  ["a template instead of subject and html", { ...request, email: { templateId: "welcome" } }],
  ["the maximum number of recipients", { ...request, to: addresses(recipientLimit) }],
  [
    "duplicate recipients beyond the limit",
    { ...request, to: [...addresses(50), ...addresses(50)], cc: addresses(50) }
  ],
  [
    "a recipient in another case beyond the limit",
    { ...request, to: addresses(50), cc: [{ email: "P1@EXAMPLE.com" }] }
  ],
  ["a subject of 998 characters", { ...request, email: { ...email, subject: "s".repeat(998) } }],
  ["a key of 255 characters outside the basic multilingual plane", { ...request, idempotencyKey: "😀".repeat(255) }],
  ["custom headers", { ...request, email: { ...email, headers: { "X-Order": "5" } } }],
  ["a text instead of html", { ...request, email: { subject: "Hello", text: "Hello" } }],
  ["recipients' names", { ...request, to: [{ ...ada, name: "Ada" }], cc: [{ contactId, name: "é".repeat(200) }] }],
  ["a long header that can be folded", { ...request, email: { ...email, headers: { "X-Order": "x ".repeat(1_000) } } }],
  ["a long header that is encoded", { ...request, email: { ...email, headers: { "X-Order": "ü".repeat(2_000) } } }],
  ["a time", { ...request, scheduledAt: "2026-11-20T09:30:00.000Z" }],
  ["a time in another zone", { ...request, scheduledAt: "2026-11-20T09:30:00+05:30" }],
  ["20 labels", { ...request, tags: Array.from({ length: 20 }, (_, index) => `t${index}`) }],
  ["an attachment", { ...request, email: { ...email, attachments: [file] } }],
  ["an empty file", { ...request, email: { ...email, attachments: [{ ...file, content: "" }] } }],
  [
    "a media type and a Content-ID",
    { ...request, email: { ...email, attachments: [{ ...file, contentType: "text/plain", contentId: "logo@x" }] } }
  ],
  ...[
    "text/calendar; method=REQUEST; charset=UTF-8",
    "text/calendar;method=REQUEST",
    'Text/Plain ;\tcharset="utf-8" ; format=flowed',
    'application/pdf; name="a; b=\\"c\\".pdf"',
    "application/pkcs7-mime; smime-type=signed-data",
    `text/plain; x="${"a".repeat(200)}"`
  ].map((contentType): readonly [string, unknown] => [`the media type ${contentType}`, withFile({ contentType })]),
  ...["auto-generated", "Auto-Replied", "no", 'auto-notified; owner-email="me@example.com"', "x-other;a=b"].map(
    (value): readonly [string, unknown] => [`Auto-Submitted: ${value}`, withHeader("Auto-Submitted", value)]
  ),
  ...["<news.example.com>", "News of the shop <news.shop.example.com>", '"Häuser, neu" <a_b.example>'].map(
    (value): readonly [string, unknown] => [`List-ID: ${value}`, withHeader("List-ID", value)]
  ),
  ...["<question@example.com>", "<a@example.com> <b@example.com>"].flatMap(
    (value): ReadonlyArray<[string, unknown]> => [
      [`In-Reply-To: ${value}`, withHeader("In-Reply-To", value)],
      [`references: ${value}`, withHeader("references", value)]
    ]
  ),
  ...["<https://example.com/u?id=1>", "<mailto:u@example.com?subject=u>, <https://example.com/u>"].map(
    (value): readonly [string, unknown] => [`List-Unsubscribe: ${value}`, withHeader("List-Unsubscribe", value)]
  ),
  ["List-Unsubscribe-Post", withHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")],
  ["a header with the name of a property of objects", withHeader("constructor")],
  [
    "addresses for replies with and without names",
    {
      ...request,
      email: { ...email, replyTo: ['"Support Team" <support@corp.example>', "Ada <ada@x.example>", "bob@x.example"] }
    }
  ],
  ["no tracking", { ...request, email: { ...email, trackOpens: false } }],
  ["tracking", { ...request, email: { ...email, trackOpens: true } }]
]

/** Further requests, with their errors, are in packages/api/test/http/body/FieldErrors.test.ts. */
const invalid: ReadonlyArray<readonly [string, unknown]> = [
  ["a contact id that is no UUID", { ...request, to: [{ contactId: "5" }] }],
  ["51 recipients", { ...request, to: addresses(recipientLimit + 1) }],
  [
    "51 recipients over to, cc and bcc",
    { ...request, to: addresses(17), cc: addresses(17, "c"), bcc: addresses(17, "b") }
  ],
  ["an empty text and no html", { ...request, email: { subject: "Hello", text: "" } }],
  ["a text without a subject", { ...request, email: { text: "Hello" } }],
  ["a name of two lines", { ...request, to: [{ ...ada, name: "Ada\r\nBcc: eve@example.com" }] }],
  ["an empty name", { ...request, to: [{ ...ada, name: "" }] }],
  ["a name of 201 characters", { ...request, to: [{ ...ada, name: "a".repeat(201) }] }],
  ["an empty subject", { ...request, email: { ...email, subject: "" } }],
  ["a subject of two lines", { ...request, email: { ...email, subject: "a\r\nBcc: eve@example.com" } }],
  ["a subject of 999 characters", { ...request, email: { ...email, subject: "s".repeat(999) } }],
  ["a key of 256 characters", { ...request, idempotencyKey: "k".repeat(256) }],
  ["21 labels", { ...request, tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }],
  ["an empty label", { ...request, categories: [""] }],
  [
    "the categories marketing and transactional together",
    { ...request, categories: ["marketing", "news", "transactional"] }
  ],
  ["a label of 101 characters", { ...request, email: { ...email, tags: ["t".repeat(101)] } }],
  ["a reference of 256 characters", { ...request, externalId: "x".repeat(256) }],
  ["21 addresses to reply to", { ...request, email: { ...email, replyTo: addresses(21).map((one) => one.email) } }],
  ["a time without a zone", { ...request, scheduledAt: "2026-11-20T09:30:00" }],
  ["a day without a time", { ...request, scheduledAt: "2026-11-20" }],
  ["such a header in another case", withHeader("mIME-vERSION")],
  ["a DKIM-Signature header", withHeader("DKIM-Signature")],
  ["a Resent-To header", withHeader("Resent-To")],
  ["a header name with a colon", withHeader("X-Order:")],
  ["a header name with a line break", withHeader("X-A\r\nBcc")],
  ["an empty header name", withHeader("")],
  ["a header of 2001 characters", withHeader("X-Order", "x".repeat(2_001))],
  ["a header that can't be folded", withHeader("X-Order", `a ${"x".repeat(901)}`)],
  ["a file name with a Windows path", withFile({ filename: "C:\\a.txt" })],
  ["a file name with a direction override", withFile({ filename: "a\u202etxt.exe" })],
  ["a file name with a line break", withFile({ filename: "a\r\n.txt" })],
  ["an empty file name", withFile({ filename: "" })],
  ["content in base64url", withFile({ content: "_-8=" })],
  ["content without its padding", withFile({ content: "aGVsbG8" })],
  ["a media type with a line break", withFile({ contentType: "text/plain\r\nX: y" })],
  ...[
    "text/calendar;",
    "text/calendar; method",
    "text/calendar; method=",
    "text/calendar; method=A B",
    "text/calendar; method = REQUEST",
    "text/calendar; method=REQUEST; METHOD=CANCEL",
    "text/calendar; charset=utf-8\r\n ; x=y",
    "text/calendar (RFC 5545); method=REQUEST",
    'text/plain; x="a\nb"',
    'text/plain; x="a',
    "text/plain; x=ü",
    `text/plain; x="${"a".repeat(300)}"`
  ].map((contentType): readonly [string, unknown] => [`the media type ${contentType}`, withFile({ contentType })]),
  ...["", "auto generated", "auto-generated;", "auto-generated; a", "yes, b", "(x) no", " no"].map(
    (value): readonly [string, unknown] => [`Auto-Submitted: ${value}`, withHeader("auto-submitted", value)]
  ),
  ...["news.example.com", "News", "<news>", "<a.b> <c.d>", "<a..b>", "<a b.c>", `<${"a.".repeat(130)}b>`].map(
    (value): readonly [string, unknown] => [`List-Id: ${value}`, withHeader("List-Id", value)]
  ),
  ...["", "question@example.com", "<a b@example.com>", "<a@b.example>,<c@d.example>", "<a@b.example> c"].flatMap(
    (value): ReadonlyArray<[string, unknown]> => [
      [`In-Reply-To: ${value}`, withHeader("In-Reply-To", value)],
      [`References: ${value}`, withHeader("References", value)]
    ]
  ),
  [
    "In-Reply-To twice",
    { ...request, email: { ...email, headers: { "In-Reply-To": "<a@b.example>", "in-reply-to": "<c@d.example>" } } }
  ],
  ...["", "https://example.com", "<javascript:alert(1)>", "<https://example.com/a b>", "<https://a.example> x"].map(
    (value): readonly [string, unknown] => [`List-Unsubscribe: ${value}`, withHeader("List-Unsubscribe", value)]
  ),
  ["another List-Unsubscribe-Post", withHeader("List-Unsubscribe-Post", "yes")],
  [
    "List-Unsubscribe of marketing mail",
    { ...withHeader("list-unsubscribe", "<https://example.com>"), categories: ["news", "marketing"] }
  ],
  ["a List-Id-Post header", withHeader("List-Id-Post")],
  ["a name without an address for replies", { ...request, email: { ...email, replyTo: ["Support"] } }],
  ["two addresses for replies in one text", { ...request, email: { ...email, replyTo: ["a@x.example, b@x.example"] } }],
  ["a Content-ID in angle brackets", withFile({ contentId: "<logo>" })],
  ["21 files", { ...request, email: { ...email, attachments: Array.from({ length: 21 }, () => file) } }],
  [
    "attachments of more than 25 MiB in total",
    {
      ...request,
      email: {
        ...email,
        attachments: [
          { ...file, content: mebibytes(13) },
          { ...file, content: mebibytes(13) }
        ]
      }
    }
  ]
]

describe("A request to send", () => {
  it.each(valid)("accepts %s", (_, body) => {
    assert.isTrue(Either.isRight(decode(body)))
  })

  it.each(invalid)("rejects %s", (_, body) => {
    assert.isTrue(Either.isLeft(decode(body)))
  })
})

describe("The addresses for replies of a request", () => {
  it.each([
    ["bob@x.example", "bob@x.example"],
    ["<bob@x.example>", "bob@x.example"],
    ["bob@Bücher.example", "bob@xn--bcher-kva.example"],
    ['"Support, Team" <support@Corp.example>', "Support, Team <support@corp.example>"],
    ["  Ada  <ada@x.example>", "Ada <ada@x.example>"]
  ])("are read from %s", (given, expected) => {
    const decoded = Either.getOrThrow(decodeEmail({ ...request, email: { ...email, replyTo: [given] } }))
    assert.deepStrictEqual(decoded.email.replyTo, [expected])
    const again = Either.getOrThrow(decodeEmail({ ...request, email: { ...email, replyTo: [expected] } }))
    assert.deepStrictEqual(again.email.replyTo, [expected])
  })
})

describe("The decoded length of base64", () => {
  it("is the number of octets", () => {
    for (let length = 0; length < 70; length++) {
      assert.strictEqual(decodedLength(Buffer.alloc(length, 7).toString("base64")), length)
    }
  })
})

const sms = { channel: "sms", to: [{ phone: "+4915123456789" }], sms: { text: "Hello" } }

describe("A text message", () => {
  it.each([
    ["a phone and a text", sms],
    ["a contact", { ...sms, to: [{ contactId }] }],
    ["a template with data", { ...sms, sms: { templateId: "reminder", templateData: { name: "Ada" } } }],
    ["a sender id", { ...sms, sms: { text: "Hello", from: "Bookshop" } }],
    ["the maximum number of phones", { ...sms, to: phones(recipientLimit) }]
  ])("is accepted with %s", (_, body) => {
    assert.isTrue(Either.isRight(decode(body)))
  })

  it.each([
    ["a phone without a plus sign", { ...sms, to: [{ phone: "4915123456789" }] }],
    ["a phone and a contact", { ...sms, to: [{ phone: "+4915123456789", contactId }] }],
    ["an address", { ...sms, to: [ada] }],
    ["too many phones", { ...sms, to: phones(recipientLimit + 1) }],
    ["copies", { ...sms, cc: [] }],
    ["an e-mail", { ...sms, email }],
    ["a text and a template", { ...sms, sms: { text: "Hello", templateId: "reminder" } }],
    ["data without a template", { ...sms, sms: { text: "Hello", templateData: {} } }],
    ["neither text nor template", { ...sms, sms: {} }],
    ["a sender id of twelve characters", { ...sms, sms: { text: "Hello", from: "TheBookshop1" } }]
  ])("is rejected with %s", (_, body) => {
    assert.isTrue(Either.isLeft(decode(body)))
  })
})
