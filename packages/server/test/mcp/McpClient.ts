import { assert } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect } from "effect"
import { program } from "../ServiceProcess.js"

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
