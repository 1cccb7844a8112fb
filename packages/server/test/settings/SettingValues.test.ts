import { describeConfigError } from "@switchboard/server/settings/Setting"
import { nameServers } from "@switchboard/server/settings/SettingValues"
import { ConfigProvider, Effect, Either } from "effect"
import { assert, describe, it } from "vitest"

const read = (text: string) =>
  Effect.runSync(
    Effect.either(
      Effect.withConfigProvider(nameServers("DNS_SERVERS"), ConfigProvider.fromMap(new Map([["DNS_SERVERS", text]])))
    )
  )

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
