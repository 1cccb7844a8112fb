import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { connectionTo } from "@switchboard/store/database/DatabaseHosts"
import { Effect, Fiber } from "effect"

/** A message of the server (PostgreSQL, "Message Formats"). */
const message = (type: string, ...fields: ReadonlyArray<string | number>) => {
  const body = Buffer.concat(
    fields.map((field) => (typeof field === "string" ? Buffer.from(`${field}\0`) : Buffer.from([0, 0, 0, field])))
  )
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

const authenticationOk = message("R", 0)
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
const stopped = message("E", "SFATAL", "C57P01", "Mterminating connection due to unexpected postmaster exit", "")

/** A server that stops as soon as a connection is ready: the client reads all messages at once. */
const stoppingServer = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined)
      socket.once("data", () => socket.end(Buffer.concat([authenticationOk, ready, stopped])))
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" ? address?.port : undefined
      resume(Effect.succeed({ url: `postgres://user@127.0.0.1:${port}/database`, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("A connection", () => {
  it.scopedLive("that is lost as soon as it is ready does not end the process", () =>
    Effect.gen(function* () {
      const { url } = yield* stoppingServer
      const client = new (connectionTo(url))()
      const lost = yield* Effect.fork(
        Effect.async<void>((resume) => void client.once("end", () => resume(Effect.void)))
      )
      yield* Effect.yieldNow()
      yield* Effect.promise(() => client.connect())
      // An error event without a listener would fail the run.
      yield* Fiber.join(lost)
      const { error } = yield* Effect.flip(Effect.tryPromise(() => client.query("SELECT 1")))
      assert.match(String(error), /not queryable/)
    })
  )
})
