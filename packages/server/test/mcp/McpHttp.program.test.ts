import { once } from "node:events"
import { type IncomingMessage, type RequestOptions, request as send } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { accepted, LiveService, until } from "../LiveService.js"
import { failing } from "../ServiceProcess.js"
import {
  callOf,
  callTool,
  connectHttp,
  holdingService,
  request,
  startHttp,
  toolResult,
  unknownId
} from "./McpClient.js"

/** Sends a request without the checks of `fetch`. The text of the response is parsed if it is JSON. */
const exchange = (url: URL, options: RequestOptions, body: string | Buffer = "") =>
  Effect.promise(async () => {
    const sent = send(url, { method: "POST", ...options })
    sent.end(body)
    const [response]: [IncomingMessage] = await new Promise((resolve, reject) => {
      sent.once("response", (got) => resolve([got])).once("error", reject)
    })
    let text = ""
    for await (const chunk of response) text += chunk
    const { headers, statusCode: status } = response
    return {
      status,
      headers,
      text,
      body: headers["content-type"] === "application/json" ? JSON.parse(text) : undefined
    }
  })

const jsonOf = (key: string) => ({ Authorization: `Bearer ${key}`, "Content-Type": "application/json" })

layer(LiveService.Shared, { excludeTestServices: true })("The program switchboard mcp --http", (it) => {
  const started = Effect.gen(function* () {
    const { baseUrl, key } = yield* LiveService
    const environment = { SWITCHBOARD_URL: baseUrl, SWITCHBOARD_API_KEY: key }
    return { environment, key, ...(yield* startHttp(environment)) }
  })

  it.scoped("serves the tools to several clients of the official SDK", () =>
    Effect.gen(function* () {
      const { environment, key, url } = yield* started
      const { id } = yield* accepted({ tags: ["mcp-http"] }, { text: "Hello Ada" })
      const clients = yield* Effect.all(
        Array.makeBy(3, () => connectHttp(url, key)),
        { concurrency: 3 }
      )
      yield* Effect.forEach(
        clients,
        (client) =>
          Effect.gen(function* () {
            const { tools } = yield* Effect.promise(() => client.listTools())
            assert.include(
              tools.map(({ name }) => name),
              "find_messages"
            )
            const { messages } = yield* toolResult(client, "find_messages", { tag: "mcp-http" })
            assert.deepInclude(messages[0], { id, preview: "Hello Ada" })
            assert.deepInclude(yield* toolResult(client, "get_message", { messageId: id }), { text: "Hello Ada" })
            const missing = yield* callTool(client, "get_message", { messageId: unknownId })
            assert.strictEqual(missing.body._tag, "ResourceNotFoundError")
          }),
        { concurrency: 3 }
      )
      const taken = yield* failing(["mcp", "--http", url.port], environment)
      assert.match(taken, /can't listen on http:\/\/127\.0\.0\.1:\d+ .*EADDRINUSE.*--http/)
      assert.match(yield* failing(["mcp", "--http", "65536"], environment), /--http must be a port from 0 to 65535/)
    })
  )

  it.scoped("refuses pages of other sites, other keys, other methods and bodies that are no message", () =>
    Effect.gen(function* () {
      const { key, url } = yield* started
      const headers = jsonOf(key)
      const ping = request(1, "ping")
      const pong = { jsonrpc: "2.0", id: 1, result: {} }
      const local = [
        { Host: "localhost" },
        { Host: "LOCALHOST:1" },
        { Host: "[::1]:8080" },
        { Origin: `http://localhost:${url.port}` },
        { Origin: "http://[::1]" },
        { "MCP-Protocol-Version": "2025-06-18" },
        { Accept: "text/event-stream, application/json;q=0.5" }
      ]
      for (const own of local) {
        const { body, status } = yield* exchange(url, { headers: { ...headers, ...own } }, ping)
        assert.deepStrictEqual([status, body], [200, pong], JSON.stringify(own))
      }
      const loopback = new URL(url)
      loopback.hostname = "[::1]"
      assert.strictEqual((yield* exchange(loopback, { headers }, ping)).status, 200)

      const refused: ReadonlyArray<readonly [number, RequestOptions, (string | Buffer)?]> = [
        [403, { headers: { ...headers, Host: "evil.example" } }],
        [403, { headers: { ...headers, Host: "localhost.evil.example" } }],
        [403, { headers: { ...headers, Host: "127.0.0.1.evil.example:80" } }],
        [403, { headers: { ...headers, Origin: "https://evil.example" } }],
        [403, { headers: { ...headers, Origin: "http://localhost@evil.example" } }],
        [403, { headers: { ...headers, Origin: "null" } }],
        [404, { headers, path: "/" }],
        [401, { headers: { "Content-Type": "application/json" } }],
        [401, { headers: { ...headers, Authorization: `Bearer ${key.slice(0, -1)}_` } }],
        [401, { headers: { ...headers, Authorization: "Bearer" } }],
        [401, { headers: { ...headers, Authorization: key } }],
        [405, { headers, method: "GET" }, ""],
        [405, { headers, method: "DELETE" }, ""],
        [400, { headers: { ...headers, "MCP-Protocol-Version": "2024-01-01" } }],
        [406, { headers: { ...headers, Accept: "text/event-stream" } }],
        [400, { headers: { ...headers, "Content-Type": "text/plain" } }],
        [413, { headers }, Buffer.alloc(4 * 1024 * 1024 + 1, " ")],
        [413, { headers: { ...headers, "Transfer-Encoding": "chunked" } }, Buffer.alloc(4 * 1024 * 1024 + 1, " ")]
      ]
      for (const [expected, options, body = ping] of refused) {
        const response = yield* exchange(url, options, body)
        assert.strictEqual(response.status, expected, JSON.stringify(options))
        assert.property(response.body, "_tag")
        if (expected === 401) assert.strictEqual(response.headers["www-authenticate"], "Bearer")
        if (expected === 405) assert.strictEqual(response.headers.allow, "POST")
      }
      for (const [body, code] of [
        ["not JSON", -32700],
        [`[${ping}]`, -32600],
        ["5", -32600]
      ] as const) {
        const response = yield* exchange(url, { headers }, body)
        assert.deepStrictEqual([response.status, response.body.id, response.body.error.code], [400, null, code])
      }
      const unknown = yield* exchange(url, { headers }, request("x", "tasks/list"))
      assert.deepStrictEqual([unknown.status, unknown.body.id, unknown.body.error.code], [200, "x", -32601])
      for (const message of [
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", method: "notifications/unknown" },
        { jsonrpc: "2.0", id: 7, result: {} }
      ]) {
        const { status, text } = yield* exchange(url, { headers }, JSON.stringify(message))
        assert.deepStrictEqual([status, text], [202, ""])
      }
    })
  )

  it.scoped(
    "makes 8 requests of the service at the same time, refuses calls beyond 72, and ends those of lost clients",
    () =>
      Effect.gen(function* () {
        const { awaitOpen, environment, open, release } = yield* holdingService
        const { child, url } = yield* startHttp(environment)
        const headers = jsonOf(environment.SWITCHBOARD_API_KEY)
        const calls = Array.makeBy(72, (id) => {
          const sent = send(url, { method: "POST", headers }).on("error", () => undefined)
          sent.end(callOf(id))
          return sent
        })
        yield* awaitOpen(8)
        const attempt = exchange(url, { headers }, request("more", "ping"))
        const busy = yield* until(attempt, ({ status }) => status === 503)
        assert.strictEqual(busy.headers["retry-after"], "1")
        assert.lengthOf(open, 8)
        for (const sent of calls) sent.destroy()
        yield* until(attempt, ({ status }) => status === 200)
        yield* release
        const { body } = yield* exchange(url, { headers }, callOf("after"))
        assert.strictEqual(body.id, "after")
        assert.isTrue(body.result.isError)
        child.kill("SIGTERM")
        const [code] = yield* Effect.promise(() => once(child, "exit"))
        assert.strictEqual(code, 0)
      })
  )

  it.scoped("aborts the request of a call if its client closes the connection, and no other call", () =>
    Effect.gen(function* () {
      const { awaitOpen, environment, open } = yield* holdingService
      const { url } = yield* startHttp(environment)
      const headers = jsonOf(environment.SWITCHBOARD_API_KEY)
      // Clients without sessions can use the same ids.
      const calls = yield* Effect.forEach(Array.range(1, 8), (number) =>
        Effect.gen(function* () {
          const sent = send(url, { method: "POST", headers }).on("error", () => undefined)
          sent.end(callOf(1))
          yield* awaitOpen(number)
          return sent
        })
      )
      const waiting = send(url, { method: "POST", headers }).on("error", () => undefined)
      waiting.end(callOf(1))
      const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
      const { status } = yield* exchange(url, { headers }, JSON.stringify(cancel))
      assert.strictEqual(status, 202)
      const areClosed = Effect.sync(() => open.map(({ destroyed }) => destroyed))
      assert.deepStrictEqual(yield* areClosed, Array.replicate(false, 8))
      calls[2]?.destroy()
      yield* awaitOpen(9)
      const closed = yield* until(areClosed, (responses) => responses.includes(true))
      assert.deepStrictEqual(
        closed,
        Array.makeBy(9, (index) => index === 2)
      )

      const client = yield* connectHttp(url, environment.SWITCHBOARD_API_KEY)
      const call = client.callTool({ name: "get_message", arguments: { messageId: unknownId } }).catch(() => undefined)
      calls[3]?.destroy()
      yield* awaitOpen(10)
      yield* Effect.promise(() => client.close())
      yield* Effect.promise(() => call)
      yield* until(areClosed, (responses) => responses[9] === true)
    })
  )
})
