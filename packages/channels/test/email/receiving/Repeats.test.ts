import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inboundHouse, mailWith } from "./InboundHouse.js"

const id = "Message-ID: <1@example.com>"

/** The fingerprints of what was kept, for each mail that was brought. */
const brought = (
  ...mails: ReadonlyArray<readonly [mail: string, to?: ReadonlyArray<string> | undefined, from?: string | undefined]>
) =>
  Effect.gen(function* () {
    const { bring, kept } = yield* inboundHouse()
    for (const [mail, to, from] of mails) assert.match(yield* bring(mail, to, from), /^250 /)
    return kept.map((batch) => batch.map(({ fingerprint }) => fingerprint))
  })

describe("A mail that comes again", () => {
  it.scopedLive("is known, whatever relays wrote on it on the way", () =>
    Effect.gen(function* () {
      const [first, ...again] = yield* brought(
        [mailWith("Received: from a by b; Monday", id)],
        [mailWith("Received: from a by b; Monday", id)],
        [mailWith("Received: from a\r\n\tby c; Tuesday", "Received: from x by a", id)],
        [mailWith("DKIM-Signature: t=2; b=xyz", "ARC-Seal: i=1;\r\n b=1", "Authentication-Results: c; spf=pass", id)],
        [mailWith("Return-Path: <ada@example.com>", id), ["SUPPORT@shop.test"]]
      )
      for (const fingerprints of again) assert.deepStrictEqual(fingerprints, first)
    })
  )

  it.scopedLive("is another one if it says something else, to others, or from another", () =>
    Effect.gen(function* () {
      const all = yield* brought(
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

  it.scopedLive("is known for each organization by its own recipients", () =>
    Effect.gen(function* () {
      const [both = [], one = []] = yield* brought(
        [mailWith(id), ["support@shop.test", "ada@club.test"]],
        [mailWith(id), ["support@shop.test"]]
      )
      assert.lengthOf(new Set(both), 2)
      assert.include(both, one[0])
    })
  )

  it.scopedLive("is known to the last octet alone if it has no Message-ID", () =>
    Effect.gen(function* () {
      const [first, same, other] = yield* brought(
        [mailWith("Received: from a by b; Monday")],
        [mailWith("Received: from a by b; Monday")],
        [mailWith("Received: from a by b; Tuesday")]
      )
      assert.deepStrictEqual(first, same)
      assert.notDeepEqual(first, other)
    })
  )
})
