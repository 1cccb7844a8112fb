import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { deliver, ReceivingService, receivingDomain } from "../email/ReceivingService.js"
import { accepted, LiveService, until } from "../LiveService.js"

/** Content that a browser would run if it could sniff, trust or display it. */
const page = "<!doctype html><script>alert(document.domain)</script>"
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`

/** File names, declared types and contents. */
const hostile = [
  { filename: "photo.png", contentType: "image/png", body: page },
  { filename: "page.html", contentType: "text/html", body: page },
  { filename: "drawing.svg", contentType: "image/svg+xml", body: drawing },
  { filename: "manual.pdf", contentType: "application/pdf", body: page },
  { filename: 'a"; é.html', contentType: "application/xhtml+xml", body: page }
]

const base64 = (text: string) => Buffer.from(text).toString("base64")

const partOf = ({ contentType, filename, body }: (typeof hostile)[number]) =>
  [
    "--b",
    `Content-Type: ${contentType}; charset=utf-8`,
    `Content-Disposition: attachment; filename="${filename.replaceAll(/[^\w.]/g, "_")}"`,
    "Content-Transfer-Encoding: base64",
    "",
    base64(body)
  ].join("\n")

const mailWithAll = `From: Eve <eve@example.com>
To: help@downloads.test
Subject: Files
Message-ID: <files@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html

<p>See above</p>
${hostile.map(partOf).join("\n")}
--b--
`

/** Downloads every attachment of a message by GET and HEAD, and compares the headers. */
const comesAsFiles = Effect.fnUntraced(function* (id: string) {
  const { baseUrl, call } = yield* LiveService
  const { body } = yield* call("GET", `/v1/email/${id}`)
  assert.strictEqual(body.attachments.length, hostile.length)
  const links: ReadonlyArray<{ readonly url: string }> = body.attachments
  const pieces = yield* Effect.forEach(links, ({ url }) =>
    Effect.promise(async () => {
      const address = baseUrl + new URL(url).pathname
      // The Accept header of a browser that loads an image.
      const headers = { Accept: "image/avif,image/webp,image/*,*/*", Range: "bytes=0-" }
      const responses = [await fetch(address, { headers }), await fetch(address, { method: "HEAD" })]
      for (const { headers, status } of responses) {
        const policy = headers.get("content-security-policy") ?? ""
        assert.deepStrictEqual(
          [status, headers.get("content-type"), headers.get("x-content-type-options")],
          [200, "application/octet-stream", "nosniff"]
        )
        assert.match(
          headers.get("content-disposition") ?? "",
          /^attachment; filename="[^"\r\n]*"(?:; filename\*=UTF-8''\S+)?$/
        )
        assert.match(policy, /^default-src 'none';/)
        assert.strictEqual(headers.get("cross-origin-resource-policy"), "same-origin")
      }
      return responses[0]?.text() ?? ""
    })
  )
  assert.sameMembers(
    pieces,
    hostile.map(({ body }) => body)
  )
})

layer(ReceivingService.Shared, { excludeTestServices: true })("An attachment", (it) => {
  it.effect("of a sent or received message is downloaded as a file for any declared type", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sent = yield* accepted(
        {},
        { attachments: hostile.map(({ body, ...rest }) => ({ ...rest, content: base64(body) })) }
      )
      yield* comesAsFiles(sent.id)

      yield* receivingDomain("downloads.test", { addresses: ["help"] })
      assert.match(yield* deliver("eve@example.com", "help@downloads.test", mailWithAll), /^250/)
      const { body } = yield* until(
        call("GET", "/v1/messages?limit=1"),
        ({ body }) => body.items[0]?.direction === "inbound"
      )
      yield* comesAsFiles(body.items[0].id)
    })
  )
})
