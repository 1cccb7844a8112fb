import { assert, describe, it } from "@effect/vitest"
import { databaseTimeFactor } from "@switchboard/services/RequestDeadline"
import { Deferred, Duration, Effect, Fiber, Option } from "effect"
import { rawClient } from "../../RawClient.js"
import { club, inboundFixture, mailWith, shop, subject, unsubscribeAddress } from "./InboundFixture.js"

const megabyte = 1024 * 1024

describe("InboundServer", () => {
  it.scopedLive("stores a mail unchanged, with the client's address and HELO name", () =>
    Effect.gen(function* () {
      const { beginData, connect, stored } = yield* inboundFixture()
      const client = yield* connect
      assert.match(yield* beginData(client, ["Support@SHOP.test"]), /^354 /)
      assert.match(yield* client.sendLine("From: ada@example.com\r\n\r\n..A dot\r\n\xff\r\n."), /^250 2\.6\.0 /)
      const [[mail = assert.fail("no mail was stored"), ...more] = []] = stored
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

  it.scopedLive("unsubscribes at the end of the data, and stores the mail only for its other recipients", () =>
    Effect.gen(function* () {
      const { deliver, beginData, connect, stored, storage, unsubscribed } = yield* inboundFixture()
      const client = yield* connect
      assert.match(yield* beginData(client, [unsubscribeAddress]), /^354 /)
      assert.deepStrictEqual(unsubscribed, [])
      storage.isDown = true
      assert.match(yield* client.sendLine("Subject: unsubscribe\r\n\r\n."), /^451 /)
      storage.isDown = false
      assert.deepStrictEqual(unsubscribed, [])
      assert.match(yield* deliver("", [unsubscribeAddress]), /^250 /)
      assert.deepStrictEqual([unsubscribed, stored.flat()], [[subject], []])
      assert.match(yield* deliver(mailWith(), ["support@shop.test", unsubscribeAddress], ""), /^250 /)
      assert.deepStrictEqual(unsubscribed, [subject, subject])
      assert.deepStrictEqual(
        stored.flat().map(({ recipients }) => recipients.map(({ address }) => `${address}`)),
        [["support@shop.test"]]
      )
    })
  )

  it.scopedLive("returns its name and extensions, and refuses unsupported commands", () =>
    Effect.gen(function* () {
      const { port } = yield* inboundFixture()
      const client = yield* rawClient(port)
      assert.match(yield* client.sendLine("HELO client.test"), /^250 mx\.switchboard\.test /)
      assert.match(yield* client.sendLine("VRFY support@shop.test"), /^252 /)
      assert.match(yield* client.sendLine("AUTH PLAIN AHgAeQ=="), /^500 /)
      assert.match(yield* client.sendLine("STARTTLS"), /^500 /)
      assert.match(yield* client.sendLine("XCLIENT ADDR=192.0.2.1"), /^550 /)
      const offers: Array<string> = []
      client.onLine((line) => offers.push(line))
      yield* client.sendLine("EHLO client.test")
      assert.sameMembers(
        offers.slice(1).map((line) => line.slice(4)),
        ["PIPELINING", "8BITMIME", "ENHANCEDSTATUSCODES", "SIZE 36700160"]
      )
    })
  )

  it.scopedLive("accepts mail for postmaster without a domain", () =>
    Effect.gen(function* () {
      const { deliver, stored } = yield* inboundFixture()
      assert.match(yield* deliver(mailWith(), ["PostMaster"]), /^250 /)
      assert.deepStrictEqual(
        stored[0]?.flatMap(({ recipients }) => recipients.map(({ address }) => `${address}`)),
        ["postmaster@shop.test"]
      )
    })
  )

  it.scopedLive("accepts a quoted local part in a reverse-path", () =>
    Effect.gen(function* () {
      const { deliver, connect, stored } = yield* inboundFixture()
      for (const [written, mailFrom] of [
        ['"Ada Lovelace"@Example.com', '"Ada Lovelace"@example.com'],
        ['"a>b@c"@example.com', '"a>b@c"@example.com'],
        ['"a\\"b\\\\"@example.com', '"a\\"b\\\\"@example.com'],
        ['"ada.l"@example.com', "ada.l@example.com"],
        ['"\\a"@example.com', "a@example.com"],
        ['""@example.com', '""@example.com']
      ] as const) {
        assert.match(yield* deliver(mailWith(), undefined, written), /^250 /, written)
        assert.strictEqual(stored.at(-1)?.[0]?.mailFrom, mailFrom)
      }
      const client = yield* connect
      for (const path of ['"a"b"@example.com', '"a@example.com', '"a"@', '"a\x01"@example.com']) {
        assert.match(yield* client.sendLine(`MAIL FROM:<${path}>`), /^501 /, path)
      }
      assert.match(yield* client.sendLine('MAIL FROM:<"a b"@example.com> SIZE=10 BODY=8BITMIME'), /^250 /)
    })
  )

  it.scopedLive("accepts a quoted local part of a recipient only if it needs no quotes (RFC 5321 section 4.1.2)", () =>
    Effect.gen(function* () {
      const { deliver, connect, stored } = yield* inboundFixture()
      for (const written of ['"support"@shop.test', '"\\s\\u\\pport"@SHOP.test']) {
        assert.match(yield* deliver(mailWith(), [written]), /^250 /, written)
        assert.deepStrictEqual(
          stored.at(-1)?.flatMap(({ recipients }) => recipients.map(({ address }) => `${address}`)),
          ["support@shop.test"]
        )
      }
      const client = yield* connect
      yield* client.sendLine("MAIL FROM:<ada@example.com>")
      for (const written of ['"sup port"@shop.test', '"support"x@shop.test', '"support@shop.test']) {
        assert.match(yield* client.sendLine(`RCPT TO:<${written}>`), /^550 5\.7\.1 /, written)
      }
    })
  )

  it.scopedLive("refuses MAIL parameters that it does not offer", () =>
    Effect.gen(function* () {
      const { connect } = yield* inboundFixture()
      const client = yield* connect
      for (const parameter of ["X-FLAG", "FOO=bar", "AUTH=<>", "RET=HDRS", "SMTPUTF8", "SIZE=1 FOO"]) {
        assert.match(yield* client.sendLine(`MAIL FROM:<ada@example.com> ${parameter}`), /^555 5\.5\.4 /, parameter)
      }
      assert.match(yield* client.sendLine("MAIL FROM:<ada@example.com> size=10 Body=7bit"), /^250 /)
    })
  )

  it.scopedLive("accepts a null reverse-path", () =>
    Effect.gen(function* () {
      const { deliver, stored } = yield* inboundFixture()
      assert.match(yield* deliver(mailWith(), undefined, ""), /^250 /)
      assert.strictEqual(stored[0]?.[0]?.mailFrom, "")
    })
  )

  it.scopedLive("compares domains as A-labels, and refuses non-ASCII local parts", () =>
    Effect.gen(function* () {
      const { connect, stored } = yield* inboundFixture()
      const client = yield* connect
      assert.match(yield* client.sendLine("MAIL FROM:<jörg@example.com> SMTPUTF8"), /^553 5\.6\.7 /)
      assert.match(yield* client.sendLine("MAIL FROM:<ada@XN--Bcher-KVA.example>"), /^250 /)
      assert.match(yield* client.sendLine("RCPT TO:<jörg@shop.test>"), /^550 5\.7\.1 /)
      assert.match(yield* client.sendLine("RCPT TO:<info@xn--BCHER-kva.test>"), /^250 /)
      assert.match(yield* client.sendLine("RCPT TO:<info@bücher.test>"), /^250 /)
      yield* client.sendLine("DATA")
      assert.match(yield* client.sendLine(`${mailWith()}.`), /^250 /)
      const [[mail] = []] = stored
      assert.strictEqual(mail?.mailFrom, "ada@xn--bcher-kva.example")
      assert.deepStrictEqual(
        mail?.recipients.map(({ address }) => address),
        ["info@xn--bcher-kva.test"]
      )
    })
  )

  it.scopedLive("stores a mail for two organizations once for each", () =>
    Effect.gen(function* () {
      const { deliver, stored } = yield* inboundFixture()
      const to = ["support@shop.test", "ada@club.test", "x@all.test", "SUPPORT@shop.test"]
      assert.match(yield* deliver(mailWith(), to), /^250 /)
      assert.lengthOf(stored, 1)
      assert.deepStrictEqual(
        new Map(stored[0]?.map(({ organizationId, recipients }) => [organizationId, recipients.map((r) => r.address)])),
        new Map([
          [shop, ["SUPPORT@shop.test", "x@all.test"]],
          [club, ["ada@club.test"]]
        ]) as never
      )
      assert.lengthOf(new Set(stored[0]?.map(({ id }) => id)), 2)
    })
  )

  it.scopedLive("accepts several mails in one session, each with its own recipients", () =>
    Effect.gen(function* () {
      const { beginData, connect, stored } = yield* inboundFixture()
      const client = yield* connect
      for (const to of ["support@shop.test", "ada@club.test"]) {
        yield* beginData(client, [to])
        assert.match(yield* client.sendLine(`${mailWith()}.`), /^250 /)
      }
      yield* client.sendLine("MAIL FROM:<ada@example.com>")
      yield* client.sendLine("RCPT TO:<support@shop.test>")
      assert.match(yield* client.sendLine("RSET"), /^250 /)
      assert.match(yield* client.sendLine("DATA"), /^503 /)
      assert.deepStrictEqual(
        stored.map((mails) => mails.map(({ recipients }) => recipients.map(({ address }) => address))),
        [[["support@shop.test"]], [["ada@club.test"]]] as never
      )
    })
  )

  it.scopedLive("replies 250 only after the mail is stored, and 451 while the store is unavailable", () =>
    Effect.gen(function* () {
      const { deliver, beginData, connect, stored, storage } = yield* inboundFixture()
      const storeReady = yield* Deferred.make<void>()
      storage.wait = Deferred.await(storeReady)
      const reply = yield* Effect.fork(deliver(mailWith()))
      const other = yield* connect
      yield* Effect.repeat(other.sendLine("NOOP"), { until: () => storage.begun === 1 })
      assert.isTrue(Option.isNone(yield* Fiber.poll(reply)))
      yield* Deferred.succeed(storeReady, undefined)
      assert.match(yield* Fiber.join(reply), /^250 /)
      const client = yield* connect
      yield* beginData(client)
      storage.isDown = true
      assert.match(yield* client.sendLine(`${mailWith()}.`), /^451 4\.3\.0 /)
      yield* client.sendLine("MAIL FROM:<ada@example.com>")
      assert.match(yield* client.sendLine("RCPT TO:<support@shop.test>"), /^451 4\.3\.0 /)
      storage.isDown = false
      assert.match(yield* client.sendLine("RCPT TO:<support@shop.test>"), /^250 /)
      assert.lengthOf(stored, 1)
    })
  )

  it.scopedLive("accepts 100 recipients, and defers more", () =>
    Effect.gen(function* () {
      const { connect, stored } = yield* inboundFixture()
      const client = yield* connect
      yield* client.sendLine("MAIL FROM:<ada@example.com>")
      const replies = yield* Effect.forEach(Array.from({ length: 120 }), (_, at) =>
        client.sendLine(`RCPT TO:<u${at}@all.test>`)
      )
      assert.deepStrictEqual(
        replies.map((reply) => reply.slice(0, 9)),
        replies.map((_, at) => (at < 100 ? "250 2.1.5" : "452 4.5.3"))
      )
      // Deferred recipients do not count as refusals.
      yield* client.sendLine("DATA")
      assert.match(yield* client.sendLine(`${mailWith()}.`), /^250 /)
      assert.lengthOf(stored[0]?.[0]?.recipients ?? [], 100)
    })
  )

  it.scopedLive("refuses a mail over 35 MiB, declared with SIZE or not", () =>
    Effect.gen(function* () {
      const { beginData, connect, stored } = yield* inboundFixture()
      const client = yield* connect
      assert.match(yield* client.sendLine("MAIL FROM:<ada@example.com> SIZE=36700161"), /^552 5\.3\.4 /)
      yield* beginData(client)
      const line = `${"x".repeat(1022)}\r\n`
      const block = line.repeat(1024)
      for (let sent = 0; sent <= 35 * megabyte; sent += block.length) yield* client.writeAll(block)
      assert.match(yield* client.sendLine("."), /^552 5\.3\.4 /)
      yield* beginData(client)
      assert.match(yield* client.sendLine(`${mailWith()}.`), /^250 /)
      assert.lengthOf(stored, 1)
    })
  )

  it.scopedLive("limits the large mails in memory, and makes further ones wait", () =>
    Effect.gen(function* () {
      const { beginData, connect, stored, storage } = yield* inboundFixture()
      const storeReady = yield* Deferred.make<void>()
      storage.wait = Deferred.await(storeReady)
      const large = `${"x".repeat(1022)}\r\n`.repeat(1024)
      const deliveries = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.gen(function* () {
          const client = yield* connect
          yield* beginData(client)
          client.write(large)
          return yield* Effect.fork(client.sendLine("."))
        })
      )
      // A small mail does not wait.
      const small = yield* connect
      yield* beginData(small)
      const passed = yield* Effect.fork(small.sendLine(`${mailWith()}.`))
      const other = yield* connect
      yield* Effect.repeat(other.sendLine("NOOP"), { until: () => storage.begun >= 9 })
      yield* Effect.replicateEffect(other.sendLine("NOOP"), 20)
      assert.strictEqual(storage.begun, 9)
      yield* Deferred.succeed(storeReady, undefined)
      const replies = yield* Effect.forEach([passed, ...deliveries], Fiber.join)
      assert.isTrue(replies.every((reply) => reply.startsWith("250 ")))
      assert.lengthOf(stored, 11)
    })
  )

  it.scopedLive("refuses a mail in a loop", () =>
    Effect.gen(function* () {
      const { deliver, stored } = yield* inboundFixture()
      const hops = (count: number) => Array.from({ length: count }, (_, at) => `Received: from h${at}\r\n\tby h`)
      assert.match(yield* deliver(mailWith(...hops(51))), /^554 5\.4\.6 /)
      assert.match(yield* deliver(mailWith(...hops(50))), /^250 /)
      assert.match(yield* deliver(`Subject: x\r\n\r\n${"Received: from h\r\n".repeat(60)}`), /^250 /)
      assert.lengthOf(stored, 2)
    })
  )

  it.scopedLive("disconnects a client after 10 refusals", () =>
    Effect.gen(function* () {
      const { connect } = yield* inboundFixture()
      const client = yield* connect
      yield* client.sendLine("MAIL FROM:<spam@example.com>")
      const replies = yield* Effect.forEach(Array.from({ length: 10 }), (_, at) =>
        client.sendLine(`RCPT TO:<u${at}@shop.test>`)
      )
      assert.deepStrictEqual(
        replies.map((reply) => reply.slice(0, 9)),
        [...Array.from({ length: 9 }, () => "550 5.1.1"), "421 4.7.0"]
      )
      yield* client.ended
    })
  )

  it.scopedLive("accepts at most 20 connections from one address", () =>
    Effect.gen(function* () {
      const { port } = yield* inboundFixture()
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

  it.scopedLive("disconnects idle clients, and sessions over the maximum duration", () =>
    Effect.gen(function* () {
      const { port } = yield* inboundFixture({ idleTimeout: Duration.millis(Math.ceil(300 * databaseTimeFactor)) })
      const idle = yield* rawClient(port)
      assert.match(yield* idle.reply, /^421 /)
      const second = yield* inboundFixture({ sessionTimeout: Duration.millis(Math.ceil(500 * databaseTimeFactor)) })
      const busy = yield* second.connect
      const sending = yield* Effect.fork(Effect.forever(busy.sendLine("NOOP")))
      yield* busy.ended
      yield* Fiber.interrupt(sending)
    })
  )

  it.scopedLive("discards a mail if the client disconnects before its end", () =>
    Effect.gen(function* () {
      const { deliver, beginData, connect, stored } = yield* inboundFixture()
      const client = yield* connect
      yield* beginData(client)
      yield* client.writeAll("Subject: Half a mail\r\n\r\nThe first li")
      client.hangUp()
      assert.match(yield* deliver(mailWith()), /^250 /)
      assert.lengthOf(stored, 1)
    })
  )

  it.scopedLive("names the setting to change if its port is in use", () =>
    Effect.gen(function* () {
      const { port } = yield* inboundFixture()
      const failure = yield* Effect.flip(inboundFixture({ port }))
      assert.include(failure.message, "INBOUND_SMTP_PORT")
    })
  )
})
