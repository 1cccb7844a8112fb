import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, send, until } from "../../LiveService.js"

/** The base of links without PUBLIC_URL and with PORT=0. */
const publicUrl = "http://127.0.0.1:0"

const senders = "/v1/email/senders"

/** Opens a link like a browser. */
const open = (method: string, path: string) =>
  Effect.flatMap(LiveService, ({ baseUrl }) =>
    Effect.promise(async () => {
      const response = await fetch(`${baseUrl}${path}`, { method })
      return { status: response.status, text: await response.text() }
    })
  )

layer(LiveService.Shared, { excludeTestServices: true })("A sender", (it) => {
  it.effect("at an unverified domain can send after its owner has confirmed the address", () =>
    Effect.gen(function* () {
      const { call, mails, sender } = yield* LiveService
      const email = "orders@pending.test"
      const { body: domain } = yield* call("POST", "/v1/email/domains", { domain: "pending.test" })
      const { body: made, status } = yield* call("POST", senders, { email, name: "Orders" })
      assert.strictEqual(status, 201, JSON.stringify(made))
      assert.deepInclude(made, { verificationStatus: "pending", domainId: domain.id })
      const letter = () => call("POST", "/v1/messages", send({}, { from: `Orders <${email}>` }))
      assert.strictEqual((yield* letter()).status, 422)

      const confirmation = yield* until(
        Effect.sync(() => mails.find(({ rcptTo }) => rcptTo.includes(email))),
        (mail) => mail !== undefined
      )
      const link = /http:\/\/127\.0\.0\.1:0(\/v1\/email\/senders\/confirm\?token=([\w.-]+))\n/
      const [, path = "", token = ""] = link.exec(confirmation?.parsed.text ?? "") ?? []
      assert.notStrictEqual(path, "", confirmation?.parsed.text)
      assert.include(confirmation?.parsed.html ?? "", `href="${publicUrl}${path}"`)
      assert.strictEqual(confirmation?.parsed.from?.address, sender)
      const headers = new Map(confirmation?.parsed.headers.map(({ key, value }) => [key, value]))
      assert.strictEqual(headers.get("auto-submitted"), "auto-generated")
      assert.isFalse(headers.has("x-switchboard-confirmation"))

      // The organization's copy of the message has no valid confirmation link.
      const { body: messages } = yield* call("GET", "/v1/messages")
      assert.notInclude(JSON.stringify(messages), token)
      assert.isTrue(messages.items[0].isAutomated)
      const seen = /token=([\w.-]+)/.exec(messages.items[0].content.text)?.[1] ?? ""
      assert.strictEqual((yield* open("POST", path.replace(token, seen))).status, 404)

      assert.strictEqual((yield* open("GET", path)).status, 200)
      const standing = Effect.map(call("GET", `${senders}/${made.id}/verification`), ({ body }) => body)
      assert.deepStrictEqual(yield* standing, { id: made.id, verificationStatus: "pending" })
      assert.strictEqual((yield* call("POST", "/v1/email/senders", { email, name: "Orders" })).status, 409)

      assert.strictEqual((yield* open("POST", path)).status, 200)
      assert.strictEqual((yield* open("POST", path)).status, 410)
      assert.strictEqual((yield* standing).verificationStatus, "verified")
      const sent = yield* letter()
      assert.strictEqual(sent.status, 201, JSON.stringify(sent.body))
      const arrived = yield* until(
        Effect.sync(() => mails.find(({ parsed }) => parsed.subject === sent.body.content.subject)),
        (mail) => mail !== undefined
      )
      assert.deepInclude(arrived?.parsed.from, { name: "Orders", address: email })

      // A domain with a sender is in use.
      const removal = () => call("DELETE", `/v1/email/domains/${domain.id}`)
      assert.strictEqual((yield* removal()).status, 409)
      assert.strictEqual((yield* letter()).status, 201)
      assert.strictEqual((yield* call("DELETE", `${senders}/${made.id}`)).status, 200)
      assert.strictEqual((yield* letter()).status, 422)
      assert.strictEqual((yield* removal()).status, 200)
    })
  )
})
