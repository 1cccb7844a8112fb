import { describeConfigError } from "@switchboard/server/settings/Setting"
import { duration, nameServers, percentage, smsUrl } from "@switchboard/server/settings/SettingValues"
import { type Config, ConfigProvider, Duration, Effect, Either, Option } from "effect"
import { assert, describe, it } from "vitest"

const readBy = <A>(config: Config.Config<A>, name: string, text: string) =>
  Effect.runSync(Effect.either(Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map([[name, text]])))))

const read = (text: string) => readBy(nameServers("DNS_SERVERS"), "DNS_SERVERS", text)
const share = (text: string) => readBy(percentage("RATE"), "RATE", text)

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

describe("A percentage", () => {
  it("is a share without a rounding error, and none for 0", () => {
    for (const [text, expected] of [
      ["1.1", 0.011],
      ["0.5", 0.005],
      ["100", 1],
      ["0.0", null]
    ] as const) {
      assert.deepStrictEqual(Either.map(share(text), Option.getOrNull), Either.right(expected), text)
    }
    for (const text of ["", "100.1", "-1", "1e1", "5%"]) assert.isTrue(Either.isLeft(share(text)), text)
  })
})

const account = "AC0123456789:t%2Fk@"

describe("SMS_URL", () => {
  it("accepts SMPP servers and Twilio accounts, over http on loopback only", () => {
    for (const text of [
      "smpp://user:password@smsc.example.net:2775",
      "smpps://user:password@smsc.example.net",
      `twilio+https://${account}api.twilio.com`,
      `Twilio+HTTPS://${account}127.0.0.1:8443/api/laml`,
      `twilio+http://${account}127.0.0.1:8080`,
      `twilio+http://${account}[::1]:8080`
    ]) {
      assert.isTrue(Either.isRight(smsUrl(text)), text)
    }
  })

  it("refuses another scheme with the list, and an account without its token", () => {
    const list = "must be a URL that begins with smpp:// or smpps:// or twilio+https://"
    const missing = "must have the account and its token: twilio+https://ACCOUNT:TOKEN@api.twilio.com"
    for (const [text, message] of [
      ["https://api.twilio.com", list],
      [`twilio://${account}api.twilio.com`, list],
      [`twilio+http://${account}api.twilio.com`, list],
      [`twilio+ftp://${account}127.0.0.1`, list],
      ["smsc.example.net", list],
      ["twilio+https://api.twilio.com", missing],
      ["twilio+https://AC0123456789@api.twilio.com", missing],
      ["twilio+https:", missing]
    ] as const) {
      assert.deepStrictEqual(smsUrl(text), Either.left(message), text)
    }
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
