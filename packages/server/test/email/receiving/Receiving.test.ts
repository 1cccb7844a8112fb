import { assert, layer } from "@effect/vitest"
import { rawClient } from "@switchboard/channels/testing/RawClient"
import { Effect } from "effect"
import { LiveService, until } from "../../LiveService.js"
import { asFirstOrganization, deliver, ReceivingService, receivingDomain } from "../ReceivingService.js"

/** Creates a domain that receives mail at one address. */
const receiving = (domain: string) => receivingDomain(domain, { addresses: ["support"] })

/** Waits for the message of a received mail. */
const received = Effect.fnUntraced(function* (subject: string) {
  const { call } = yield* LiveService
  const found = yield* until(
    Effect.map(call("GET", "/v1/messages?limit=100"), ({ body }) =>
      body.items.find(({ content }: { readonly content: { readonly subject: string } }) => content.subject === subject)
    ),
    (message) => message !== undefined
  )
  return (yield* call("GET", `/v1/email/${found.id}`)).body
})

const mailOf = (subject: string, headers: ReadonlyArray<string>, ...body: ReadonlyArray<string>) =>
  ["From: Ada <ada@example.com>", `Subject: ${subject}`, ...headers, "", ...body].join("\r\n")

layer(ReceivingService.Shared, { excludeTestServices: true })("Incoming mail", (it) => {
  it.effect("is accepted for role addresses and for subaddresses", () =>
    Effect.gen(function* () {
      const domain = "inbox.test"
      yield* receiving(domain)
      const isReceived = Effect.fnUntraced(function* (recipient: string) {
        const subject = `To ${recipient}`
        assert.match(yield* deliver("ada@example.com", recipient, mailOf(subject, [], "Hello")), /^250/, recipient)
        assert.strictEqual((yield* received(subject)).direction, "inbound")
      })
      for (const recipient of ["Postmaster@", "abuse@", "postmaster@bounce.", "support+case-7@"]) {
        yield* isReceived(`${recipient}${domain}`)
      }
      // Of the oldest receiving domain.
      yield* asFirstOrganization(isReceived("postmaster"))
      for (const recipient of [`sales@${domain}`, `sales+support@${domain}`, `abuse@bounce.elsewhere.test`, "root"]) {
        assert.match(yield* deliver("ada@example.com", recipient, mailOf("No", [])), /^5[05][01]/, recipient)
      }
    })
  )

  it.effect("can have a quoted reverse-path, and is refused with parameters that were not offered", () =>
    Effect.gen(function* () {
      const domain = "quoted.test"
      yield* receiving(domain)
      const { inboundPort } = yield* ReceivingService
      const { sendLine } = yield* rawClient(inboundPort)
      yield* sendLine("EHLO mx.example.com")
      assert.match(yield* sendLine("MAIL FROM:<ada@example.com> FOO=bar"), /^555 5\.5\.4/)
      assert.match(
        yield* deliver('"Ada L@velace"@example.com', `support@${domain}`, mailOf("Quoted", [], "Hello")),
        /^250/
      )
      assert.strictEqual((yield* received("Quoted")).from, "Ada <ada@example.com>")
    }).pipe(Effect.scoped)
  )

  it.effect("is parsed with flowed text, Latin-1 headers, and a multipart without boundary", () =>
    Effect.gen(function* () {
      const domain = "read.test"
      yield* receiving(domain)
      const to = `support@${domain}`
      const flowed = mailOf("Flowed", ["Content-Type: text/plain; format=flowed"], "> a ", "> b", "c ", "d")
      assert.match(yield* deliver("ada@example.com", to, flowed), /^250/)
      assert.strictEqual((yield* received("Flowed")).text, "> a b\nc d\n")

      assert.match(yield* deliver("ada@example.com", to, mailOf("Gr\xfc\xdfe", [], "Hello"), "latin1"), /^250/)
      yield* received("Grüße")

      const broken = mailOf("Broken", ["Content-Type: multipart/mixed"], "--b", "", "Inside", "--b--")
      assert.match(yield* deliver("ada@example.com", to, broken), /^250/)
      const { attachments, text } = yield* received("Broken")
      assert.match(text, /can't be read\. A multipart has no boundary/)
      assert.deepStrictEqual(
        attachments.map(({ contentType, filename }: Record<string, string>) => [filename, contentType]),
        [["unread.eml", "message/rfc822"]]
      )
    })
  )
})
