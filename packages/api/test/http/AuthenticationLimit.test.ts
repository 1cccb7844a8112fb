import { HttpServerRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { AuthenticationLimit } from "@switchboard/api/http/AuthorizationHttp"
import { HttpSettings } from "@switchboard/api/http/HttpContext"
import { UnauthorizedError } from "@switchboard/domain/Errors"
import { addressNetwork } from "@switchboard/services/network/AddressNetwork"
import { RateLimitSettings } from "@switchboard/services/rateLimits/RateLimits"
import { Array, Effect, Layer, TestClock } from "effect"

const unauthorized = new UnauthorizedError({ message: "The API key is missing or invalid" })

const Limit = AuthenticationLimit.Default.pipe(
  Layer.provide(Layer.succeed(RateLimitSettings, { requests: 0, sends: 0, failures: 2 })),
  Layer.provide(
    Layer.succeed(HttpSettings, {
      trustedProxies: ["10.0.0.0/8"],
      corsOrigins: [],
      secureCookies: false,
      accessLog: false,
      bodyMemory: 0
    })
  )
)

/** The result of an authentication from an address, behind a trusted proxy. */
const attempt = (address: string, authenticate: Effect.Effect<string, UnauthorizedError> = unauthorized) =>
  Effect.flatMap(AuthenticationLimit, ({ limit }) =>
    limit(authenticate).pipe(
      Effect.catchTags({
        UnauthorizedError: () => Effect.succeed("401"),
        RateLimitedError: ({ retryAfterSeconds }) => Effect.succeed(`429 after ${retryAfterSeconds}`)
      }),
      Effect.provideService(
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(new Request("http://x/", { headers: { "x-forwarded-for": address } })).modify({
          remoteAddress: "10.0.0.1"
        })
      )
    )
  )

describe("The limit of failed authentications", () => {
  it.effect("allows a burst and a rate for each address, and does not limit valid keys", () =>
    Effect.gen(function* () {
      const first = yield* Effect.forEach(Array.range(1, 6), () => attempt("192.0.2.1"))
      assert.deepStrictEqual(first, ["401", "401", "401", "401", "429 after 1", "429 after 1"])
      assert.strictEqual(yield* attempt("192.0.2.1", Effect.succeed("in")), "in")
      assert.strictEqual(yield* attempt("192.0.2.2"), "401")
      yield* TestClock.adjust("500 millis")
      const later = yield* Effect.forEach([1, 2], () => attempt("192.0.2.1"))
      assert.deepStrictEqual(later, ["401", "429 after 1"])
    }).pipe(Effect.provide(Limit))
  )

  it.effect("counts the addresses of one IPv6 network together", () =>
    Effect.gen(function* () {
      const same = yield* Effect.forEach(Array.range(1, 5), (at) => attempt(`2001:db8:0:1::${at}`))
      assert.strictEqual(same.at(-1), "429 after 1")
      assert.strictEqual(yield* attempt("2001:db8:0:2::1"), "401")
    }).pipe(Effect.provide(Limit))
  )

  it.effect("counts a bounded number of networks", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(Array.range(1, 5), () => attempt("192.0.2.1"))
      yield* Effect.forEach(Array.range(1, 10_000), (at) => attempt(`198.18.${at >> 8}.${at & 255}`), { discard: true })
      assert.strictEqual(yield* attempt("192.0.2.1"), "401")
    }).pipe(Effect.provide(Limit))
  )
})

describe("The network of an address", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:DB8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["", ""]
  ])("of %s is %s", (address, network) => {
    assert.strictEqual(addressNetwork(address), network)
  })
})
