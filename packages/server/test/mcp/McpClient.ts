import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { assert } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect } from "effect"
import { until } from "../ServiceCalls.js"
import { launch, program } from "../ServiceProcess.js"

export const unknownId = "0190163d-8694-739b-aea5-966c26f8ad91"

/** One message of the protocol. */
export const request = (id: unknown, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params })

/** A call that makes one request of the service. */
export const callOf = (id: unknown) =>
  request(id, "tools/call", { name: "get_message", arguments: { messageId: unknownId } })

/** A client of the official SDK over this transport. */
export const connect = (transport: () => Transport) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1.0.0" })
      await client.connect(transport())
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

/** Starts `switchboard mcp` and connects the client to it. */
export const startMcp = (environment: Readonly<Record<string, string>>, args: ReadonlyArray<string> = []) =>
  connect(
    () => new StdioClientTransport({ command: process.execPath, args: [program, "mcp", ...args], env: environment })
  )

/** Starts the command with HTTP. */
export const startHttp = (environment: Readonly<Record<string, string>>) =>
  Effect.map(launch("mcp", environment, ["--http", "0"]), ({ baseUrl, child }) => ({ url: new URL(baseUrl), child }))

/** Connects the client over HTTP, with this key. */
export const connectHttp = (url: URL, key: string) =>
  connect(
    () => new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } })
  )

/** A service that responds to no request until its release, and then to all that it does not find the message. */
export const holdingService = Effect.gen(function* () {
  const open: Array<ServerResponse> = []
  let isReleased = false
  const respond = (response: ServerResponse) =>
    response.writeHead(404, { "content-type": "application/json" }).end(`{"_tag":"ResourceNotFoundError"}`)
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const listening = createServer((_, response) => {
        if (isReleased) respond(response)
        else open.push(response)
      }).listen(0, "127.0.0.1")
      await once(listening, "listening")
      return listening
    }),
    (listening) =>
      Effect.sync(() => {
        listening.close()
        listening.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    environment: { SWITCHBOARD_URL: `http://127.0.0.1:${port}`, SWITCHBOARD_API_KEY: "sk_sm_test" },
    open,
    /** Waits until the service has this number of requests. */
    awaitOpen: (number: number) =>
      until(
        Effect.sync(() => open.length),
        (count) => count >= number
      ),
    release: Effect.sync(() => {
      isReleased = true
      open.forEach(respond)
    })
  }
})

/** Calls a tool; returns its text as JSON. */
export const callTool = (client: Client, name: string, parameters?: Readonly<Record<string, unknown>>) =>
  Effect.promise(async () => {
    const result = await client.callTool({ name, ...(parameters === undefined ? {} : { arguments: parameters }) })
    const content = Array.isArray(result.content) ? result.content : []
    const text: string = content[0]?.text ?? assert.fail("the result has no text")
    return { isError: result.isError === true, text, body: JSON.parse(text) }
  })

/** Calls a tool that must succeed. */
export const toolResult = (...parameters: Parameters<typeof callTool>) =>
  Effect.map(callTool(...parameters), ({ body, isError, text }) => {
    assert.isFalse(isError, text)
    return body
  })
