import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { rawClient } from "../../RawClient.js"
import { club, inboundHouse, leave, mailWith, shop, subject } from "./InboundHouse.js"

const megabyte = 1024 * 1024

describe("The server that mail comes in by", () => {
  it.scopedLive("keeps a mail as it came, with who brought it", () =>
    Effect.gen(function* () {
      const { envelope, greeted, kept } = yield* inboundHouse()
      const client = yield* greeted
      assert.match(yield* envelope(client, ["Support@SHOP.test"]), /^354 /)
      assert.match(yield* client.say("From: ada@example.com\r\n\r\n..A dot\r\n\xff\r\n."), /^250 2\.6\.0 /)
      const [[mail = assert.fail("nothing kept"), ...more] = []] = kept
      assert.isEmpty(more)
      assert.deepInclude(mail, {
        organizationId: shop,
        mailFrom: "ada@example.com",
        helo: "client.test",
        remoteAddress: "127.0.0.1",
        tls: false
      })
      assert.deepStrictEqual(
        mail.recipients.map(({ address, kind }) => [address, kind._tag]),
        [["Support@shop.test", "Address"]]
      )
      assert.strictEqual(Buffer.from(mail.raw).toString(), "From: ada@example.com\r\n\r\n.A dot\r\n\xff\r\n")
    })
  )

  it.scopedLive("unsubscribes at the end of the mail, and stores the mail for its other recipients only", () =>
    Effect.gen(function* () {
      const { bring, envelope, greeted, kept, storage, unsubscribed } = yield* inboundHouse()
      const client = yield* greeted
      assert.match(yield* envelope(client, [leave]), /^354 /)
      assert.deepStrictEqual(unsubscribed, [])
      storage.away = true
      assert.match(yield* client.say("Subject: unsubscribe\r\n\r\n."), /^451 /)
      storage.away = false
      assert.deepStrictEqual(unsubscribed, [])
      assert.match(yield* bring("", [leave]), /^250 /)
      assert.deepStrictEqual([unsubscribed, kept.flat()], [[subject], []])
      assert.match(yield* bring(mailWith(), ["support@shop.test", leave], ""), /^250 /)
      assert.deepStrictEqual(unsubscribed, [subject, subject])
      assert.deepStrictEqual(
        kept.flat().map(({ recipients }) => recipients.map(({ address }) => `${address}`)),
        [["support@shop.test"]]
      )
    })
  )

  it.scopedLive("says who it is, and what it takes", () =>
    Effect.gen(function* () {
      const { port } = yield* inboundHouse()
      const client = yield* rawClient(port)
      assert.match(yield* client.say("HELO client.test"), /^250 mx\.switchboard\.test /)
      assert.match(yield* client.say("VRFY support@shop.test"), /^252 /)
      assert.match(yield* client.say("AUTH PLAIN AHgAeQ=="), /^500 /)
      assert.match(yield* client.say("STARTTLS"), /^500 /)
      assert.match(yield* client.say("XCLIENT ADDR=192.0.2.1"), /^550 /)
      const offers: Array<string> = []
      client.heard((line) => offers.push(line))
      yield* client.say("EHLO client.test")
      assert.sameMembers(
        offers.slice(1).map((line) => line.slice(4)),
        ["PIPELINING", "8BITMIME", "ENHANCEDSTATUSCODES", "SIZE 36700160"]
      )
    })
  )

  it.scopedLive("takes mail for the postmaster without a domain", () =>
    Effect.gen(function* () {
      const { bring, kept } = yield* inboundHouse()
      assert.match(yield* bring(mailWith(), ["PostMaster"]), /^250 /)
      assert.deepStrictEqual(
        kept[0]?.flatMap(({ recipients }) => recipients.map(({ address }) => `${address}`)),
        ["postmaster@shop.test"]
      )
    })
  )

  it.scopedLive("takes a quoted local part in a reverse-path", () =>
    Effect.gen(function* () {
      const { bring, greeted, kept } = yield* inboundHouse()
      for (const [written, mailFrom] of [
        ['"Ada Lovelace"@Example.com', '"Ada Lovelace"@example.com'],
        ['"a>b@c"@example.com', '"a>b@c"@example.com'],
        ['"a\\"b\\\\"@example.com', '"a\\"b\\\\"@example.com'],
        ['"ada.l"@example.com', "ada.l@example.com"],
        ['"\\a"@example.com', "a@example.com"],
        ['""@example.com', '""@example.com']
      ] as const) {
        assert.match(yield* bring(mailWith(), undefined, written), /^250 /, written)
        assert.strictEqual(kept.at(-1)?.[0]?.mailFrom, mailFrom)
      }
      const client = yield* greeted
      for (const path of ['"a"b"@example.com', '"a@example.com', '"a"@', '"a\x01"@example.com']) {
        assert.match(yield* client.say(`MAIL FROM:<${path}>`), /^501 /, path)
      }
      assert.match(yield* client.say('MAIL FROM:<"a b"@example.com> SIZE=10 BODY=8BITMIME'), /^250 /)
    })
  )

  it.scopedLive("takes a quoted local part in a recipient if it needs no quotes (RFC 5321 section 4.1.2)", () =>
    Effect.gen(function* () {
      const { bring, greeted, kept } = yield* inboundHouse()
      for (const written of ['"support"@shop.test', '"\\s\\u\\pport"@SHOP.test']) {
        assert.match(yield* bring(mailWith(), [written]), /^250 /, written)
        assert.deepStrictEqual(
          kept.at(-1)?.flatMap(({ recipients }) => recipients.map(({ address }) => `${address}`)),
          ["support@shop.test"]
        )
      }
      const client = yield* greeted
      yield* client.say("MAIL FROM:<ada@example.com>")
      for (const written of ['"sup port"@shop.test', '"support"x@shop.test', '"support@shop.test']) {
        assert.match(yield* client.say(`RCPT TO:<${written}>`), /^550 5\.7\.1 /, written)
      }
    })
  )

  it.scopedLive("refuses parameters of MAIL that it does not offer", () =>
    Effect.gen(function* () {
      const { greeted } = yield* inboundHouse()
      const client = yield* greeted
      for (const parameter of ["X-FLAG", "FOO=bar", "AUTH=<>", "RET=HDRS", "SMTPUTF8", "SIZE=1 FOO"]) {
        assert.match(yield* client.say(`MAIL FROM:<ada@example.com> ${parameter}`), /^555 5\.5\.4 /, parameter)
      }
      assert.match(yield* client.say("MAIL FROM:<ada@example.com> size=10 Body=7bit"), /^250 /)
    })
  )

  it.scopedLive("takes a notification, which comes from nobody", () =>
    Effect.gen(function* () {
      const { bring, kept } = yield* inboundHouse()
      assert.match(yield* bring(mailWith(), undefined, ""), /^250 /)
      assert.strictEqual(kept[0]?.[0]?.mailFrom, "")
    })
  )

  it.scopedLive("knows domains by their A-labels, and takes no addresses beyond ASCII", () =>
    Effect.gen(function* () {
      const { greeted, kept } = yield* inboundHouse()
      const client = yield* greeted
      assert.match(yield* client.say("MAIL FROM:<jörg@example.com> SMTPUTF8"), /^553 5\.6\.7 /)
      assert.match(yield* client.say("MAIL FROM:<ada@XN--Bcher-KVA.example>"), /^250 /)
      assert.match(yield* client.say("RCPT TO:<jörg@shop.test>"), /^550 5\.7\.1 /)
      assert.match(yield* client.say("RCPT TO:<info@xn--BCHER-kva.test>"), /^250 /)
      assert.match(yield* client.say("RCPT TO:<info@bücher.test>"), /^250 /)
      yield* client.say("DATA")
      assert.match(yield* client.say(`${mailWith()}.`), /^250 /)
      const [[mail] = []] = kept
      assert.strictEqual(mail?.mailFrom, "ada@xn--bcher-kva.example")
      assert.deepStrictEqual(
        mail?.recipients.map(({ address }) => address),
        ["info@xn--bcher-kva.test"]
      )
    })
  )

  it.scopedLive("keeps one mail for recipients of two organizations once for each", () =>
    Effect.gen(function* () {
      const { bring, kept } = yield* inboundHouse()
      const to = ["support@shop.test", "ada@club.test", "x@all.test", "SUPPORT@shop.test"]
      assert.match(yield* bring(mailWith(), to), /^250 /)
      assert.lengthOf(kept, 1)
      assert.deepStrictEqual(
        new Map(kept[0]?.map(({ organizationId, recipients }) => [organizationId, recipients.map((r) => r.address)])),
        new Map([
          [shop, ["SUPPORT@shop.test", "x@all.test"]],
          [club, ["ada@club.test"]]
        ]) as never
      )
      assert.lengthOf(new Set(kept[0]?.map(({ id }) => id)), 2)
    })
  )

  it.scopedLive("takes several mails in one session, each for its own recipients", () =>
    Effect.gen(function* () {
      const { envelope, greeted, kept } = yield* inboundHouse()
      const client = yield* greeted
      for (const to of ["support@shop.test", "ada@club.test"]) {
        yield* envelope(client, [to])
        assert.match(yield* client.say(`${mailWith()}.`), /^250 /)
      }
      yield* client.say("MAIL FROM:<ada@example.com>")
      yield* client.say("RCPT TO:<support@shop.test>")
      assert.match(yield* client.say("RSET"), /^250 /)
      assert.match(yield* client.say("DATA"), /^503 /)
      assert.deepStrictEqual(
        kept.map((mails) => mails.map(({ recipients }) => recipients.map(({ address }) => address))),
        [[["support@shop.test"]], [["ada@club.test"]]] as never
      )
    })
  )

  it.scopedLive("says 250 only to what is stored, and 451 while nothing can be", () =>
    Effect.gen(function* () {
      const { bring, envelope, greeted, kept, storage } = yield* inboundHouse()
      const stored = yield* Deferred.make<void>()
      storage.wait = Deferred.await(stored)
      const answer = yield* Effect.fork(bring(mailWith()))
      assert.strictEqual(yield* Effect.timeoutTo(Fiber.join(answer), waits), "still waiting")
      yield* Deferred.succeed(stored, undefined)
      assert.match(yield* Fiber.join(answer), /^250 /)
      const client = yield* greeted
      yield* envelope(client)
      storage.away = true
      assert.match(yield* client.say(`${mailWith()}.`), /^451 4\.3\.0 /)
      yield* client.say("MAIL FROM:<ada@example.com>")
      assert.match(yield* client.say("RCPT TO:<support@shop.test>"), /^451 4\.3\.0 /)
      storage.away = false
      assert.match(yield* client.say("RCPT TO:<support@shop.test>"), /^250 /)
      assert.lengthOf(kept, 1)
    })
  )

  it.scopedLive("takes a hundred recipients, and the others another time", () =>
    Effect.gen(function* () {
      const { greeted, kept } = yield* inboundHouse()
      const client = yield* greeted
      yield* client.say("MAIL FROM:<ada@example.com>")
      const answers = yield* Effect.forEach(Array.from({ length: 120 }), (_, at) =>
        client.say(`RCPT TO:<u${at}@all.test>`)
      )
      assert.deepStrictEqual(
        answers.map((answer) => answer.slice(0, 9)),
        answers.map((_, at) => (at < 100 ? "250 2.1.5" : "452 4.5.3"))
      )
      // Whom it must come back for is no reason to send it away.
      yield* client.say("DATA")
      assert.match(yield* client.say(`${mailWith()}.`), /^250 /)
      assert.lengthOf(kept[0]?.[0]?.recipients ?? [], 100)
    })
  )

  it.scopedLive("refuses what is too large, said before or seen only then", () =>
    Effect.gen(function* () {
      const { envelope, greeted, kept } = yield* inboundHouse()
      const client = yield* greeted
      assert.match(yield* client.say("MAIL FROM:<ada@example.com> SIZE=36700161"), /^552 5\.3\.4 /)
      yield* envelope(client)
      const line = `${"x".repeat(1022)}\r\n`
      const block = line.repeat(1024)
      for (let sent = 0; sent <= 35 * megabyte; sent += block.length) yield* client.pour(block)
      assert.match(yield* client.say("."), /^552 5\.3\.4 /)
      yield* envelope(client)
      assert.match(yield* client.say(`${mailWith()}.`), /^250 /)
      assert.lengthOf(kept, 1)
    })
  )

  it.scopedLive("holds no more than a few large mails, and lets the others wait", () =>
    Effect.gen(function* () {
      const { envelope, greeted, kept, storage } = yield* inboundHouse()
      const stored = yield* Deferred.make<void>()
      storage.wait = Deferred.await(stored)
      const large = `${"x".repeat(1022)}\r\n`.repeat(1024)
      const bringing = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.gen(function* () {
          const client = yield* greeted
          yield* envelope(client)
          client.write(large)
          return yield* Effect.fork(client.say("."))
        })
      )
      // A small one passes them.
      const small = yield* greeted
      yield* envelope(small)
      const passed = yield* Effect.fork(small.say(`${mailWith()}.`))
      assert.strictEqual(yield* Effect.timeoutTo(Fiber.join(passed), waits), "still waiting")
      assert.strictEqual(storage.begun, 9)
      yield* Deferred.succeed(stored, undefined)
      const answers = yield* Effect.forEach([passed, ...bringing], Fiber.join)
      assert.isTrue(answers.every((answer) => answer.startsWith("250 ")))
      assert.lengthOf(kept, 11)
    })
  )

  it.scopedLive("refuses a mail that goes in circles", () =>
    Effect.gen(function* () {
      const { bring, kept } = yield* inboundHouse()
      const hops = (count: number) => Array.from({ length: count }, (_, at) => `Received: from h${at}\r\n\tby h`)
      assert.match(yield* bring(mailWith(...hops(51))), /^554 5\.4\.6 /)
      assert.match(yield* bring(mailWith(...hops(50))), /^250 /)
      assert.match(yield* bring(`Subject: x\r\n\r\n${"Received: from h\r\n".repeat(60)}`), /^250 /)
      assert.lengthOf(kept, 2)
    })
  )

  it.scopedLive("sends away whoever is refused again and again", () =>
    Effect.gen(function* () {
      const { greeted } = yield* inboundHouse()
      const client = yield* greeted
      yield* client.say("MAIL FROM:<spam@example.com>")
      const answers = yield* Effect.forEach(Array.from({ length: 10 }), (_, at) =>
        client.say(`RCPT TO:<u${at}@shop.test>`)
      )
      assert.deepStrictEqual(
        answers.map((answer) => answer.slice(0, 9)),
        [...Array.from({ length: 9 }, () => "550 5.1.1"), "421 4.7.0"]
      )
      yield* client.ended
    })
  )

  it.scopedLive("takes twenty connections from one address", () =>
    Effect.gen(function* () {
      const { port } = yield* inboundHouse()
      const open = yield* Effect.forEach(Array.from({ length: 20 }), () => rawClient(port), { concurrency: 20 })
      const late = yield* rawClient(port)
      assert.match(late.greeting, /^421 /)
      yield* late.ended
      open[0]?.hangUp()
      yield* Effect.retry(
        Effect.flatMap(rawClient(port), ({ greeting }) =>
          greeting.startsWith("220") ? Effect.void : Effect.fail(greeting)
        ),
        { times: 50 }
      )
    })
  )

  it.scopedLive("waits neither for those who say nothing, nor forever for those who do", () =>
    Effect.gen(function* () {
      const { port } = yield* inboundHouse({ idleTimeout: Duration.millis(300) })
      const silent = yield* rawClient(port)
      assert.match(yield* silent.reply, /^421 /)
      const second = yield* inboundHouse({ sessionTimeout: Duration.millis(500) })
      const busy = yield* second.greeted
      const saying = yield* Effect.fork(Effect.forever(busy.say("NOOP")))
      yield* busy.ended
      yield* Fiber.interrupt(saying)
    })
  )

  it.scopedLive("forgets a mail whose client goes away in the middle", () =>
    Effect.gen(function* () {
      const { bring, envelope, greeted, kept } = yield* inboundHouse()
      const client = yield* greeted
      yield* envelope(client)
      yield* client.pour("Subject: Half a mail\r\n\r\nThe first li")
      client.hangUp()
      assert.match(yield* bring(mailWith()), /^250 /)
      assert.lengthOf(kept, 1)
    })
  )

  it.scopedLive("says where it can't listen", () =>
    Effect.gen(function* () {
      const { port } = yield* inboundHouse()
      const failure = yield* Effect.flip(inboundHouse({ port }))
      assert.include(failure.message, "INBOUND_SMTP_PORT")
    })
  )
})

/** What becomes of an answer that does not come: long enough for one that would. */
const waits = { duration: "300 millis", onSuccess: () => "answered", onTimeout: () => "still waiting" } as const
