import { assert, describe, it } from "@effect/vitest"
import { RelayRoutes } from "@switchboard/channels/messages/RelayRoutes"
import { SmtpRoutes } from "@switchboard/channels/messages/SmtpRoutes"
import { type ConfiguredRelay, RelaySettings } from "@switchboard/channels/smtp/client/SmtpRelay"
import { RelayFaults } from "@switchboard/services/messages/delivery/MailTransport"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Array, Context, Effect, Layer, TestClock } from "effect"
import { heldLease, relayAt } from "../Fixtures.js"

type Choice = Partial<Pick<ConfiguredRelay, "domains" | "priority" | "weight">>

/** The routes over relays on ports 1, 2 and so on, which are not used. */
const routesOver = (first: Choice, ...others: ReadonlyArray<Choice>) => {
  const relay = (choice: Choice, index: number): ConfiguredRelay => ({
    ...relayAt(index + 1),
    priority: 0,
    weight: 1,
    domains: [],
    ...choice
  })
  return Layer.build(RelayRoutes.pipe(Layer.provideMerge(ProviderBreakers.Default))).pipe(
    Effect.map((context) => ({
      routes: Context.get(context, SmtpRoutes),
      breakerOf: (port: number) => Context.get(context, ProviderBreakers).ofRelay(`127.0.0.1:${port}`)
    })),
    Effect.provideService(RelaySettings, {
      relays: [relay(first, 0), ...others.map((choice, index) => relay(choice, index + 1))],
      connections: 1
    }),
    Effect.provide(RelayFaults.Unrecorded)
  )
}

/** The ports of the relays for mails of a domain. */
const portsOf = ({ messages }: typeof SmtpRoutes.Service, count: number, domain = "example.com") =>
  Effect.map(Effect.replicateEffect(messages(domain, ["ada@example.org", "bo@example.net"]), count), (all) =>
    all.map((routed) => {
      assert.lengthOf(routed, 1)
      assert.deepStrictEqual(routed[0]?.recipients, ["ada@example.org", "bo@example.net"])
      return Number(routed[0]?.route.address.split(":")[1])
    })
  )

const shares = (ports: ReadonlyArray<number>) =>
  Object.fromEntries(
    Object.entries(Array.groupBy(ports, String)).map(([port, all]) => [port, all.length / ports.length])
  )

describe("RelayRoutes", () => {
  it.scoped("uses the relays of the lowest priority, and others while their breakers are open", () =>
    Effect.gen(function* () {
      const { breakerOf, routes } = yield* routesOver({ priority: 20 }, { priority: 10 }, { priority: 30 })
      assert.deepStrictEqual(shares(yield* portsOf(routes, 20)), { 2: 1 })
      const preferred = yield* breakerOf(2)
      yield* preferred.failed
      assert.deepStrictEqual(shares(yield* portsOf(routes, 20)), { 1: 1 })
      yield* Effect.flatMap(breakerOf(1), ({ failed }) => failed)
      assert.deepStrictEqual(shares(yield* portsOf(routes, 20)), { 3: 1 })
      yield* TestClock.adjust("2 seconds")
      // The next mail probes the preferred relay.
      assert.deepStrictEqual(yield* portsOf(routes, 1), [2])
      assert.strictEqual((yield* preferred.enter)._tag, "Probe")
      assert.deepStrictEqual(yield* portsOf(routes, 1), [1])
      yield* preferred.answered
      assert.deepStrictEqual(shares(yield* portsOf(routes, 20)), { 2: 1 })
    })
  )

  it.scoped("shares the mails between relays of a priority by their weights", () =>
    Effect.gen(function* () {
      const { routes } = yield* routesOver({ weight: 1 }, { weight: 3 }, { priority: 1, weight: 100 })
      const { 1: first = 0, 2: second = 0, ...others } = shares(yield* portsOf(routes, 2_000))
      assert.deepStrictEqual(others, {})
      assert.closeTo(first, 0.25, 0.05)
      assert.closeTo(second, 0.75, 0.05)
    })
  )

  it.scoped("uses the relays of a sender's domain for its mail only", () =>
    Effect.gen(function* () {
      const { breakerOf, routes } = yield* routesOver({ domains: ["own.test", "second.test"] }, {})
      assert.deepStrictEqual(shares(yield* portsOf(routes, 10, "own.test")), { 1: 1 })
      assert.deepStrictEqual(shares(yield* portsOf(routes, 10, "second.test")), { 1: 1 })
      assert.deepStrictEqual(shares(yield* portsOf(routes, 10, "example.com")), { 2: 1 })
      assert.deepStrictEqual(shares(yield* portsOf(routes, 10, "sub.own.test")), { 2: 1 })
      yield* Effect.flatMap(breakerOf(1), ({ failed }) => failed)
      assert.deepStrictEqual(shares(yield* portsOf(routes, 10, "own.test")), { 1: 1 })
    })
  )

  it.scoped("admits attempts while a relay does, and none until the first probe if all are paused", () =>
    Effect.gen(function* () {
      const { breakerOf, routes } = yield* routesOver({}, {})
      const [first, second] = [yield* breakerOf(1), yield* breakerOf(2)]
      assert.strictEqual((yield* routes.admission)._tag, "All")
      yield* first.failed
      assert.strictEqual((yield* routes.admission)._tag, "All")
      yield* TestClock.adjust("10 millis")
      yield* second.failed
      const none = yield* routes.admission
      const untils = [yield* first.peek, yield* second.peek].map((admission) =>
        admission._tag === "None" ? admission.until.epochMillis : assert.fail("it admits an attempt")
      )
      assert.strictEqual(none._tag === "None" ? none.until.epochMillis : 0, Math.min(...untils))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* routes.admission)._tag, "Probe")
    })
  )

  it.scoped("fails to send to a relay that refuses connections", () =>
    Effect.gen(function* () {
      const { routes } = yield* routesOver({}, {})
      const [routed] = yield* routes.messages("example.com", ["ada@example.org"])
      const sent = routed?.route.send(
        { mailFrom: "a@example.com", rcptTo: ["ada@example.org"] },
        Buffer.from("\r\n"),
        heldLease
      )
      assert.strictEqual((yield* Effect.flip(sent ?? Effect.dieMessage("no route")))._tag, "ProviderUnavailable")
    })
  )
})
