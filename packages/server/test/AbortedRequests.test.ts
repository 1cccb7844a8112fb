import { once } from "node:events"
import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Context, Effect, Layer, Record } from "effect"
import { databaseProxy } from "./DatabaseProxy.js"
import { caller, LiveService, send } from "./LiveService.js"

const Proxied = Layer.unwrapScoped(
  Effect.gen(function* () {
    const { proxy, url } = yield* databaseProxy(yield* TestDatabaseUrl)
    return Layer.provideMerge(LiveService.layer({ DATABASE_URL: url }), Layer.succeed(DatabaseInBetween, proxy))
  })
).pipe(Layer.provide(TestDatabaseUrl.Live))

class DatabaseInBetween extends Context.Tag("test/DatabaseInBetween")<
  DatabaseInBetween,
  Effect.Effect.Success<ReturnType<typeof databaseProxy>>["proxy"]
>() {}

/** Response delay of the database in milliseconds, so that requests of one key share its lookup. */
const delay = 100

const newKey = Effect.gen(function* () {
  const { call } = yield* LiveService
  const { body } = yield* call("POST", "/v1/api-keys", { name: "one of a storm", roleName: "admin" })
  return String(body.key)
})

/** Writes requests to the server; returns a function that aborts them. */
const abortable = (baseUrl: string, key: string, count: number) =>
  Effect.promise(async () => {
    const { hostname, port } = new URL(baseUrl)
    const sockets = await Promise.all(
      Array.makeBy(count, async () => {
        const socket = connect({ host: hostname, port: Number(port) })
        socket.on("error", () => undefined)
        await once(socket, "connect")
        socket.write(`GET /v1/messages?limit=1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`)
        return socket
      })
    )
    return Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
    })
  })

/** Completes when the server has read everything that was written before. */
const handled = Effect.flatMap(LiveService, ({ call }) => call("GET", "/healthz"))

/** Aborts requests of one key during its lookup; returns the responses to the others. */
const storm = (key: string) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* LiveService
    const call = caller(baseUrl, key)
    const abort = yield* abortable(baseUrl, key, 5)
    // Few requests that query more than the key, so that the database connections suffice.
    const innocent = Effect.forEach(
      Array.range(1, 40),
      (at) =>
        at % 20 === 0
          ? Effect.map(call("POST", "/v1/messages", send()), ({ status }) => `${status}`)
          : Effect.map(call("GET", "/v1/messages/none"), ({ body, status }) => `${status} ${body._tag}`),
      { concurrency: "unbounded" }
    )
    yield* handled
    const responses = yield* Effect.fork(innocent)
    yield* Effect.zipRight(handled, abort)
    return yield* responses
  })

layer(Proxied, { excludeTestServices: true })("Aborted requests", (it) => {
  it.effect("do not affect other requests of the same key", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.forEach(Array.range(1, 8), () => newKey, { concurrency: 8 })
      yield* (yield* DatabaseInBetween).slow(delay)
      const responses = (yield* Effect.forEach(keys, storm)).flat()
      assert.deepStrictEqual(
        Record.map(Array.groupBy(responses, String), (same) => same.length),
        { "400 BadRequestError": 304, "201": 16 }
      )
    })
  )
})
