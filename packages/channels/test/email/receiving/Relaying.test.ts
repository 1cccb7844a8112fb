import { assert, describe, it } from "@effect/vitest"
import { Array, Effect } from "effect"
import { inboundFixture, mailWith } from "./InboundFixture.js"

/** Recipients with which an open relay would forward mail to other servers. */
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

describe("InboundServer against relaying", () => {
  it.scopedLive("refuses to relay for any reverse-path", () =>
    Effect.gen(function* () {
      const { connect, stored } = yield* inboundFixture()
      for (const from of ["", "ada@example.com", "support@shop.test", "root@mx.switchboard.test"]) {
        // A client is disconnected at its tenth error.
        for (const paths of Array.chunksOf(attempts, 8)) {
          const client = yield* connect
          assert.match(yield* client.sendLine(`MAIL FROM:<${from}>`), /^250 /)
          for (const path of paths) assert.match(yield* client.sendLine(`RCPT TO:${path}`), /^550 5\.7\.1 /, path)
          assert.match(yield* client.sendLine("DATA"), /^503 /)
          client.hangUp()
        }
      }
      assert.isEmpty(stored)
    })
  )

  it.scopedLive("refuses a second path or a parameter after a valid path", () =>
    Effect.gen(function* () {
      const { connect } = yield* inboundFixture()
      const client = yield* connect
      assert.match(yield* client.sendLine("MAIL FROM:<ada@example.com> <eve@elsewhere.test>"), /^501 /)
      assert.match(yield* client.sendLine('MAIL FROM:<"a"@example.com> <eve@elsewhere.test>'), /^501 /)
      assert.match(yield* client.sendLine("MAIL FROM:<ada@example.com>"), /^250 /)
      for (const path of ["<support@shop.test> <eve@elsewhere.test>", "<support@shop.test>,<eve@elsewhere.test>"]) {
        assert.match(yield* client.sendLine(`RCPT TO:${path}`), /^501 /, path)
      }
      assert.match(yield* client.sendLine("DATA"), /^503 /)
      for (const parameter of ["X-PARAMETER=1 X-FLAG", "NOTIFY=NEVER", "ORCPT=rfc822;eve@elsewhere.test"]) {
        assert.match(yield* client.sendLine(`RCPT TO:<support@shop.test> ${parameter}`), /^555 5\.5\.4 /, parameter)
      }
      assert.match(yield* client.sendLine("RCPT TO:<support@shop.test> "), /^250 /)
    })
  )

  it.scopedLive("replies differently to an unknown mailbox of a hosted domain", () =>
    Effect.gen(function* () {
      const { deliver, connect, stored } = yield* inboundFixture()
      const client = yield* connect
      yield* client.sendLine("MAIL FROM:<ada@example.com>")
      for (const path of ["<unknown@shop.test>", "<Postmaster@shop.test>"]) {
        assert.match(yield* client.sendLine(`RCPT TO:${path}`), /^550 5\.1\.1 /, path)
      }
      assert.match(yield* client.sendLine("RCPT TO:support@shop.test"), /^501 /)
      assert.match(yield* client.sendLine("RCPT TO:<>"), /^501 /)
      // The mail is stored for the accepted recipient only.
      assert.match(yield* deliver(mailWith(), ["support@shop.test", "eve@elsewhere.test"]), /^250 /)
      assert.deepStrictEqual(
        stored[0]?.flatMap(({ recipients }) => recipients.map(({ address }) => `${address}`)),
        ["support@shop.test"]
      )
    })
  )
})
