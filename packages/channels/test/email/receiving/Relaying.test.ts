import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inboundHouse, mailWith } from "./InboundHouse.js"

/** Ways in which a careless server is made to carry mail to others. */
const attempts = [
  "<eve@elsewhere.test>",
  "<eve@sub.shop.test>",
  "<eve@shop.test.elsewhere.test>",
  "<eve%elsewhere.test@shop.test>",
  "<eve%elsewhere.test@all.test>",
  "<eve%elsewhere.test%x.test@all.test>",
  "<elsewhere.test!eve@all.test>",
  "<elsewhere.test!eve>",
  "<eve@elsewhere.test@shop.test>",
  "<support@shop.test@elsewhere.test>",
  "<@shop.test:eve@elsewhere.test>",
  "<@shop.test,@all.test:eve@elsewhere.test>",
  "<@elsewhere.test:support@shop.test>",
  '<"eve@elsewhere.test">',
  '<"eve@elsewhere.test"@shop.test>',
  '<"eve%elsewhere.test"@all.test>',
  '<"support@shop.test"@elsewhere.test>',
  '<"support"@elsewhere.test>',
  '<@elsewhere.test:"support"@shop.test>',
  "<eve@[127.0.0.1]>",
  "<support@[127.0.0.1]>",
  "<eve@[IPv6:::1]>",
  "<eve@127.0.0.1>",
  "<eve@localhost>",
  "<eve@mx.switchboard.test>",
  "<eve:support@shop.test>",
  "<eve(support@shop.test)@all.test>"
]

describe("Relaying", () => {
  for (const from of ["", "ada@example.com", "support@shop.test", "root@mx.switchboard.test"]) {
    it.scopedLive(`is denied to ${from === "" ? "nobody" : from}, whatever the address`, () =>
      Effect.gen(function* () {
        const { greeted, kept } = yield* inboundHouse()
        for (const path of attempts) {
          const client = yield* greeted
          assert.match(yield* client.say(`MAIL FROM:<${from}>`), /^250 /)
          assert.match(yield* client.say(`RCPT TO:${path}`), /^550 5\.7\.1 /, path)
          assert.match(yield* client.say("DATA"), /^503 /)
          client.hangUp()
        }
        assert.isEmpty(kept)
      })
    )
  }

  it.scopedLive("can't be asked for behind an address of ours", () =>
    Effect.gen(function* () {
      const { greeted } = yield* inboundHouse()
      const client = yield* greeted
      assert.match(yield* client.say("MAIL FROM:<ada@example.com> <eve@elsewhere.test>"), /^501 /)
      assert.match(yield* client.say('MAIL FROM:<"a"@example.com> <eve@elsewhere.test>'), /^501 /)
      assert.match(yield* client.say("MAIL FROM:<ada@example.com>"), /^250 /)
      for (const path of ["<support@shop.test> <eve@elsewhere.test>", "<support@shop.test>,<eve@elsewhere.test>"]) {
        assert.match(yield* client.say(`RCPT TO:${path}`), /^501 /, path)
      }
      assert.match(yield* client.say("DATA"), /^503 /)
      for (const parameter of ["X-PARAMETER=1 X-FLAG", "NOTIFY=NEVER", "ORCPT=rfc822;eve@elsewhere.test"]) {
        assert.match(yield* client.say(`RCPT TO:<support@shop.test> ${parameter}`), /^555 5\.5\.4 /, parameter)
      }
      assert.match(yield* client.say("RCPT TO:<support@shop.test> "), /^250 /)
    })
  )

  it.scopedLive("is another matter than an address that nobody has", () =>
    Effect.gen(function* () {
      const { bring, greeted, kept } = yield* inboundHouse()
      const client = yield* greeted
      yield* client.say("MAIL FROM:<ada@example.com>")
      for (const path of ["<nobody@shop.test>", "<Postmaster@shop.test>"]) {
        assert.match(yield* client.say(`RCPT TO:${path}`), /^550 5\.1\.1 /, path)
      }
      assert.match(yield* client.say("RCPT TO:support@shop.test"), /^501 /)
      assert.match(yield* client.say("RCPT TO:<>"), /^501 /)
      // Whom it may be brought to hears nothing of the others.
      assert.match(yield* bring(mailWith(), ["support@shop.test", "eve@elsewhere.test"]), /^250 /)
      assert.deepStrictEqual(
        kept[0]?.flatMap(({ recipients }) => recipients.map(({ address }) => `${address}`)),
        ["support@shop.test"]
      )
    })
  )
})
