import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { guardedDialler } from "@switchboard/channels/network/GuardedDialler"
import type { Destination } from "@switchboard/services/network/DestinationGuard"
import { Effect, Fiber } from "effect"
import { receiver } from "../webhooks/Receiver.js"

const destination = (url: string, ...[first = "127.0.0.1", ...others]: ReadonlyArray<string>): Destination => ({
  url: new URL(url),
  addresses: [{ address: first, family: 4 }, ...others.map((address) => ({ address, family: 4 as const }))]
})

const get = (pool: ReturnType<Effect.Effect.Success<typeof guardedDialler>["poolTo"]>) =>
  Effect.promise(async () => {
    const { body, statusCode } = await pool.request({ path: "/", method: "GET" })
    await body.dump()
    return statusCode
  })

describe("guardedDialler", () => {
  it.scopedLive("connects to the checked addresses regardless of the URL's host", () =>
    Effect.gen(function* () {
      const dialler = yield* guardedDialler
      const checked = yield* receiver((response) => response.writeHead(204).end())
      const canary = yield* receiver((response) => response.end(), { address: "127.0.0.2", port: checked.port })
      for (const host of ["127.0.0.2", "[::1]", "hook.test", "localhost", "8.8.8.8", "localhost."]) {
        assert.strictEqual(yield* get(dialler.poolTo(destination(`http://${host}:${checked.port}`))), 204, host)
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.scopedLive("tries the next address if one refuses the connection", () =>
    Effect.gen(function* () {
      const dialler = yield* guardedDialler
      const second = yield* receiver((response) => response.writeHead(204).end())
      const to = destination(`http://hook.test:${second.port}`, "127.0.0.3", "127.0.0.1")
      assert.strictEqual(yield* get(dialler.poolTo(to)), 204)
    })
  )

  it.scoped("has one pool per origin and set of addresses", () =>
    Effect.gen(function* () {
      const { poolTo } = yield* guardedDialler
      const pool = poolTo(destination("https://hook.test", "127.0.0.1", "127.0.0.2"))
      assert.strictEqual(poolTo(destination("https://hook.test/other?x", "127.0.0.2", "127.0.0.1")), pool)
      for (const other of [
        destination("https://hook.test", "127.0.0.1"),
        destination("https://hook.test", "127.0.0.1", "127.0.0.2", "127.0.0.3"),
        destination("http://hook.test", "127.0.0.1", "127.0.0.2"),
        destination("https://hook.test:444", "127.0.0.1", "127.0.0.2"),
        destination("https://other.test", "127.0.0.1", "127.0.0.2")
      ]) {
        assert.notStrictEqual(poolTo(other), pool)
      }
    })
  )

  it.scoped("closes the least recently used pool beyond 256", () =>
    Effect.gen(function* () {
      const { poolTo, pools } = yield* guardedDialler
      const [first, second] = [poolTo(destination("https://1.test")), poolTo(destination("https://2.test"))]
      for (let number = 3; number <= 256; number++) poolTo(destination(`https://${number}.test`))
      assert.strictEqual(poolTo(destination("https://1.test")), first)
      poolTo(destination("https://257.test"))
      assert.strictEqual(pools(), 256)
      assert.isTrue(second.closed)
      assert.strictEqual(poolTo(destination("https://1.test")), first)
    })
  )

  it.scopedLive("removes a pool without connections", () =>
    Effect.gen(function* () {
      const dialler = yield* guardedDialler
      const endpoint = yield* receiver((response) => response.end())
      const pool = dialler.poolTo(destination(endpoint.url))
      yield* get(pool)
      assert.strictEqual(dialler.pools(), 1)
      const disconnected = yield* Effect.fork(Effect.promise(() => once(pool, "disconnect")))
      yield* Effect.yieldNow()
      yield* endpoint.hangUp
      yield* Fiber.join(disconnected)
      assert.strictEqual(dialler.pools(), 0)
      const refused = yield* Effect.scoped(receiver((response) => response.end()))
      yield* Effect.exit(get(dialler.poolTo(destination(refused.url))))
      assert.strictEqual(dialler.pools(), 0)
    })
  )

  it.scopedLive("closes its connections with its scope", () =>
    Effect.gen(function* () {
      const endpoint = yield* receiver((response) => response.end())
      yield* Effect.scoped(Effect.flatMap(guardedDialler, (dialler) => get(dialler.poolTo(destination(endpoint.url)))))
      yield* endpoint.closed.take
    })
  )
})
