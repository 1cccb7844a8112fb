import { assert, layer } from "@effect/vitest"
import { authPlain, rawClient, upgrade } from "@switchboard/channels/testing/RawClient"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Context, Effect, Layer, Queue } from "effect"
import { databaseProxy } from "../../DatabaseProxy.js"
import { LiveService, relayed, settled, until } from "../../LiveService.js"
import { connection, dataSession, idOf, rawMail, SubmissionService, session, transaction } from "./SubmissionService.js"

/** The proxy between the service and its database. */
class Proxy extends Context.Tag("test/Proxy")<
  Proxy,
  Effect.Effect.Success<ReturnType<typeof databaseProxy>>["proxy"]
>() {}

const Live = Layer.unwrapScoped(
  Effect.gen(function* () {
    const { proxy, url } = yield* databaseProxy(yield* TestDatabaseUrl)
    return Layer.merge(
      SubmissionService.layer((settings) => LiveService.layer({ ...settings, DATABASE_URL: url })),
      Layer.succeed(Proxy, proxy)
    )
  })
).pipe(Layer.provide(TestDatabaseUrl.Live))

/** The ids of the messages with this subject. */
const idsOf = (subject: string) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const { body } = yield* call("GET", "/v1/messages?limit=100")
    return (body.items as ReadonlyArray<{ readonly id: string; readonly content: { readonly subject: string } }>)
      .filter(({ content }) => content.subject === subject)
      .map(({ id }) => id)
  })

const envelope = ["MAIL FROM:<bounces@elsewhere.test>", "RCPT TO:<ada@world.test>", "DATA"]

layer(Live, { excludeTestServices: true })("The submission server", (it) => {
  it.effect("reads a dot between bare line ends as data, and refuses the mail", () =>
    Effect.gen(function* () {
      const { rcptTo, sender } = yield* LiveService
      const smuggled = ["MAIL FROM:<a@b.test>", "RCPT TO:<eve@world.test>", "DATA", ...rawMail(sender), "."].join(
        "\r\n"
      )
      for (const end of ["\n.\r\n", "\r.\r\n", "\n.\n", "\r\n.\n", "\r\n.\r", "\r.\r", "\r\n\0.\n"]) {
        const client = yield* dataSession()
        client.write(`${rawMail(sender).join("\r\n")}${end}${smuggled}\r\nNOOP\r\n`)
        assert.match(yield* client.reply, /^550 5\.6\.0 .* bare CR or LF/, JSON.stringify(end))
        assert.match(yield* client.reply, /^250 /, JSON.stringify(end))
      }
      assert.notInclude(rcptTo, "eve@world.test")
    }).pipe(Effect.scoped)
  )

  it.effect("closes the connection at a command line that ends with a bare LF", () =>
    Effect.gen(function* () {
      const client = yield* session
      client.write("NOOP\nMAIL FROM:<a@b.test>\r\n")
      assert.match(yield* client.reply, /^521 5\.5\.2 /)
      yield* client.ended
    }).pipe(Effect.scoped)
  )

  it.effect("reads lines behind DATA as the mail, and as commands if DATA is refused", () =>
    Effect.gen(function* () {
      const { key, sender } = yield* LiveService
      const lines = ["EHLO client.test", authPlain(key), ...envelope, ...rawMail(sender), ".", "QUIT", ""]
      const pipelined = yield* rawClient((yield* SubmissionService).startTls)
      pipelined.write(lines.join("\r\n"))
      const replies = yield* Effect.replicateEffect(pipelined.reply, 7)
      assert.deepStrictEqual(
        replies.map((reply) => reply.slice(0, 3)),
        ["250", "235", "250", "250", "354", "250", "221"]
      )
      yield* settled(idOf(replies[5] ?? ""), "delivered")

      const unauthenticated = yield* connection
      unauthenticated.write([...envelope, ...rawMail(sender), ".", ""].join("\r\n"))
      const refusals = yield* Effect.replicateEffect(unauthenticated.reply, 10)
      assert.match(refusals[0] ?? "", /^530 5\.7\.0 /)
      assert.isTrue(
        refusals.every((reply) => reply.startsWith("5") || reply.startsWith("421 ")),
        refusals.join("\n")
      )
      yield* unauthenticated.ended
    }).pipe(Effect.scoped)
  )

  it.effect("discards commands and authentication of the time before TLS", () =>
    Effect.gen(function* () {
      const { key } = yield* LiveService
      const client = yield* connection
      client.write(["STARTTLS", "EHLO client.test", authPlain(key), ...envelope, ""].join("\r\n"))
      assert.match(yield* client.reply, /^220 /)
      const injected = yield* upgrade(client)
      assert.match(yield* injected.sendLine("MAIL FROM:<a@b.test>"), /^503 /)
      yield* injected.sendLine("EHLO client.test")
      assert.match(yield* injected.sendLine("MAIL FROM:<a@b.test>"), /^530 5\.7\.0 /)
      assert.strictEqual(yield* Queue.size(injected.replies), 0)

      const earlier = yield* session
      assert.match(yield* earlier.sendLine("STARTTLS"), /^220 /)
      const secure = yield* upgrade(earlier)
      yield* secure.sendLine("EHLO client.test")
      assert.match(yield* secure.sendLine("MAIL FROM:<a@b.test>"), /^530 5\.7\.0 /)
      assert.match(yield* secure.sendLine(authPlain(key)), /^235 /)
      assert.match(yield* secure.sendLine("MAIL FROM:<a@b.test>"), /^250 /)
    }).pipe(Effect.scoped)
  )

  it.effect("passes on 8-bit lines that BODY does not declare, and a header of 100 KB", () =>
    Effect.gen(function* () {
      const { sender } = yield* LiveService
      const long = `X-Long: ${Array.replicate("a".repeat(70), 1_400).join("\r\n ")}`
      const lines = [...rawMail(sender, "Message-ID: <eight-bit@shop.test>", long), "Grüße, 8-bit"]
      yield* settled(idOf(yield* transaction(["ada@world.test"], lines)), "delivered")
      const { raw } = yield* relayed(({ parsed }) => parsed.messageId === "<eight-bit@shop.test>")
      assert.isTrue(raw.includes(`${long}\r\n`))
      assert.isTrue(raw.endsWith("Grüße, 8-bit\r\n"))
    })
  )

  it.effect("accepts a mail once if the client closes the connection before the reply, and sends it again", () =>
    Effect.gen(function* () {
      const { mails, sender } = yield* LiveService
      for (const moment of ["before", "after"]) {
        const messageId = `<lost-${moment}@shop.test>`
        const subject = `Lost ${moment} the commit`
        const lines = rawMail(sender, `Message-ID: ${messageId}`).with(2, `Subject: ${subject}`)
        const client = yield* dataSession()
        client.socket.pause()
        yield* client.writeAll([...lines, ".", ""].join("\r\n"))
        if (moment === "after") yield* until(idsOf(subject), (ids) => ids.length > 0)
        client.hangUp()
        const id = idOf(yield* transaction(["ada@world.test"], lines))
        yield* settled(id, "delivered")
        assert.deepStrictEqual(yield* idsOf(subject), [id])
        assert.lengthOf(
          mails.filter(({ parsed }) => parsed.messageId === messageId),
          1
        )
      }
    }).pipe(Effect.scoped)
  )

  it.effect("replies 451 while the database is unavailable, and accepts the mail in the same session later", () =>
    Effect.gen(function* () {
      const { sender } = yield* LiveService
      const proxy = yield* Proxy
      const mail = [...rawMail(sender), "."].join("\r\n")
      const client = yield* dataSession()
      const stranger = yield* connection
      yield* proxy.judgeStatements(() => "before")
      assert.match(yield* client.sendLine(mail), /^451 4\.3\.0 /)
      assert.match(yield* stranger.sendLine(authPlain(`sk_sm_${"B".repeat(40)}`)), /^451 4\.3\.0 /)
      yield* proxy.judgeStatements(() => "pass")
      const again = Effect.gen(function* () {
        for (const line of envelope) yield* client.sendLine(line)
        return yield* client.sendLine(mail)
      })
      idOf(yield* until(again, (reply) => reply.startsWith("250 ")))
    }).pipe(Effect.scoped)
  )

  it.effect("has at most 20 connections of an address, and 500 in all", () =>
    Effect.gen(function* () {
      const { startTls } = yield* SubmissionService
      const addresses = Array.makeBy(26, (index) => `127.0.1.${index + 1}`)
      const open = yield* Effect.forEach(
        addresses.slice(0, 25).flatMap((address) => Array.replicate(address, 20)),
        (address) => rawClient(startTls, address),
        { concurrency: "unbounded" }
      )
      assert.isTrue(open.every(({ greeting }) => greeting.startsWith("220 ")))
      for (const address of addresses.slice(24)) {
        const refused = yield* rawClient(startTls, address)
        assert.match(refused.greeting, /^421 /, address)
        yield* refused.ended
      }
      open[0]?.hangUp()
      yield* until(rawClient(startTls, addresses[25]), ({ greeting }) => greeting.startsWith("220 "))
    }).pipe(Effect.scoped)
  )
})
