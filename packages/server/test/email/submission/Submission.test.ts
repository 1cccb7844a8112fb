import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { authPlain } from "@switchboard/channels/testing/RawClient"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Layer } from "effect"
import { createTransport, type SendMailOptions } from "nodemailer"
import { caller, LiveService, messageOf, relayed, type ServiceResponse, settled, until } from "../../LiveService.js"
import { logIn } from "../../sessions/Browser.js"
import { runCommand } from "../../TestCommand.js"
import { connection, idOf, rawMail, SubmissionService, session, transaction } from "./SubmissionService.js"

const Live = SubmissionService.layer((settings) => LiveService.layer({ ...settings, RATE_LIMIT_FAILURES: "1" }))

const Sql = Layer.unwrapEffect(Effect.map(TestDatabaseUrl, (url) => PgClient.layer({ url, maxConnections: 1 })))

/** Sends a mail as a program does; returns the id of its message. */
const submit = (mail: SendMailOptions, password?: string) =>
  Effect.gen(function* () {
    const { key, sender } = yield* LiveService
    const { tls } = yield* SubmissionService
    const transport = createTransport({
      host: "127.0.0.1",
      port: tls,
      secure: true,
      tls: { rejectUnauthorized: false },
      auth: { user: "any", pass: password ?? key }
    })
    return yield* Effect.tryPromise({
      try: () => transport.sendMail({ from: sender, ...mail }),
      catch: (error) => (error instanceof Error ? error.message : String(error))
    }).pipe(Effect.map(({ response }) => idOf(response)))
  })

layer(Layer.provideMerge(Sql, Live), { excludeTestServices: true })("Mail that a program submits over SMTP", (it) => {
  it.effect("goes to the address that a session has, also with a key that may only send", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* LiveService
      const { startTls: port, tls: tlsPort } = yield* SubmissionService
      const permissions = { messages: ["send"] }
      const { body: created } = yield* call("POST", "/v1/api-keys", { name: "A program", permissions })
      const { headers } = yield* logIn(baseUrl, { apiKey: created.key })
      const { body } = yield* caller(baseUrl, null)("GET", "/v1/session", undefined, headers)
      assert.deepStrictEqual(body.submission, { host: "127.0.0.1", port, tlsPort, startTls: true })
    })
  )

  it.effect("goes out with its octets, and is a message like others", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const id = yield* submit({
        to: "Ada <ada@world.test>",
        cc: "bob@world.test",
        bcc: "carl@world.test",
        subject: "Grüße from a program",
        html: "<p>Hello <b>Ada</b></p>",
        text: "Hello Ada",
        attachments: [{ filename: "a.txt", content: "attached" }],
        headers: { "X-Custom": "kept", "X-Switchboard-Tags": "welcome, today", "X-Switchboard-External-Id": "order-1" }
      })
      const message = yield* settled(id, "delivered")
      assert.deepInclude(message, {
        channel: "email",
        externalId: "order-1",
        tags: ["welcome", "today"],
        httpMethod: "SMTP"
      })
      assert.deepInclude(message.content, {
        subject: "Grüße from a program",
        html: "<p>Hello <b>Ada</b></p>",
        attachments: [{ filename: "a.txt", contentType: "text/plain", size: 8 }]
      })
      assert.deepInclude(message.emailMetadata, {
        to: ["ada@world.test"],
        cc: ["bob@world.test"],
        bcc: ["carl@world.test"],
        submitted: true
      })
      const mail = yield* relayed(({ parsed }) => parsed.subject === "Grüße from a program")
      assert.sameMembers([...mail.rcptTo], ["ada@world.test", "bob@world.test", "carl@world.test"])
      assert.strictEqual(mail.parsed.messageId, message.emailMetadata.messageId)
      assert.match(mail.raw, /^Feedback-ID: /)
      assert.include(mail.raw, "X-Custom: kept\r\n")
      assert.notMatch(mail.raw, /x-switchboard|^bcc:|carl@/im)
      assert.strictEqual(mail.parsed.attachments[0]?.filename, "a.txt")

      const { body: record } = yield* call("GET", `/v1/email/${id}`)
      assert.deepStrictEqual(
        record.attachments.map(({ filename }: { readonly filename: string }) => filename),
        ["a.txt"]
      )
    })
  )

  it.effect("keeps every octet of header and body", () =>
    Effect.gen(function* () {
      const { sender } = yield* LiveService
      const lines = rawMail(
        sender,
        "Message-ID: <octets@shop.test>",
        "Date: Mon, 30 Nov 2026 07:00:00 +0000",
        "X-A:  b\r\n\tc"
      )
      const id = idOf(yield* transaction(["ada@world.test"], lines))
      yield* settled(id, "delivered")
      const { raw } = yield* relayed(({ parsed }) => parsed.messageId === "<octets@shop.test>")
      const sent = ["MIME-Version: 1.0", ...lines, ""].join("\r\n").replace("\r\n..dots", "\r\n.dots")
      assert.strictEqual(raw.slice(raw.indexOf("MIME-Version")), sent)
    })
  )

  it.effect("is one message if the program repeats it after a lost reply", () =>
    Effect.gen(function* () {
      const { sender } = yield* LiveService
      const lines = rawMail(sender, "Message-ID: <repeat@shop.test>")
      const first = idOf(yield* transaction(["ada@world.test", "bob@world.test"], lines))
      assert.strictEqual(idOf(yield* transaction(["bob@world.test", "ada@world.test"], lines)), first)
      assert.notStrictEqual(idOf(yield* transaction(["ada@world.test"], lines)), first)
      const changed = [...lines, "changed"]
      assert.notStrictEqual(idOf(yield* transaction(["ada@world.test", "bob@world.test"], changed)), first)

      const keyed = rawMail(sender, "X-Switchboard-Idempotency-Key: order-7")
      const once = idOf(yield* transaction(["ada@world.test"], keyed))
      assert.strictEqual(idOf(yield* transaction(["ada@world.test"], keyed)), once)
      assert.match(
        yield* transaction(["ada@world.test"], [...keyed, "other"]),
        /^550 5\.6\.0 X-Switchboard-Idempotency-Key/
      )
    })
  )

  it.effect("answers a message of the organization, and is answered, in one thread", () =>
    Effect.gen(function* () {
      const first = yield* submit({ to: "ada@world.test", subject: "Question", text: "?", messageId: "<q@shop.test>" })
      const second = yield* submit({
        to: "ada@world.test",
        subject: "Re: Question",
        text: "!",
        inReplyTo: "<q@shop.test>"
      })
      const [question, answer] = [yield* messageOf(first), yield* messageOf(second)]
      assert.strictEqual(answer.parentMessageId, first)
      assert.isString(answer.threadId)
      assert.strictEqual(question.threadId, answer.threadId)
    })
  )

  it.effect("is sent again with a Message-ID of its own", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const id = yield* submit({ to: "ada@world.test", subject: "Twice", text: "again" })
      yield* settled(id, "delivered")
      const { body, status } = yield* call("POST", `/v1/messages/${id}/resend`)
      assert.strictEqual(status, 201, JSON.stringify(body))
      const message = yield* settled(body.id, "delivered")
      assert.notProperty(message.emailMetadata, "submitted")
      assert.deepStrictEqual(message.content.attachments, [])
    })
  )

  it.effect("needs an API key with messages.send", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const client = yield* connection
      assert.match(yield* client.sendLine("MAIL FROM:<a@b.test>"), /^530 5\.7\.0 /)
      const failure = yield* Effect.flip(submit({ to: "ada@world.test", text: "x" }, "wrong"))
      assert.include(failure, "535 5.7.8")
      const { body } = yield* call("POST", "/v1/api-keys", { name: "Reader", permissions: { messages: ["read"] } })
      assert.include(yield* Effect.flip(submit({ to: "ada@world.test", text: "x" }, body.key)), "535 5.7.8")
    }).pipe(Effect.scoped)
  )

  it.effect("is among the activity of its key, with the code of the reply", () =>
    Effect.gen(function* () {
      const live = yield* LiveService
      const { call, sender } = live
      const to = ["key@world.test"]
      const keyWith = (...actions: ReadonlyArray<string>) =>
        Effect.map(
          call("POST", "/v1/api-keys", { name: "Shop", permissions: { messages: actions } }),
          ({ body }) => body
        )
      const { id, key } = yield* keyWith("send")
      const own = Effect.provideService(LiveService, { ...live, key })
      idOf(yield* own(transaction(to, rawMail(sender))))
      assert.match(yield* own(transaction(to, rawMail("forged@other.test"))), /^550 /)
      const reader = yield* keyWith("read")
      yield* Effect.flip(submit({ to, text: "x" }, reader.key))

      const usesOf = (apiKey: string, count: number) =>
        Effect.map(
          until(call("GET", `/v1/api-keys/${apiKey}/activity`), ({ body }) => body.pagination.total >= count),
          ({ body }) =>
            (body.items as ReadonlyArray<Readonly<Record<string, unknown>>>).map(
              ({ ipAddress, method, path, status }) => `${method} ${path} ${status} ${ipAddress}`
            )
        )
      assert.deepStrictEqual(yield* usesOf(id, 2), ["SMTP submission 550 127.0.0.1", "SMTP submission 250 127.0.0.1"])
      assert.deepStrictEqual(yield* usesOf(reader.id, 1), ["SMTP submission 535 127.0.0.1"])
      const { body: stats } = yield* call("GET", `/v1/api-keys/${id}/stats`)
      assert.deepInclude(stats, { errorRate: 0.5, byEndpoint: { "SMTP submission": 2 } })
    })
  )

  it.effect("is refused with the reason", () =>
    Effect.gen(function* () {
      const { sender } = yield* LiveService
      const to = ["ada@world.test"]
      const replies = [
        [rawMail("forged@other.test"), /^550 5\.7\.1 The address in From must be a verified sender/],
        [rawMail(sender, "From: second@shop.test"), /^550 5\.7\.1 The address in From must be one address/],
        [rawMail(sender, `X-Switchboard-Tags: ${"x".repeat(101)}`), /^550 5\.6\.0 X-Switchboard-Tags /],
        [rawMail(sender, "X-Switchboard-Scheduled-At: tomorrow"), /^550 5\.6\.0 X-Switchboard-Scheduled-At /],
        [
          rawMail(sender, "X-Switchboard-Track-Opens: yes"),
          /^550 5\.6\.0 X-Switchboard-Track-Opens must be true or false/
        ],
        [rawMail(sender, "X-Switchboard-Track-Clicks: 1"), /^550 5\.6\.0 X-Switchboard-Track-Clicks /],
        [rawMail(sender, "X-Switchboard-Colour: red"), /^550 5\.6\.0 X-Switchboard-Colour /],
        [[...Array.replicate("Received: from a by b", 500), ...rawMail(sender)], /^554 5\.4\.6 /],
        [rawMail(sender, `X-Long: ${"a ".repeat(70_000)}`), /^554 5\.6\.0 /],
        [[...rawMail(sender), "bare\nline"], /^550 5\.6\.0 /]
      ] as const
      for (const [lines, reply] of replies) assert.match(yield* transaction(to, lines), reply)
    })
  )

  it.effect("has at most 50 recipients", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const client = yield* session
        yield* client.sendLine("MAIL FROM:<a@b.test>")
        for (let index = 0; index < 50; index++) yield* client.sendLine(`RCPT TO:<r${index}@world.test>`)
        for (let index = 50; index < 60; index++) {
          assert.match(yield* client.sendLine(`RCPT TO:<r${index}@world.test>`), /^452 4\.5\.3 /)
        }
        assert.match(yield* client.sendLine("RCPT TO:<no-domain>"), /^55[03] /)
      })
    )
  )

  it.effect("is scheduled, and lists with the others", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
      const id = yield* submit({
        to: "ada@world.test",
        subject: "Later",
        text: "later",
        headers: { "X-Switchboard-Scheduled-At": scheduledAt }
      })
      assert.deepInclude(yield* messageOf(id), { status: "scheduled", scheduledAt })
      yield* until(call("GET", "/v1/messages?status=scheduled"), ({ body }: ServiceResponse) =>
        body.items.some((one: { readonly id: string }) => one.id === id)
      )
    })
  )

  it.effect("is refused if it is too large, or above the limit of the plan", () =>
    Effect.gen(function* () {
      const { environment, organizationId, sender } = yield* LiveService
      const client = yield* session
      assert.match(yield* client.sendLine("MAIL FROM:<a@b.test> SIZE=36700161"), /^552 5\.3\.4 /)
      const sql = yield* PgClient.PgClient
      const setPlan = (plan: string) =>
        runCommand(["organizations", "set-plan", "--organization", organizationId, "--plan", plan], environment)
      yield* setPlan("free")
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 1000 WHERE organization_id = ${organizationId}`
      assert.match(yield* transaction(["ada@world.test"], rawMail(sender)), /^452 4\.2\.2 The plan's limit/)
      yield* setPlan("unlimited")
      idOf(yield* transaction(["ada@world.test"], rawMail(sender)))
    }).pipe(Effect.scoped)
  )

  it.effect("limits wrong passwords of an address, and not valid ones", () =>
    Effect.gen(function* () {
      const client = yield* connection
      const attempt = `${authPlain("wrong")}\r\n`
      client.write(attempt.repeat(6))
      const replies = yield* Effect.all(Array.makeBy(6, () => client.reply))
      assert.match(replies[0] ?? "", /^(?:535 5\.7\.8|451 4\.7\.1) /)
      assert.match(replies[5] ?? "", /^451 4\.7\.1 /)
      yield* session
    }).pipe(Effect.scoped)
  )
})
