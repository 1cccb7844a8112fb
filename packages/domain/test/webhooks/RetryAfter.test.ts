import { assert, describe, it } from "@effect/vitest"
import { retryAfterSeconds } from "@switchboard/domain/webhooks/WebhookOutcome"
import { DateTime } from "effect"

const now = DateTime.unsafeMake("1994-11-06T08:49:07.500Z")

describe("Retry-After", () => {
  const known: ReadonlyArray<readonly [string, number]> = [
    ["0", 0],
    ["120", 120],
    [" 120 ", 120],
    ["86400", 86_400],
    ["86401", 86_400],
    ["99999999999999999999", 86_400],
    // The three forms of RFC 9110 section 5.6.7.
    ["Sun, 06 Nov 1994 08:49:37 GMT", 30],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 30],
    ["Sun Nov  6 08:49:37 1994", 30],
    ["Sun, 06 Nov 1994 08:00:00 GMT", 0],
    ["Sun, 06 Nov 2094 08:49:37 GMT", 86_400]
  ]
  for (const [header, seconds] of known) {
    it(`returns ${seconds} seconds for ${header}`, () => assert.strictEqual(retryAfterSeconds(header, now), seconds))
  }

  for (const header of ["", "-1", "1.5", "soon", "1e3", "12 monkeys", "2094-11-06", "Sun, 99 Nov 1994 08:49:37 GMT"]) {
    it(`returns null for ${JSON.stringify(header)}`, () => assert.isNull(retryAfterSeconds(header, now)))
  }
})
