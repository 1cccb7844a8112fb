import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { LiveService, relayed, until } from "../LiveService.js"
import { dataOf, email, errorOf, resendSdk } from "./ResendSdk.js"

const inAnHour = Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.add(now, { hours: 1 })))

layer(LiveService.Shared, { excludeTestServices: true })("The Resend SDK, emails", (it) => {
  it.effect("sends and retrieves an e-mail with all its fields", () =>
    Effect.gen(function* () {
      const resend = yield* resendSdk
      const send = yield* email
      const tags = [
        { name: "category", value: "confirm_email" },
        { name: "tenant", value: "t-1" }
      ]
      const { id } = yield* dataOf(() =>
        resend.emails.send({
          ...send,
          to: ["ada@example.com", "Grace Hopper <grace@example.com>"],
          cc: "cc@example.com",
          bcc: ["bcc@example.com"],
          replyTo: "Support <support@example.com>",
          text: "Hello in text",
          headers: { "X-Entity-Ref-ID": "123" },
          tags,
          attachments: [
            { filename: "hello.txt", content: Buffer.from("hello"), contentType: "text/plain", contentId: "hello" }
          ]
        })
      )
      const mail = yield* relayed(({ parsed }) => parsed.subject === send.subject)
      assert.include(mail.raw, "X-Entity-Ref-ID: 123")
      assert.include(mail.raw, "Grace Hopper")
      assert.include(mail.raw, Buffer.from("hello").toString("base64"))
      const delivered = yield* until(
        dataOf(() => resend.emails.get(id)),
        ({ last_event }) => last_event === "delivered"
      )
      const { created_at, message_id, ...rest } = delivered
      assert.match(created_at, /^\d{4}-.*Z$/)
      assert.match(message_id, /^<.+@.+>$/)
      assert.deepStrictEqual(rest, {
        object: "email",
        id,
        from: send.from,
        to: ["ada@example.com", "grace@example.com"],
        cc: ["cc@example.com"],
        bcc: ["bcc@example.com"],
        reply_to: ["Support <support@example.com>"],
        subject: send.subject,
        html: send.html,
        text: "Hello in text",
        tags,
        scheduled_at: null,
        last_event: "delivered"
      })
      const { data: files } = yield* dataOf(() => resend.emails.attachments.list({ emailId: id }))
      assert.lengthOf(files, 1)
      const [{ download_url, expires_at, ...file } = assert.fail("no file")] = files
      const expected = {
        filename: "hello.txt",
        size: 5,
        content_type: "text/plain",
        content_disposition: "inline" as const,
        content_id: "hello"
      }
      assert.deepStrictEqual(file, { ...expected, id: file.id })
      const { baseUrl, call } = yield* LiveService
      const link = new URL(new URL(download_url).pathname, baseUrl)
      assert.strictEqual(yield* Effect.promise(() => fetch(link).then((response) => response.text())), "hello")
      assert.isAbove(Date.parse(expires_at), Date.parse(created_at))
      assert.deepInclude(yield* dataOf(() => resend.emails.attachments.get({ emailId: id, id: file.id })), {
        object: "attachment",
        ...expected
      })
      const { body } = yield* call("GET", "/v1/messages?tag=category:confirm_email")
      assert.deepStrictEqual(
        body.items.map((message: { readonly id: string }) => message.id),
        [id]
      )
    })
  )

  it.effect("returns the first e-mail for a repeated idempotency key, and refuses another e-mail", () =>
    Effect.gen(function* () {
      const resend = yield* resendSdk
      const send = yield* email
      const idempotencyKey = randomUUID()
      const first = yield* dataOf(() => resend.emails.send(send, { idempotencyKey }))
      const again = yield* dataOf(() => resend.emails.send(send, { idempotencyKey }))
      assert.strictEqual(again.id, first.id)
      const error = yield* errorOf(() => resend.emails.send({ ...send, html: "<p>Other</p>" }, { idempotencyKey }))
      assert.deepStrictEqual(error, {
        statusCode: 409,
        name: "invalid_idempotent_request",
        message: "The idempotency key was used before with a different request"
      })
      assert.deepInclude(yield* errorOf(() => resend.emails.send(send, { idempotencyKey: "k".repeat(256) })), {
        statusCode: 400,
        name: "invalid_idempotency_key"
      })
    })
  )

  it.effect("sends a scheduled e-mail at another time", () =>
    Effect.gen(function* () {
      const resend = yield* resendSdk
      const send = yield* email
      const first = yield* inAnHour
      const { id } = yield* dataOf(() => resend.emails.send({ ...send, scheduledAt: first }))
      const scheduledAt = DateTime.formatIso(DateTime.add(yield* DateTime.now, { seconds: 1 }))
      assert.deepStrictEqual(yield* dataOf(() => resend.emails.update({ id, scheduledAt })), { object: "email", id })
      assert.strictEqual((yield* dataOf(() => resend.emails.get(id))).scheduled_at, scheduledAt)
      yield* relayed(({ parsed }) => parsed.subject === send.subject)
      yield* until(
        dataOf(() => resend.emails.get(id)),
        ({ last_event }) => last_event === "delivered"
      )
      const later = yield* inAnHour
      assert.deepStrictEqual(yield* errorOf(() => resend.emails.update({ id, scheduledAt: later })), {
        statusCode: 422,
        name: "validation_error",
        message: "Only a scheduled message can be sent at another time: this one is delivered"
      })
      assert.deepInclude(yield* errorOf(() => resend.emails.update({ id, scheduledAt: "in 1 min" })), {
        statusCode: 422,
        name: "validation_error"
      })
    })
  )

  it.effect("schedules and cancels an e-mail", () =>
    Effect.gen(function* () {
      const resend = yield* resendSdk
      const send = yield* email
      const scheduledAt = yield* inAnHour
      const { id } = yield* dataOf(() => resend.emails.send({ ...send, scheduledAt }))
      assert.deepInclude(yield* dataOf(() => resend.emails.get(id)), {
        last_event: "scheduled",
        scheduled_at: scheduledAt
      })
      assert.deepStrictEqual(yield* dataOf(() => resend.emails.cancel(id)), { object: "email", id })
      assert.strictEqual((yield* dataOf(() => resend.emails.get(id))).last_event, "canceled")
      assert.deepStrictEqual(yield* errorOf(() => resend.emails.cancel(id)), {
        statusCode: 422,
        name: "validation_error",
        message: "Only a scheduled message can be cancelled: this one is failed"
      })
    })
  )

  it.effect("lists sent e-mails after and before an e-mail", () =>
    Effect.gen(function* () {
      const resend = yield* resendSdk
      const send = yield* email
      const ids: Array<string> = []
      for (const subject of ["1", "2", "3", "4", "5"]) {
        const { id } = yield* dataOf(() => resend.emails.send({ ...send, subject: `${send.subject} ${subject}` }))
        ids.unshift(id)
      }
      const [, second = "", third = ""] = ids
      const page = (options: Parameters<typeof resend.emails.list>[0]) =>
        Effect.map(
          dataOf(() => resend.emails.list(options)),
          ({ data, has_more, object }) => [object, data.map(({ id }) => id), has_more]
        )
      assert.deepStrictEqual(yield* page({ limit: 2 }), ["list", ids.slice(0, 2), true])
      assert.deepStrictEqual(yield* page({ limit: 2, after: second }), ["list", ids.slice(2, 4), true])
      assert.deepStrictEqual(yield* page({ limit: 2, before: third }), ["list", ids.slice(0, 2), false])
      assert.deepStrictEqual(yield* page({ limit: 1, before: third }), ["list", [second], true])
      const [listed] = (yield* dataOf(() => resend.emails.list({ limit: 1 }))).data
      assert.deepInclude(listed, { to: ["ada@example.com"], cc: null, subject: `${send.subject} 5` })
    })
  )

  it.effect("sends a batch: all or none, or the valid ones", () =>
    Effect.gen(function* () {
      const resend = yield* resendSdk
      const send = yield* email
      const other = { ...send, to: "grace@example.com" }
      const foreign = { ...send, from: "eve@foreign.example" }
      const idempotencyKey = randomUUID()
      const first = yield* dataOf(() => resend.batch.send([send, other], { idempotencyKey }))
      assert.lengthOf(first.data, 2)
      const again = yield* dataOf(() => resend.batch.send([send, other], { idempotencyKey }))
      assert.deepStrictEqual(again, first)
      const { subject } = yield* email
      assert.deepStrictEqual(yield* errorOf(() => resend.batch.send([{ ...send, subject }, foreign])), {
        statusCode: 422,
        name: "invalid_from_address",
        message: "The `1.from` field must be a verified sender of the organization, or at one of its verified domains."
      })
      const { call } = yield* LiveService
      assert.isEmpty((yield* call("GET", `/v1/messages?search=${encodeURIComponent(subject)}`)).body.items)
      const permissive = yield* dataOf(() =>
        resend.batch.send([{ ...send, subject }, foreign], { batchValidation: "permissive" })
      )
      const { body: noObject } = yield* call("POST", "/resend/emails/batch", [null], {
        "x-batch-validation": "permissive"
      })
      assert.deepStrictEqual(noObject, { data: [], errors: [{ index: 0, message: "The email must be an object." }] })
      assert.lengthOf(permissive.data, 1)
      assert.deepStrictEqual(permissive.errors, [
        {
          index: 1,
          message: "The `from` field must be a verified sender of the organization, or at one of its verified domains."
        }
      ])
      assert.deepStrictEqual(yield* errorOf(() => resend.batch.send([])), {
        statusCode: 422,
        name: "validation_error",
        message: "A batch must have 1 to 100 emails"
      })
    })
  )
})
