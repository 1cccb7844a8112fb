import { once } from "node:events"
import type { IncomingMessage, Server } from "node:http"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { type RequestLimits, serverWithin } from "@switchboard/server/http/RequestLimits"
import { Effect, Schedule } from "effect"

/**
 * Shorter than the limits of the service, which take up to a minute to reach. `idleTimeout` is longer than the pause of
 * `/later`.
 */
const limits = {
  headersTimeout: 200,
  requestTimeout: 400,
  idleTimeout: 2_000,
  maxUploadTime: 60_000,
  checkInterval: 50,
  keepAliveTimeout: 65_000
}

/** PUT bodies need 10,000 octets per second; other requests must be complete in time. */
const minRate = ({ method }: IncomingMessage) => (method === "PUT" ? 10_000 : null)

/** Reads every body. `/refused` responds before reading, `/later` reads after a POST has exceeded its time. */
const listeningWithin = (limits: RequestLimits) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = serverWithin(limits, minRate).on("request", (request, response) => {
        request.on("error", () => undefined).on("end", () => response.writableEnded || response.end("taken"))
        if (request.url === "/refused") response.writeHead(404).end("refused")
        if (request.method === "POST") request.once("close", () => request.complete || server.emit("exceeded"))
        if (request.url === "/later") server.once("exceeded", () => request.resume())
        else request.resume()
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

const listening = listeningWithin(limits)

const portOf = (server: Server) => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

interface Pace {
  readonly pieces: number
  readonly octets?: number
  readonly every?: number
}

/** Sends a head and a number of pieces; returns the first and the last line of the response. */
const send = (server: Server, head: string, { every = 50, octets = 1_000, pieces }: Pace) =>
  Effect.async<ReadonlyArray<string | undefined>>((resume) => {
    const socket = connect({ port: portOf(server), host: "127.0.0.1", allowHalfOpen: true })
    let output = ""
    let left = pieces
    const timer = setInterval(() => {
      left -= 1
      if (left >= 0) socket.write("x".repeat(octets))
    }, every)
    socket.write(head)
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      output += String(data)
    })
    // Some clients never end a connection.
    const ended = () => {
      clearInterval(timer)
      const lines = output.split("\r\n")
      resume(Effect.succeed([lines.at(0), lines.at(-1)]))
    }
    socket.on("end", ended).on("close", ended)
    return Effect.sync(() => {
      clearInterval(timer)
      socket.destroy()
    })
  })

const head = (line: string, header: string) => `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}`

const put = (length: number, path = "/") => head(`PUT ${path}`, `Content-Length: ${length}\r\n\r\n`)

const problem = (message: string) => JSON.stringify({ message, _tag: "BadRequestError" })
const late = problem("The request did not arrive in time")
const tooSlow = ["HTTP/1.1 408 Request Timeout", late]
const taken = ["HTTP/1.1 200 OK", "taken"]

const connections = (server: Server) =>
  Effect.async<number>((resume) => void server.getConnections((_, count) => resume(Effect.succeed(count))))

describe("The time limit of a request", () => {
  it.scopedLive("is extended only for uploads of known length that keep their minimum rate", () =>
    Effect.gen(function* () {
      const server = yield* listening
      // 1.5 seconds.
      const pace = { pieces: 30 }
      const responses = yield* Effect.all(
        {
          // Eight times the minimum rate: a busy machine sends slower.
          upload: send(server, put(120_000), { pieces: 30, octets: 4_000 }),
          another: send(server, head("POST /", "Content-Length: 30000\r\n\r\n"), pace),
          unknownLength: send(server, head("PUT /", "Transfer-Encoding: chunked\r\n\r\n7530\r\n"), pace),
          headers: send(server, head("PUT /", "X: "), { pieces: 10, octets: 10 }),
          drop: send(server, put(30_000), { pieces: 30, octets: 100 }),
          refused: send(server, put(30_000, "/refused"), pace),
          waiting: send(server, put(900_000, "/later"), { pieces: 9, octets: 100_000, every: 1 })
        },
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(responses, {
        upload: taken,
        another: tooSlow,
        unknownLength: tooSlow,
        headers: tooSlow,
        drop: tooSlow,
        refused: ["HTTP/1.1 404 Not Found", ""],
        waiting: taken
      })
      // Connections that the client never ends are closed.
      yield* Effect.repeat(connections(server), {
        until: (count) => count === 0,
        schedule: Schedule.spaced("50 millis")
      })
    })
  )

  it.scopedLive("ends an upload after the maximum pause, however fast it was before", () =>
    Effect.gen(function* () {
      const server = yield* listening
      const response = send(server, put(60_000), { pieces: 15, octets: 3_000 })
      assert.deepStrictEqual(yield* response, tooSlow)
    })
  )

  it.scopedLive("applies to the next request of a connection after an upload", () =>
    Effect.gen(function* () {
      const server = yield* listening
      const upload = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
      const [, last] = yield* send(server, upload + head("POST /", "Content-Length: 30000\r\n\r\n"), { pieces: 30 })
      assert.strictEqual(last, late)
    })
  )

  it.scopedLive("does not replace the errors for malformed HTTP (400) and large headers (431)", () =>
    Effect.gen(function* () {
      // A slow machine must not exceed the limits between connection and request.
      const server = yield* listeningWithin({ ...limits, headersTimeout: 600_000, requestTimeout: 600_000 })
      const [malformed, body] = yield* send(server, head("GET /", "X Y: Z\r\n\r\n"), { pieces: 0 })
      assert.strictEqual(malformed, "HTTP/1.1 400 Bad Request")
      assert.strictEqual(body, problem("The request is not well-formed HTTP"))
      const [large, headers] = yield* send(server, head("GET /", `X: ${"x".repeat(20_000)}\r\n\r\n`), { pieces: 0 })
      assert.strictEqual(large, "HTTP/1.1 431 Request Header Fields Too Large")
      assert.strictEqual(headers, problem("The headers of the request are too large"))
    })
  )
})

it.scopedLive("A rejected body is read to its end, so that a client that sends before it reads gets the response", () =>
  Effect.gen(function* () {
    const server = yield* listeningWithin({ ...limits, headersTimeout: 600_000, requestTimeout: 600_000 })
    const response = yield* Effect.promise(async () => {
      const socket = connect(portOf(server), "127.0.0.1").pause()
      const body = Buffer.alloc(20_000_000, "x")
      await new Promise((resolve, reject) => {
        socket.on("error", reject)
        socket.write(put(body.byteLength, "/refused"))
        socket.write(body, resolve)
      })
      const chunks = await socket.toArray()
      return String(chunks)
    })
    assert.match(response, /^HTTP\/1\.1 404 Not Found\r\n.*refused/s)
  })
)
