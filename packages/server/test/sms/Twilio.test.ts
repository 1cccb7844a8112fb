import { assert, layer } from "@effect/vitest"
import {
  accountSid,
  inboundFields,
  postSigned,
  respondError,
  signatureOf,
  statusFields,
  twilioServer
} from "@switchboard/channels/testing/sms/TwilioServer"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Context, Effect, Layer } from "effect"
import { LiveService, messageOf, type ServiceResponse, settled, until } from "../LiveService.js"
import { runCommand } from "../TestCommand.js"

class Twilio extends Context.Tag("test/Twilio")<Twilio, Effect.Effect.Success<ReturnType<typeof twilioServer>>>() {}

const number = "+15550100000"

/** The service with a Twilio account, and a number. */
const Live = Layer.unwrapScoped(
  Effect.gen(function* () {
    const server = yield* twilioServer()
    // The callback URL has the port of the service.
    const settings = { SMS_URL: server.smsUrl, PORT: String(yield* freePort), RETRY_SCHEDULE: "100 millis, 100 millis" }
    const withNumber = Effect.flatMap(LiveService, ({ environment }) =>
      runCommand(["numbers", "add", number, "--organization", "default", "--channels", "sms"], environment)
    )
    return Layer.merge(
      Layer.succeed(Twilio, server),
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

const send = (phone: string, text: string) =>
  Effect.map(
    call("POST", "/v1/messages", { channel: "sms", to: [{ phone }], sms: { text } }),
    ({ body, status }: ServiceResponse): string => {
      assert.strictEqual(status, 201, JSON.stringify(body))
      return body.id
    }
  )

/** Sends a text that Twilio takes. */
const sent = Effect.fnUntraced(function* (phone: string, text: string) {
  const id = yield* send(phone, text)
  const message = yield* settled(id, "sent")
  const { messages } = yield* Twilio
  const taken = messages.find(({ sid }) => sid === message.providerMessageId)
  return { id, message, taken: taken ?? assert.fail("Twilio did not take the text") }
})

const callbackUrl = Effect.map(LiveService, ({ baseUrl }) => `${baseUrl}/v1/providers/twilio`)

/** The received messages with a text. */
const received = (text: string) =>
  Effect.map(call("GET", "/v1/messages?channel=sms&limit=100"), ({ body }) =>
    body.items.filter(
      ({ content, direction }: { readonly content: { readonly text: string }; readonly direction: string }) =>
        direction === "inbound" && content.text === text
    )
  )

const statuses = ({ statusHistory }: { readonly statusHistory: ReadonlyArray<{ readonly status: string }> }) =>
  statusHistory.map(({ status }) => status)

layer(Live, { excludeTestServices: true })("A text over Twilio", (it) => {
  it.effect("is sent, and delivered by its callback; other statuses and repeats change nothing", () =>
    Effect.gen(function* () {
      const { report } = yield* Twilio
      const phone = newPhone()
      const { id, message, taken } = yield* sent(phone, "Hello 😀")
      assert.deepInclude(taken, { to: phone, from: number, body: "Hello 😀", statusCallback: yield* callbackUrl })
      assert.deepStrictEqual([message.provider, message.status], ["twilio", "sent"])
      for (const status of ["queued", "sending", "sent", "delivered", "delivered", "sent"]) {
        const response = yield* report(taken, status)
        assert.deepStrictEqual(response, {
          status: 200,
          type: "text/xml",
          text: '<?xml version="1.0" encoding="UTF-8"?><Response/>'
        })
      }
      const delivered = yield* settled(id, "delivered")
      // A second text is processed after the repeats of the first one.
      const second = yield* sent(newPhone(), "Hello")
      yield* report(second.taken, "delivered")
      yield* settled(second.id, "delivered")
      const after = yield* messageOf(id)
      assert.deepStrictEqual(after, delivered)
      assert.deepStrictEqual(statuses(after), ["pending", "processing", "sent", "delivered"])
      assert.deepInclude(after.providerResponse.deliveries[0], { status: "delivered", providerMessageId: taken.sid })
    })
  )

  it.effect("fails with the code of its callback", () =>
    Effect.gen(function* () {
      const { report } = yield* Twilio
      const { id, taken } = yield* sent(newPhone(), "Hello")
      yield* report(taken, "undelivered", 30_003)
      const failed = yield* settled(id, "failed")
      assert.deepInclude(failed.errorDetails, { code: "delivery_failed" })
      assert.strictEqual(failed.errorDetails.details.errorCode, "30003")
    })
  )

  it.effect("fails with the code of the API, and is not sent again", () =>
    Effect.gen(function* () {
      const { next } = yield* Twilio
      next.push((response) => respondError(response, 400, 21_211, "Invalid 'To' Phone Number"))
      const failed = yield* settled(yield* send(newPhone(), "Hello"), "failed")
      assert.strictEqual(failed.providerResponse.deliveries[0].errorCode, "21211")
      assert.strictEqual(failed.errorDetails.details.reason, "user_unknown")
      assert.strictEqual(failed.deliveryAttempts, 1)
    })
  )

  it.effect("waits without a retry while Twilio throttles, or refuses the credentials", () =>
    Effect.gen(function* () {
      const { next } = yield* Twilio
      next.push(
        (response) => respondError(response, 429, 20_429, "Too Many Requests"),
        (response) => respondError(response, 401, 20_003, "Authenticate")
      )
      const message = yield* settled(yield* send(newPhone(), "Hello"), "sent")
      assert.strictEqual(message.retryCount, 0)
      assert.isEmpty(next)
    })
  )

  it.effect("is sent again after a server error, as a possible copy", () =>
    Effect.gen(function* () {
      const { next } = yield* Twilio
      next.push((response) => respondError(response, 500, 20_500, "Internal Server Error"))
      const message = yield* settled(yield* send(newPhone(), "Hello"), "sent")
      assert.strictEqual(message.retryCount, 1)
      assert.isTrue(
        message.statusHistory.some(
          ({ metadata }: { readonly metadata?: { readonly possibleDuplicate?: boolean } }) =>
            metadata?.possibleDuplicate === true
        )
      )
    })
  )

  it.effect("is replied to in its conversation, once", () =>
    Effect.gen(function* () {
      const phone = newPhone()
      const { id } = yield* sent(phone, "Shall we meet?")
      const fields = inboundFields(phone, number, `Yes, ${phone} 😀`)
      const url = yield* callbackUrl
      const responses = yield* Effect.all([postSigned(url, fields), postSigned(url, fields)], { concurrency: 2 })
      assert.deepStrictEqual(
        responses.map(({ status }) => status),
        [200, 200]
      )
      yield* until(received(fields.Body), ({ length }) => length > 0)
      yield* postSigned(url, fields)
      const later = inboundFields(phone, number, `And ${phone}`)
      yield* postSigned(url, later)
      const [last] = yield* until(received(later.Body), ({ length }) => length > 0)
      const [answer, ...more] = yield* received(fields.Body)
      assert.isEmpty(more)
      assert.deepInclude(answer, { status: "delivered", parentMessageId: id })
      assert.strictEqual(answer.content.from, phone)
      assert.isNotNull(answer.conversationId)
      assert.deepStrictEqual(
        [last.conversationId, (yield* messageOf(id)).conversationId],
        [answer.conversationId, answer.conversationId]
      )
    })
  )

  it.effect("is not changed by a callback with a wrong signature", () =>
    Effect.gen(function* () {
      const { report } = yield* Twilio
      const { id, taken } = yield* sent(newPhone(), "Hello")
      const url = yield* callbackUrl
      const fields = statusFields(taken, "delivered")
      const forged = [
        signatureOf(url, fields, "other"),
        signatureOf(`${url}?`, fields),
        signatureOf(url, statusFields(taken, "sent")),
        "",
        "%"
      ]
      for (const signature of forged) {
        const { status, text } = yield* postSigned(url, fields, signature)
        assert.strictEqual(status, 401, signature)
        assert.include(text, '"_tag":"UnauthorizedError"')
      }
      const inbound = inboundFields(taken.to, number, `Forged ${taken.sid}`)
      assert.strictEqual((yield* postSigned(url, inbound, signatureOf(url, fields))).status, 401)
      // A confirmed text would not fail any more.
      yield* report(taken, "failed", 30_008)
      const failed = yield* settled(id, "failed")
      assert.deepStrictEqual(statuses(failed), ["pending", "processing", "sent", "failed"])
      assert.isEmpty(yield* received(inbound.Body))
    })
  )

  it.effect("is looked up by the callback's id: an unknown one, or a number of no organization, changes nothing", () =>
    Effect.gen(function* () {
      const url = yield* callbackUrl
      const unknown = statusFields({ sid: `SM${"f".repeat(32)}`, from: number, to: newPhone() }, "delivered")
      assert.strictEqual((yield* postSigned(url, unknown)).status, 200)
      const unowned = inboundFields(newPhone(), "+15550199999", "To an unowned number")
      assert.strictEqual((yield* postSigned(url, unowned)).status, 200)
      const owned = inboundFields(newPhone(), number, "To an owned number")
      yield* postSigned(url, owned)
      yield* until(received(owned.Body), ({ length }) => length > 0)
      assert.isEmpty(yield* received(unowned.Body))
    })
  )

  it.effect("is protected from bodies that are too large, of another type, or without fields", () =>
    Effect.gen(function* () {
      const url = yield* callbackUrl
      const post = (body: string, type: string, signature: string) =>
        Effect.promise(async () => {
          const headers = { "Content-Type": type, "X-Twilio-Signature": signature }
          const response = await fetch(url, { method: "POST", headers, body })
          return [response.status, await response.text()] as const
        })
      const form = "application/x-www-form-urlencoded"
      assert.strictEqual((yield* post("x".repeat(65_537), form, "x"))[0], 413)
      assert.strictEqual((yield* post("{}", "application/json", "x"))[0], 400)
      const [status, text] = yield* post("", form, signatureOf(url, {}))
      assert.strictEqual(status, 422)
      for (const field of ["MessageSid", "From", "To", "Body"]) assert.include(text, `"${field}":["is required"]`)
      const long = inboundFields(newPhone(), number, "ü".repeat(10_000))
      assert.strictEqual((yield* postSigned(url, long)).status, 200)
      yield* until(received(long.Body), ({ length }) => length === 1)
    })
  )

  it.effect("has its account and its callback URL checked by doctor", () =>
    Effect.gen(function* () {
      const { url: apiUrl } = yield* Twilio
      const { host } = new URL(apiUrl)
      const subject = `Twilio account ${accountSid} at ${host}`
      const { body } = yield* call("GET", "/v1/system")
      const find = (wanted: string) => body.findings.find((one: { readonly subject: string }) => one.subject === wanted)
      assert.deepStrictEqual(find(subject), { level: "ok", subject })
      assert.strictEqual(find(`Callback URL ${yield* callbackUrl}`)?.level, "error")
      assert.deepInclude(body.relays[1], { channel: "sms", relay: host })
    })
  )
})
