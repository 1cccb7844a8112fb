import { describeConfigError } from "@switchboard/server/settings/Setting"
import { duration, nameServers } from "@switchboard/server/settings/SettingValues"
import { ConfigProvider, Duration, Effect, Either } from "effect"
import { assert, describe, it } from "vitest"

const read = (text: string) =>
  Effect.runSync(
    Effect.either(
      Effect.withConfigProvider(nameServers("DNS_SERVERS"), ConfigProvider.fromMap(new Map([["DNS_SERVERS", text]])))
    )
  )

describe("A duration", () => {
  it("has its unit in words or as an abbreviation", () => {
    for (const [text, milliseconds] of [
      ["30 seconds", 30_000],
      ["30s", 30_000],
      [" 1.5 h ", 5_400_000],
      ["2m", 120_000],
      ["250ms", 250],
      ["7d", 604_800_000]
    ] as const) {
      assert.strictEqual(Duration.toMillis(Either.getOrThrow(duration(text))), milliseconds, text)
    }
    for (const text of ["", "5", "5x", "s", "-1s"]) assert.isTrue(Either.isLeft(duration(text)), text)
  })
})

describe("DNS_SERVERS", () => {
  it("accepts addresses, with port 53 as default", () => {
    assert.deepStrictEqual(
      Either.getOrThrow(read("192.0.2.53, 127.0.0.1:5353,localhost:5354,2001:db8::53,[2001:db8::53],[::1]:5355")),
      ["192.0.2.53:53", "127.0.0.1:5353", "127.0.0.1:5354", "[2001:db8::53]:53", "[2001:db8::53]:53", "[::1]:5355"]
    )
  })

  it("refuses other text, and quotes it", () => {
    for (const text of ["dns.example.com:53", "192.0.2.53:0", "192.0.2.53:65536", "192.0.2.53:", "192.0.2", "::1:x"]) {
      const error = Either.getOrThrow(Either.flip(read(`127.0.0.1,${text}`)))
      assert.include(describeConfigError(error), `not "${text}"`)
      assert.include(describeConfigError(error), "DNS_SERVERS")
    }
  })
})
