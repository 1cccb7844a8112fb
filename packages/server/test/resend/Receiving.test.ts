import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { deliver, ReceivingService, receivingDomain } from "../email/ReceivingService.js"
import { LiveService, until } from "../LiveService.js"
import { dataOf, errorOf, resendSdk } from "./ResendSdk.js"

const mail = (domain: string) => `From: Ada Lovelace <ada@example.com>
To: support@${domain}
Cc: bob@example.com
Subject: A question
Message-ID: <question@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Hello
--b
Content-Type: text/plain; name=a.txt
Content-Disposition: attachment; filename=a.txt

file
--b--`

layer(ReceivingService.Shared, { excludeTestServices: true })("The Resend SDK, received e-mails", (it) => {
  it.effect("lists and retrieves a received e-mail with its file", () =>
    Effect.gen(function* () {
      const { baseUrl, key, sender } = yield* LiveService
      const domain = "resend-receiving.test"
      yield* receivingDomain(domain, { addresses: ["support"] })
      assert.match(yield* deliver("ada@example.com", `support@${domain}`, mail(domain)), /^250/)
      const resend = yield* resendSdk
      const list = dataOf(() => resend.emails.receiving.list())
      const { data, has_more } = yield* until(list, (page) => page.data.length > 0)
      assert.isFalse(has_more)
      const [listed = assert.fail("no e-mail")] = data
      const { attachments, created_at, id, ...rest } = listed
      assert.match(created_at, /^\d{4}-.*Z$/)
      assert.deepStrictEqual(rest, {
        message_id: "<question@example.com>",
        from: "Ada Lovelace <ada@example.com>",
        to: [`support@${domain}`],
        cc: ["bob@example.com"],
        bcc: null,
        reply_to: null,
        received_for: [`support@${domain}`],
        subject: "A question"
      })
      const [file = assert.fail("no file")] = attachments
      assert.deepInclude(file, { filename: "a.txt", content_type: "text/plain", content_disposition: "attachment" })
      const { headers, text, ...received } = yield* dataOf(() => resend.emails.receiving.get(id))
      assert.deepStrictEqual(received, { ...listed, object: "email", html: null, raw: null })
      assert.strictEqual(text?.trim(), "Hello")
      assert.include(Object.values(headers ?? {}), "A question")
      const { download_url } = yield* dataOf(() =>
        resend.emails.receiving.attachments.get({ emailId: id, id: file.id })
      )
      const link = new URL(new URL(download_url).pathname, baseUrl)
      assert.include(yield* Effect.promise(() => fetch(link).then((response) => response.text())), "file")
      assert.deepInclude(yield* errorOf(() => resend.emails.get(id)), { statusCode: 404, name: "not_found" })
      // As Resend documents a reply, and with a link to unsubscribe of its own.
      const reply = yield* dataOf(() =>
        resend.emails.send({
          from: sender,
          to: listed.from,
          subject: `Re: ${listed.subject}`,
          text: "Hello Ada",
          headers: { "In-Reply-To": listed.message_id, "List-Unsubscribe": "<https://example.com/unsubscribe>" }
        })
      )
      const read = (path: string) =>
        Effect.promise(() => fetch(`${baseUrl}${path}`, { headers: { "x-api-key": key } }).then((one) => one.text()))
      assert.deepInclude(JSON.parse(yield* read(`/v1/messages/${reply.id}`)), { parentMessageId: id })
      const raw = yield* read(`/v1/email/${reply.id}/raw`)
      assert.match(raw, /^In-Reply-To: <question@example\.com>\r$/m)
      assert.match(raw, /^References: <question@example\.com>\r$/m)
      assert.match(raw, /^List-Unsubscribe: <https:\/\/example\.com\/unsubscribe>\r$/m)
    })
  )
})
