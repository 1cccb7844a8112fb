import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inboundFixture, mailWith } from "./InboundFixture.js"

const id = "Message-ID: <1@example.com>"

/** Delivers mails; returns the fingerprints of each. */
const fingerprintsOf = (
  ...mails: ReadonlyArray<readonly [mail: string, to?: ReadonlyArray<string> | undefined, from?: string | undefined]>
) =>
  Effect.gen(function* () {
    const { deliver, stored } = yield* inboundFixture()
    for (const [mail, to, from] of mails) assert.match(yield* deliver(mail, to, from), /^250 /)
    return stored.map((batch) => batch.map(({ fingerprint }) => fingerprint))
  })

describe("The fingerprint of a repeated mail", () => {
  it.scopedLive("is the same with other trace fields", () =>
    Effect.gen(function* () {
      const [first, ...again] = yield* fingerprintsOf(
        [mailWith("Received: from a by b; Monday", id)],
        [mailWith("Received: from a by b; Monday", id)],
        [mailWith("Received: from a\r\n\tby c; Tuesday", "Received: from x by a", id)],
        [mailWith("DKIM-Signature: t=2; b=xyz", "ARC-Seal: i=1;\r\n b=1", "Authentication-Results: c; spf=pass", id)],
        [mailWith("Return-Path: <ada@example.com>", id), ["SUPPORT@shop.test"]]
      )
      for (const fingerprints of again) assert.deepStrictEqual(fingerprints, first)
    })
  )

  it.scopedLive("differs for another content, recipient or reverse-path", () =>
    Effect.gen(function* () {
      const all = yield* fingerprintsOf(
        [mailWith(id)],
        [mailWith("Message-ID: <2@example.com>")],
        [mailWith(id, "X-Priority: 1")],
        [`${mailWith(id)}Received: from a\r\n`],
        [mailWith(id), ["sales@shop.test"]],
        [mailWith(id), undefined, "bo@example.com"]
      )
      assert.lengthOf(new Set(all.flat()), all.length)
    })
  )

  it.scopedLive("depends on the recipients of each organization only", () =>
    Effect.gen(function* () {
      const [both = [], one = []] = yield* fingerprintsOf(
        [mailWith(id), ["support@shop.test", "ada@club.test"]],
        [mailWith(id), ["support@shop.test"]]
      )
      assert.lengthOf(new Set(both), 2)
      assert.include(both, one[0])
    })
  )

  it.scopedLive("includes the trace fields without a Message-ID", () =>
    Effect.gen(function* () {
      const [first, same, other] = yield* fingerprintsOf(
        [mailWith("Received: from a by b; Monday")],
        [mailWith("Received: from a by b; Monday")],
        [mailWith("Received: from a by b; Tuesday")]
      )
      assert.deepStrictEqual(first, same)
      assert.notDeepEqual(first, other)
    })
  )
})
