import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { mimeMessage } from "@switchboard/channels/messages/MimeMessage"
import type { OutgoingMail } from "@switchboard/services/messages/delivery/MailTransport"
import { Effect, FastCheck as fc } from "effect"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"
import { type AddressObject, simpleParser } from "mailparser"
import PostalMime, { decodeWords } from "postal-mime"
import { outgoing } from "../Fixtures.js"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const dkim = { domain: "example.com", selector: "sm1", privateKey }
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`

const serialize = (changes: Partial<OutgoingMail>) => Effect.runPromise(mimeMessage(outgoing(changes)))

const linesOf = (octets: Buffer) => octets.toString("latin1").split("\r\n")

/** The file names decoded per RFC 2231 only: the library also decodes text that looks like an encoded word. */
const filenames = (octets: Buffer) =>
  octets
    .toString("latin1")
    .replaceAll(/\r\n(?=[ \t])/g, "")
    .split("\r\n")
    .filter((found) => /^Content-Disposition: /.test(found))
    .map((found) =>
      [...found.matchAll(/; filename(?:\*\d+)?(\*?)=(?:utf-8'')?(?:"([^"]*)"|([^;]*))/g)]
        .map(([, encoded, quoted, token]) => (encoded === "*" ? decodeURIComponent(token ?? "") : (quoted ?? token)))
        .join("")
    )

const literal = "=?UTF-8?Q?x?="

describe("mimeMessage", () => {
  it("folds every subject to lines of at most 78 characters", async () => {
    for (const subject of ["a".repeat(998), "ü".repeat(998), `${"a ".repeat(499)}`, "🎉".repeat(200), " ", "a"]) {
      const octets = await serialize({ subject })
      assert.isTrue(linesOf(octets).every(({ length }) => length <= 78))
      assert.strictEqual((await PostalMime.parse(octets)).subject, subject)
    }
  })

  it("preserves text that looks like an encoded word in subject, names, file names and header fields", async () => {
    for (const text of [literal, `a ${literal} b`, `"${literal}"`, "=?x", "?=", "=?UTF-8?B?eA==?="]) {
      const octets = await serialize({
        subject: text,
        from: { name: text, address: "shop@example.com" },
        headers: { "X-Note": text },
        attachments: [{ filename: text, contentType: "text/plain", contentId: null, content: Buffer.from("a") }]
      })
      // Spam filters penalize ASCII in base64 (SpamAssassin's rule FROM_EXCESS_BASE64).
      assert.notMatch(octets.toString("latin1"), /=\?UTF-8\?B\?/)
      const parsed = await PostalMime.parse(octets)
      assert.strictEqual(parsed.subject, text)
      assert.strictEqual(parsed.from?.name, text)
      assert.deepStrictEqual(filenames(octets), [text])
      assert.strictEqual(decodeWords(parsed.headers.find(({ key }) => key === "x-note")?.value ?? ""), text)
    }
  })
})

const unit = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.constantFrom(0x20, 0x3d, 0x3f, 0x22, 0x5c, 0x25, 0x27, 0x2e) },
  { weight: 1, arbitrary: fc.integer({ min: 0xa0, max: 0xd7ff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0x1f300, max: 0x1f6ff }) }
)
const line = (maxLength: number, without = /(?!)/) =>
  fc
    .oneof(
      fc.array(unit, { minLength: 1, maxLength }).map((units) => String.fromCodePoint(...units)),
      fc
        .array(fc.constantFrom("Hello", literal, "a".repeat(90), "ä", "  ", '"x"'), { minLength: 1, maxLength: 9 })
        .map((words) => words.join(" "))
    )
    .map((text) =>
      [...text]
        .filter((character) => !without.test(character))
        .slice(0, maxLength)
        .join("")
    )
const body = fc
  .array(
    fc.oneof(
      line(300),
      fc.constantFrom("", ".", "..", "From me", "F ", "Fr=", "  ", "a \t", "\tb  c", "x".repeat(2000), "--=_")
    ),
    { maxLength: 20 }
  )
  .chain((lines) => fc.constantFrom("\n", "\r\n", "\r").map((end) => lines.join(end)))

const mail = fc.record({
  subject: line(200),
  from: line(100, /[<>]/),
  to: line(200),
  text: body,
  html: body,
  headers: fc.dictionary(fc.stringMatching(/^X-[A-Za-z0-9-]{1,70}$/), line(300), { maxKeys: 4 }),
  attachments: fc.array(
    fc.record({
      filename: line(255, /[/\\]/),
      contentType: fc.constantFrom("application/pdf", "text/plain", "image/png"),
      contentId: fc.option(fc.stringMatching(/^[A-Za-z0-9][\w.+@-]{0,40}$/)),
      content: fc.uint8Array({ maxLength: 500 })
    }),
    { maxLength: 4 }
  )
})

const mailboxesOf = (field: AddressObject | Array<AddressObject> | undefined) =>
  [field ?? []].flat().flatMap(({ value }) => value.map(({ address, name }) => [name, address]))

describe("mimeMessage with random mails", () => {
  it("is parsed by independent libraries without a difference", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(mail, async ({ attachments, from, headers, html, subject, text, to }) => {
        const names = Object.keys(headers).map((name) => name.toLowerCase())
        fc.pre(new Set(names).size === names.length)
        const octets = await serialize({
          attachments,
          dkim,
          from: { name: from, address: "shop@example.com" },
          to: ["ada@example.org", "bob@example.org"],
          names: { "bob@example.org": to },
          headers,
          html,
          subject,
          text
        })
        assert.isTrue(linesOf(octets).every(({ length }) => length <= 998))
        assert.notMatch(octets.toString("latin1"), /[^\r\n\t -~]|\r(?!\n)|(?<!\r)\n/)
        const parsed = await PostalMime.parse(octets)
        assert.strictEqual(parsed.subject, subject)
        assert.strictEqual(parsed.from?.name ?? "", from.trim() === "" ? "" : from)
        assert.deepStrictEqual(parsed.to, [
          { name: "", address: "ada@example.org" },
          { name: to.trim() === "" ? "" : to, address: "bob@example.org" }
        ])
        assert.deepStrictEqual(
          parsed.headers.flatMap(({ key, value }) => (key.startsWith("x-") ? [[key, decodeWords(value)]] : [])),
          Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
        )
        const isOnePart = attachments.length === 0 && (text === "" || html === "")
        assert.deepStrictEqual(
          parsed.headers.map(({ key }) => key),
          [
            ...["dkim-signature", "from", "to", "subject", "message-id", "date", ...names, "mime-version"],
            ...["content-type", ...(isOnePart ? ["content-transfer-encoding"] : [])]
          ]
        )
        const normalized = (words: string | undefined) => (words ?? "").replaceAll(/\r\n?/g, "\n").replace(/\n+$/, "")
        assert.strictEqual(normalized(parsed.text), normalized(text))
        assert.strictEqual(normalized(parsed.html), normalized(html))
        const shown = attachments.filter(
          ({ contentId, contentType }) => html !== "" && contentId !== null && contentType !== "text/plain"
        )
        const files = [...shown, ...attachments.filter((one) => !shown.includes(one))]
        assert.deepStrictEqual(
          filenames(octets),
          files.map(({ filename }) => filename)
        )
        assert.sameDeepMembers(
          parsed.attachments.map(({ content, contentId, mimeType }) => [
            mimeType,
            contentId,
            content instanceof ArrayBuffer ? Buffer.from(content).toString("hex") : content
          ]),
          files.map(({ content, contentId, contentType }) => [
            contentType,
            contentId === null ? undefined : `<${contentId}>`,
            Buffer.from(content).toString("hex")
          ])
        )
        const second = await simpleParser(octets, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true })
        assert.strictEqual(second.subject, subject)
        assert.deepStrictEqual([second.from, second.to].flatMap(mailboxesOf), [
          [from.trim() === "" ? "" : from, "shop@example.com"],
          ["", "ada@example.org"],
          [to.trim() === "" ? "" : to, "bob@example.org"]
        ])
        assert.strictEqual(normalized(second.text), normalized(text))
        assert.strictEqual(normalized(second.html || ""), normalized(html))
        assert.sameDeepMembers(
          second.attachments.map(({ cid, content, contentType }) => [contentType, cid, content.toString("hex")]),
          files.map(({ content, contentId, contentType }) => [
            contentType,
            contentId ?? undefined,
            Buffer.from(content).toString("hex")
          ])
        )
        const { results } = await dkimVerify(octets, {
          resolver: () => Promise.resolve([[record.slice(0, 200), record.slice(200)]])
        })
        assert.deepStrictEqual(
          results.map(({ status }) => status.result),
          ["pass"]
        )
      }),
      { numRuns: 150, seed: 20261122 }
    )
  })
})
