import { randomBytes } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import {
  callbackBody,
  cloudAccount,
  cloudServer,
  postCallback,
  respondError,
  signatureOf
} from "@switchboard/channels/testing/whatsapp/CloudServer"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Context, Effect, Layer } from "effect"
import { LiveService, messageOf, settled, until } from "../LiveService.js"
import { runCommand } from "../TestCommand.js"

class Cloud extends Context.Tag("test/Cloud")<Cloud, Effect.Effect.Success<typeof cloudServer>>() {}

const ownNumber = "+4930123456"

/** A number of no organization. */
const unownedNumber = "+4930999999"

/** The service with an account of the Cloud API, and a number. */
const Live = Layer.unwrapScoped(
  Effect.gen(function* () {
    const server = yield* cloudServer
    const settings = {
      ...server.settings,
      PORT: String(yield* freePort),
      RETRY_SCHEDULE: "100 millis, 100 millis, 100 millis"
    }
    const withNumber = Effect.flatMap(LiveService, ({ environment }) =>
      runCommand(["numbers", "add", ownNumber, "--organization", "default", "--channels", "whatsapp"], environment)
    )
    return Layer.merge(
      Layer.succeed(Cloud, server),
      Layer.provideMerge(Layer.effectDiscard(withNumber), LiveService.layer(settings))
    )
  })
)

const call = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(LiveService, (service) => service.call(method, path, body))

let phones = 0

/** A phone that no other test uses. */
const newPhone = () => {
  phones += 1
  return `+491512345${String(phones).padStart(4, "0")}`
}

const template = { template: { name: "order_shipped", language: "en_US" } }

const send = (phone: string, whatsapp: object = template) =>
  Effect.map(
    call("POST", "/v1/messages", { channel: "whatsapp", to: [{ phone }], whatsapp }),
    ({ body, status }): string => {
      assert.strictEqual(status, 201, JSON.stringify(body))
      return body.id
    }
  )

/** Posts a callback to the service; returns the status of the response. */
const post = (value: object, to = ownNumber) =>
  Effect.flatMap(LiveService, ({ baseUrl }) =>
    postCallback(`${baseUrl}/v1/providers/whatsapp`, callbackBody(to, value))
  )

const report = (id: string, status: string, others: object = {}) =>
  post({ statuses: [{ id, status, timestamp: String(Math.floor(Date.now() / 1_000)), ...others }] })

const inbound = (phone: string, id: string, message: object) => ({
  contacts: [{ profile: { name: "Ada" }, wa_id: phone.slice(1) }],
  messages: [{ from: phone.slice(1), id, timestamp: String(Math.floor(Date.now() / 1_000)), ...message }]
})

interface ReceivedMessage {
  readonly providerMessageId: string
}

/** The received messages with an id of WhatsApp. */
const receivedAs = (id: string) =>
  Effect.map(call("GET", "/v1/messages?channel=whatsapp&limit=100"), ({ body }) =>
    body.items.filter(({ providerMessageId }: ReceivedMessage) => providerMessageId === id)
  )

/** Receives a message; returns it as it was stored. */
const receive = Effect.fnUntraced(function* (phone: string, id: string, message: object) {
  assert.strictEqual(yield* post(inbound(phone, id, message)), 200)
  const [stored] = yield* until(receivedAs(id), ({ length }) => length > 0)
  return stored
})

layer(Live, { excludeTestServices: true })("A WhatsApp message over the Cloud API", (it) => {
  it.effect("is sent as Meta documents it, and follows its callbacks; repeats and late ones change nothing", () =>
    Effect.gen(function* () {
      const { messages, received, uploads } = yield* Cloud
      const phone = newPhone()
      const id = yield* send(phone)
      const { providerMessageId } = yield* settled(id, "sent")
      assert.deepStrictEqual(messages.find((one) => one.id === providerMessageId)?.body, {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: phone.slice(1),
        type: "template",
        template: { name: "order_shipped", language: { code: "en_US" } }
      })
      assert.strictEqual(received.at(-1)?.headers.authorization, `Bearer ${cloudAccount.token}`)
      for (const status of ["sent", "delivered", "delivered"]) {
        assert.strictEqual(yield* report(providerMessageId, status), 200)
      }
      yield* settled(id, "delivered")
      yield* report(providerMessageId, "read")
      const read = yield* settled(id, "read")
      for (const status of ["delivered", "failed"]) yield* report(providerMessageId, status)
      const answer = yield* receive(phone, `${id}-1`, {
        type: "text",
        text: { body: "Yes" },
        context: { id: providerMessageId }
      })
      assert.strictEqual(answer.parentMessageId, id)
      assert.deepStrictEqual((yield* messageOf(id)).statusHistory, read.statusHistory)

      const text = yield* settled(yield* send(phone, { text: { body: "Hello", previewUrl: true } }), "sent")
      assert.deepInclude(messages.find((one) => one.id === text.providerMessageId)?.body, {
        type: "text",
        text: { body: "Hello", preview_url: true }
      })
      const { body: file } = yield* call("POST", "/v1/attachments", {
        filename: "a.png",
        contentType: "image/png",
        content: "aGVsbG8="
      })
      const media = yield* settled(
        yield* send(phone, { media: { attachmentId: file.id, caption: "A picture" } }),
        "sent"
      )
      assert.match(uploads[0]?.body ?? "", /name="messaging_product"\r\n\r\nwhatsapp\r\n/)
      assert.match(uploads[0]?.body ?? "", /filename="a.png"\r\nContent-Type: image\/png\r\n\r\nhello\r\n--/)
      assert.deepInclude(messages.find((one) => one.id === media.providerMessageId)?.body, {
        type: "image",
        image: { id: "media-1", caption: "A picture" }
      })
    })
  )

  it.effect("fails with the code of the API or of the callback", () =>
    Effect.gen(function* () {
      const { next } = yield* Cloud
      next.push((response) => respondError(response, 400, 131_047, "Re-engagement message"))
      const closed = yield* settled(yield* send(newPhone()), "failed")
      assert.strictEqual(closed.errorDetails.code, "window_closed")
      const id = yield* send(newPhone())
      const { providerMessageId } = yield* settled(id, "sent")
      const errors = [{ code: 131_026, title: "Message undeliverable" }]
      yield* report(providerMessageId, "failed", { errors })
      const failed = yield* settled(id, "failed")
      assert.deepInclude(failed.errorDetails.details, { errorCode: "131026", reason: "user_unknown" })
    })
  )

  it.effect("waits while the API throttles or refuses the token, and is sent again after other errors", () =>
    Effect.gen(function* () {
      const { next } = yield* Cloud
      next.push(
        (response) => respondError(response, 429, 130_429),
        (response) => respondError(response, 401, 190)
      )
      const waited = yield* settled(yield* send(newPhone()), "sent")
      assert.deepStrictEqual([waited.retryCount, next.length], [0, 0])
      next.push(
        (response) => respondError(response, 500, 131_000),
        (response) => response.destroy()
      )
      const repeated = yield* settled(yield* send(newPhone()), "sent")
      assert.deepStrictEqual([repeated.retryCount, next.length], [2, 0])
    })
  )

  it.effect("is received in all its kinds, once, by the organization that has the number", () =>
    Effect.gen(function* () {
      const phone = newPhone()
      const { files } = yield* Cloud
      files.set("file-m1", { octets: Buffer.from("cat") })
      const kinds: ReadonlyArray<readonly [object, object]> = [
        [{ type: "button", button: { payload: "1", text: "Confirm" } }, { text: { body: "Confirm" } }],
        [
          { type: "image", image: { id: "file-m1", mime_type: "image/jpeg", sha256: "x", caption: "Cat" } },
          { media: { kind: "image", contentType: "image/jpeg", mediaId: "file-m1", caption: "Cat", size: 3 } }
        ],
        [
          { type: "location", location: { latitude: 52.5, longitude: 13.4, name: "Berlin" } },
          { location: { latitude: 52.5, longitude: 13.4, name: "Berlin" } }
        ],
        [{ type: "reaction", reaction: { message_id: "wamid.0", emoji: "👍" } }, { reaction: { emoji: "👍" } }],
        [{ type: "unsupported", errors: [{ code: 131_051 }] }, { unsupported: { type: "unsupported" } }]
      ]
      for (const [index, [message, content]] of kinds.entries()) {
        const stored = yield* receive(phone, `kind-${index}`, message)
        assert.deepStrictEqual(stored.content, { from: phone, ...content })
      }
      assert.strictEqual(yield* post(inbound(phone, "kind-0", kinds[0]?.[0] ?? {})), 200)
      assert.strictEqual(
        yield* post(inbound(phone, "unowned", { type: "text", text: { body: "x" } }), unownedNumber),
        200
      )
      yield* receive(phone, "last", { type: "text", text: { body: "x" } })
      assert.deepStrictEqual([(yield* receivedAs("kind-0")).length, (yield* receivedAs("unowned")).length], [1, 0])
    })
  )

  it.effect("has its file, which is stored once and downloaded until it is right", () =>
    Effect.gen(function* () {
      const { files } = yield* Cloud
      const { baseUrl } = yield* LiveService
      const octets = randomBytes(300_000)
      files.set("file-image", { octets, next: [(response) => response.end("another file")] })
      const image = { type: "image", image: { id: "file-image", mime_type: "image/jpeg" } }
      const phone = newPhone()
      const stored = yield* receive(phone, "image", image)
      const media = { kind: "image", contentType: "image/jpeg", mediaId: "file-image" }
      assert.deepStrictEqual(stored.content, { from: phone, media: { ...media, size: octets.byteLength } })
      assert.strictEqual(yield* post(inbound(phone, "image", image)), 200)
      const { body } = yield* call("GET", `/v1/messages/${stored.id}/attachments`)
      assert.lengthOf(body.items, 1)
      const [{ id: _, url, ...file }] = body.items
      assert.deepStrictEqual(file, { filename: "image.jpeg", contentType: "image/jpeg", size: octets.byteLength })
      const { pathname } = new URL(url)
      const downloaded = yield* Effect.promise(() => fetch(`${baseUrl}${pathname}`).then((one) => one.arrayBuffer()))
      assert.isTrue(octets.equals(Buffer.from(downloaded)))
      assert.lengthOf(yield* receivedAs("image"), 1)
      yield* call("DELETE", `/v1/messages/${stored.id}`)
      assert.isEmpty((yield* call("GET", `/v1/messages/${stored.id}/attachments`)).body.items ?? [])

      files.set("file-document", { octets })
      const document = { id: "file-document", mime_type: "application/pdf", filename: "../../a/invoice.pdf" }
      const invoice = yield* receive(phone, "document", { type: "document", document })
      const { body: list } = yield* call("GET", `/v1/messages/${invoice.id}/attachments`)
      assert.deepInclude(list.items[0], { filename: "invoice.pdf", contentType: "application/pdf" })
    })
  )

  it.effect("has the reason why its file is not stored", () =>
    Effect.gen(function* () {
      const { files } = yield* Cloud
      files.set("file-large", { octets: Buffer.from("x"), described: { file_size: 100 * 1024 * 1024 } })
      for (const [id, downloadError] of [
        ["file-large", "The file is larger than 25 MiB"],
        ["file-none", "HTTP 400 100 (#100) Object with ID 'file-none' does not exist"]
      ] as const) {
        const stored = yield* receive(newPhone(), id, { type: "video", video: { id, mime_type: "video/mp4" } })
        assert.deepStrictEqual(stored.content.media, {
          kind: "video",
          contentType: "video/mp4",
          mediaId: id,
          downloadError
        })
        assert.isEmpty((yield* call("GET", `/v1/messages/${stored.id}/attachments`)).body.items)
      }
    })
  )

  it.effect("opens the free entry point with a referral", () =>
    Effect.gen(function* () {
      const referral = { source_type: "ad", source_id: "1", source_url: "https://fb.me/x" }
      const stored = yield* receive(newPhone(), "ad", { type: "text", text: { body: "Hi" }, referral })
      const filters = encodeURIComponent(JSON.stringify({ participantId: stored.fromParticipantId }))
      const { body } = yield* call("GET", `/v1/whatsapp/service-windows?filters=${filters}`)
      const [{ freeEntryPointExpiresAt, isFreeEntryPointActive, serviceWindowExpiresAt }] = body.items
      assert.isTrue(isFreeEntryPointActive)
      assert.strictEqual(Date.parse(freeEntryPointExpiresAt) - Date.parse(serviceWindowExpiresAt), 48 * 3_600_000)
    })
  )

  it.effect("is not changed by callbacks that are unsigned, forged or malformed", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      const url = `${baseUrl}/v1/providers/whatsapp`
      const id = yield* send(newPhone())
      const { providerMessageId } = yield* settled(id, "sent")
      const body = callbackBody(ownNumber, { statuses: [{ id: providerMessageId, status: "delivered" }] })
      for (const signature of [null, "", "sha256=", signatureOf(body, "other"), signatureOf(`${body} `)]) {
        assert.strictEqual(yield* postCallback(url, body, signature), 401)
      }
      assert.strictEqual(yield* postCallback(url, "no JSON"), 422)
      assert.strictEqual(yield* postCallback(url, "{}"), 200)
      assert.strictEqual(yield* report("wamid.unknown", "delivered"), 200)
      // A delivered message would not fail any more.
      yield* report(providerMessageId, "failed", { errors: [{ code: 131_026 }] })
      yield* settled(id, "failed")
      const confirm = (token: string) =>
        Effect.promise(async () => {
          const query = `hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`
          const response = await fetch(`${url}?${query}`)
          return [response.status, await response.text()] as const
        })
      assert.deepStrictEqual(yield* confirm(cloudAccount.verifyToken), [200, "1158201444"])
      assert.strictEqual((yield* confirm("other"))[0], 401)
    })
  )

  it.effect("has its number and its callback URL checked by doctor", () =>
    Effect.gen(function* () {
      const { url } = yield* Cloud
      const { body } = yield* call("GET", "/v1/system")
      const subjects = body.findings.map((one: { readonly subject: string }) => one.subject)
      assert.include(subjects, `WhatsApp number ${cloudAccount.phoneNumberId} at ${new URL(url).host}: +1 555-010-0000`)
    })
  )
})
