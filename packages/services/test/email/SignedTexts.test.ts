import { assert, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  parseUnsubscribeAddress,
  parseUnsubscribeToken,
  unsubscribeAddress,
  unsubscribeToken
} from "@switchboard/services/email/send/Unsubscribes"
import {
  clickToken,
  openToken,
  parseClickToken,
  parseOpenToken
} from "@switchboard/services/email/tracking/TrackingLinks"
import {
  formatFeedbackId,
  parseFeedbackId,
  replyAddress,
  returnPath
} from "@switchboard/services/messages/delivery/SignedReferences"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { Effect, Layer, Option, Redacted } from "effect"

const Live = Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))))
const messageId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
const organizationId = OrganizationId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c")
const other = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5d"
const [ada, bob] = ["Ada@example.com", "bob@example.com"]
const subject = { messageId, organizationId }
const zeros = "0".repeat(20)

type Sign = Signatures["Type"]

/** A signed text names its subject, also in capitals if it is an address, and a forged one names none. */
const signed = <A>(
  name: string,
  expected: A,
  {
    forged,
    isAddress = false,
    make,
    parse
  }: {
    readonly make: (signatures: Sign) => string
    readonly parse: (signatures: Sign, text: string) => Option.Option<A>
    readonly isAddress?: boolean
    readonly forged: (text: string, signatures: Sign) => ReadonlyArray<string>
  }
) =>
  it.effect(`${name} names its subject, and a forged one is rejected`, () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const text = make(signatures)
      if (isAddress) assert.isAtMost(text.indexOf("@"), 64)
      for (const one of isAddress ? [text, text.toUpperCase()] : [text]) {
        assert.deepStrictEqual(parse(signatures, one), Option.some(expected))
      }
      for (const one of forged(text, signatures)) assert.deepStrictEqual(parse(signatures, one), Option.none(), one)
    }).pipe(Effect.provide(Live))
  )

/** A token of a URL with three signed parts. */
const token = <A>(
  name: string,
  expected: A,
  third: string,
  otherPurpose: "unsubscribe" | "feedback-id",
  make: (signatures: Sign, subject: A) => string,
  parse: (signatures: Sign, text: string) => Option.Option<A>
) =>
  signed(name, expected, {
    make: (signatures) => make(signatures, expected),
    parse,
    forged: (text, { sign }) => {
      assert.strictEqual(encodeURIComponent(text), text)
      const parts = text.split(".")
      return [
        "",
        "a.b.c.d",
        text.toUpperCase(),
        `${text}.x`,
        text.slice(0, -1),
        text.replace(organizationId, other),
        text.replace(messageId, other),
        [...parts.slice(0, 2), third, parts[3]].join("."),
        [...parts.slice(0, 3), sign(otherPurpose, parts.slice(0, 3).join("."))].join(".")
      ]
    }
  })

token("The link of a tracking image", { ...subject, place: 12 }, "11", "unsubscribe", openToken, parseOpenToken)

signed(
  "A tracked link",
  { ...subject, place: 12, url: "https://example.com/a?b=c&d=e#f" },
  {
    make: (signatures) => clickToken(signatures, { ...subject, place: 12, url: "https://example.com/a?b=c&d=e#f" }),
    parse: parseClickToken,
    forged: (text, { sign }) => {
      const parts = text.split(".")
      const unsigned = parts.slice(0, 4).join(".")
      const altered = [...text].map((character, at) =>
        [text.slice(0, at), character === "0" ? "1" : "0", text.slice(at + 1)].join("")
      )
      return [
        "",
        unsigned,
        `${text}=`,
        ...altered,
        `${unsigned}.${sign("open", unsigned)}`,
        [...parts.slice(0, 3), Buffer.from("https://evil.test/").toString("base64url"), parts[4]].join("."),
        openToken({ sign, verify: () => true }, { ...subject, place: 12 })
      ]
    }
  }
)

token(
  "An unsubscribe link",
  { ...subject, recipient: "A.b+c=d/e{f}@example.org" },
  Buffer.from("bo@example.org").toString("base64url"),
  "feedback-id",
  unsubscribeToken,
  parseUnsubscribeToken
)

for (const { kind, name, otherKind, prefix, subdomain } of [
  { name: "A reply address", kind: replyAddress, otherKind: returnPath, prefix: "r", subdomain: "" },
  { name: "A return path", kind: returnPath, otherKind: replyAddress, prefix: "b", subdomain: "bounce." }
]) {
  const message = { messageId, domain: "mail.example.com" }
  signed(name, message, {
    make: (signatures) => kind.make(signatures, message),
    parse: kind.parse,
    isAddress: true,
    forged: (address, signatures) => {
      const [local = "", host = ""] = address.split("@")
      assert.strictEqual(host, `${subdomain}mail.example.com`)
      const signature = local.slice(-20)
      const [otherLocal = ""] = otherKind.make(signatures, message).split("@")
      return [
        address.replace(messageId, other),
        ...[`.${zeros}`, ".", "", `.${signature.slice(0, 19)}`, `.${signature}0`, `.${otherLocal.slice(-20)}`].map(
          (end) => `${prefix}+${messageId}${end}@${host}`
        ),
        `${otherLocal.slice(0, 1)}+${messageId}.${signature}@${host}`,
        `${local}@${subdomain}`,
        `${local}@${host}@elsewhere.test`,
        ...(subdomain === "" ? [] : [`${local}@mail.example.com`, `${local}@bouncexmail.example.com`]),
        `"${local}"@${host}`,
        `x${address}`,
        local,
        ""
      ]
    }
  })
}

signed("An unsubscribe address", [messageId, false], {
  make: (signatures) => unsubscribeAddress(signatures, messageId, ada, "mail.example.com"),
  parse: (signatures, text) =>
    parseUnsubscribeAddress(signatures, text).pipe(
      Option.filter(({ isFor }) => isFor(ada)),
      Option.map(({ isFor, messageId }) => [messageId, isFor(bob)])
    ),
  isAddress: true,
  forged: (address, { sign }) => [
    address.replace(messageId, other),
    address.replace("u+", "b+"),
    address.replace("bounce.", ""),
    ...[sign("return-path", messageId), sign("return-path", `${messageId}.${ada}`), zeros].map(
      (signature) => `u+${messageId}.${signature}@bounce.mail.example.com`
    ),
    `x${address}`,
    ""
  ]
})

signed("A Feedback-ID", subject, {
  make: (signatures) => formatFeedbackId(signatures, subject, ["news"]),
  parse: parseFeedbackId,
  forged: (header) => [
    header.replace(messageId, organizationId),
    header.replace(organizationId, messageId),
    header.replace(/\.[0-9a-f]{20}/, `.${zeros}`),
    header.replace(/\.[0-9a-f]{20}/, ""),
    header.replace("switchboard", "elsewhere"),
    `${messageId}:${organizationId}:${zeros}:switchboard`,
    `more:${header}`,
    "",
    ":::"
  ]
})

it.effect("A Feedback-ID has four fields, with category and organization first", () =>
  Effect.gen(function* () {
    const signatures = yield* Signatures
    for (const [categories, name] of [
      [["marketing", "spring"], "marketing"],
      [["News: März, 2026"], "News--M-rz--2026"],
      [["x".repeat(100)], "x".repeat(32)],
      [[], "uncategorized"]
    ] as const) {
      const header = formatFeedbackId(signatures, subject, categories)
      const [category, organization, , senderId, ...rest] = header.split(":")
      assert.deepStrictEqual([category, organization, senderId, rest], [name, organizationId, "switchboard", []])
      assert.deepStrictEqual(parseFeedbackId(signatures, ` ${header}\r\n`), Option.some(subject))
    }
  }).pipe(Effect.provide(Live))
)
