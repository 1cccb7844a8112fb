import { once } from "node:events"
import type { IncomingMessage, Server } from "node:http"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { serverWithin } from "@switchboard/server/http/RequestLimits"
import { Effect, Schedule } from "effect"

/** The service's own limits take a minute to come to. */
const limits = { headers: 200, whole: 400, silence: 400, longest: 60_000, look: 50 }

/** What is put may come at 10,000 octets a second; all else must be there in time. */
const slowest = ({ method }: IncomingMessage) => (method === "PUT" ? 10_000 : null)

/** Takes what comes. What is at `/refused` is answered at once, and what is at `/later` is read late. */
const listening = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = serverWithin(limits, slowest).on("request", (request, response) => {
      request.on("error", () => undefined).on("end", () => response.writableEnded || response.end("taken"))
      if (request.url === "/refused") response.writeHead(404).end("refused")
      setTimeout(() => request.resume(), request.url === "/later" ? 1_500 : 0)
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

const portOf = (server: Server) => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

interface Pace {
  readonly pieces: number
  readonly octets?: number
  readonly every?: number
}

/** Sends a head and then so many pieces, one after the other: the first line of what came back, and its last. */
const send = (server: Server, head: string, { every = 50, octets = 1_000, pieces }: Pace) =>
  Effect.async<ReadonlyArray<string | undefined>>((resume) => {
    const socket = connect({ port: portOf(server), host: "127.0.0.1", allowHalfOpen: true })
    let said = ""
    let left = pieces
    const timer = setInterval(() => {
      left -= 1
      if (left >= 0) socket.write("x".repeat(octets))
    }, every)
    socket.write(head)
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      said += String(data)
    })
    // Some never end a connection themselves.
    const ended = () => {
      clearInterval(timer)
      const lines = said.split("\r\n")
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
const late = problem("The request did not come in time")
const tooSlow = ["HTTP/1.1 408 Request Timeout", late]
const taken = ["HTTP/1.1 200 OK", "taken"]

const connections = (server: Server) =>
  Effect.async<number>((resume) => void server.getConnections((_, count) => resume(Effect.succeed(count))))

describe("How long a request may take", () => {
  it.scopedLive("is as long as its octets keep coming for an upload of known length, and for nothing else", () =>
    Effect.gen(function* () {
      const server = yield* listening
      // A second and a half.
      const pace = { pieces: 30 }
      const answers = yield* Effect.all(
        {
          upload: send(server, put(30_000), pace),
          another: send(server, head("POST /", "Content-Length: 30000\r\n\r\n"), pace),
          unknownLength: send(server, head("PUT /", "Transfer-Encoding: chunked\r\n\r\n7530\r\n"), pace),
          headers: send(server, head("PUT /", "X: "), { pieces: 10, octets: 10 }),
          drop: send(server, put(30_000), { pieces: 30, octets: 100 }),
          refused: send(server, put(30_000, "/refused"), pace),
          waiting: send(server, put(900_000, "/later"), { pieces: 9, octets: 100_000, every: 1 })
        },
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers, {
        upload: taken,
        another: tooSlow,
        unknownLength: tooSlow,
        headers: tooSlow,
        drop: tooSlow,
        refused: ["HTTP/1.1 404 Not Found", ""],
        waiting: taken
      })
      // Nobody keeps a connection by not ending it.
      yield* Effect.repeat(connections(server), {
        until: (count) => count === 0,
        schedule: Schedule.spaced("50 millis")
      })
    })
  )

  it.scopedLive("is over for an upload that falls silent, however fast it was", () =>
    Effect.gen(function* () {
      const server = yield* listening
      const answer = send(server, put(60_000), { pieces: 15, octets: 3_000 })
      assert.deepStrictEqual(yield* answer, tooSlow)
    })
  )

  it.scopedLive("does not begin anew with the next request of a connection", () =>
    Effect.gen(function* () {
      const server = yield* listening
      const upload = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
      const [, last] = yield* send(server, upload + head("POST /", "Content-Length: 30000\r\n\r\n"), { pieces: 30 })
      assert.strictEqual(last, late)
    })
  )

  it.scopedLive("is not what a request fails for that is no HTTP, or whose headers are too large", () =>
    Effect.gen(function* () {
      const server = yield* listening
      const [malformed, body] = yield* send(server, head("GET /", "X Y: Z\r\n\r\n"), { pieces: 0 })
      assert.strictEqual(malformed, "HTTP/1.1 400 Bad Request")
      assert.strictEqual(body, problem("The request is not well-formed HTTP"))
      const [large, headers] = yield* send(server, head("GET /", `X: ${"x".repeat(20_000)}\r\n\r\n`), { pieces: 0 })
      assert.strictEqual(large, "HTTP/1.1 431 Request Header Fields Too Large")
      assert.strictEqual(headers, problem("The headers of the request are too large"))
    })
  )
})
