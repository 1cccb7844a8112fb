import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { accepted, LiveService, messageOf, send, settled, until } from "../LiveService.js"
import { program } from "../ServiceProcess.js"
import { callOf, callTool, holdingService, request, startMcp, toolResult, unknownId } from "./McpClient.js"

const service = Effect.map(LiveService, ({ baseUrl, call, key }) => ({
  call,
  environment: { SWITCHBOARD_URL: baseUrl, SWITCHBOARD_API_KEY: key }
}))

const start = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(service, ({ environment }) => startMcp(environment, args))

const readTools = [
  "find_messages",
  "get_message",
  "explain_message",
  "get_thread",
  "list_templates",
  "figures",
  "doctor"
]
const additions = ["draft_message", "reply"]
const changes = ["save_template", "block_address"]

/** Starts the program with little memory; `exchange` writes lines and returns the messages that come back. */
const raw = (environment: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const env = { ...environment, NODE_OPTIONS: "--max-old-space-size=128" }
      const child = spawn(process.execPath, [program, "mcp"], { env })
      const lines: Array<string> = []
      createInterface(child.stdout).on("line", (line) => lines.push(line))
      return {
        child,
        lines,
        exchange: (requests: ReadonlyArray<string>, responses: number) => {
          lines.length = 0
          child.stdin.write(`${requests.join("\n")}\n`)
          return Effect.map(
            until(
              Effect.sync(() => lines.length),
              (length) => length >= responses
            ),
            () => lines.map((line) => JSON.parse(line))
          )
        }
      }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** The maximum memory of a process so far, in MB. */
const peakMemory = ({ pid }: { readonly pid?: number | undefined }): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024

/** The maximum growth of memory by a flood, in MB. */
const maxGrowth = 80

layer(LiveService.Shared, { excludeTestServices: true })("The program switchboard mcp", (it) => {
  it.scoped("lists described tools, and tools to send only with --allow-send", () =>
    Effect.gen(function* () {
      const client = yield* start()
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.sameMembers(
        tools.map(({ name }) => name),
        [...readTools, ...additions, ...changes]
      )
      for (const { annotations, description, inputSchema, name } of tools) {
        assert.isAtLeast(description?.length ?? 0, 40, name)
        assert.strictEqual(annotations?.readOnlyHint, readTools.includes(name), name)
        assert.strictEqual(annotations?.destructiveHint, changes.includes(name), name)
        assert.isFalse(annotations?.openWorldHint, name)
        for (const [field, property] of Object.entries(inputSchema.properties ?? {})) {
          assert.property(property, "description", `${name}.${field}`)
        }
        const definitions = Object.keys(inputSchema.$defs ?? {})
        for (const [, reference] of JSON.stringify(inputSchema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
          assert.include(definitions, reference, name)
        }
        assert.notInclude(JSON.stringify(inputSchema), "#/components", name)
      }
      const sending = yield* start("--allow-send")
      const all = (yield* Effect.promise(() => sending.listTools())).tools
      assert.sameMembers(
        all.filter(({ annotations }) => annotations?.openWorldHint).map(({ name }) => name),
        ["reply", "send_message"]
      )
      const { body, isError } = yield* callTool(client, "reply", { messageId: unknownId, text: "Hi", send: true })
      assert.isTrue(isError)
      assert.deepStrictEqual(body.fields, { send: ["is not a known field"] })
      const refused = yield* Effect.promise(() =>
        client.callTool({ name: "send_message", arguments: { message: send() } }).catch((error: unknown) => error)
      )
      assert.match(String(refused), /-32602.*send_message/)
    })
  )

  it.scoped("finds, reads and explains messages", () =>
    Effect.gen(function* () {
      const client = yield* start()
      const { id } = yield* accepted({ tags: ["mcp"] }, { text: "Hello Ada" })
      yield* settled(id, "delivered")
      const { messages, pagination } = yield* toolResult(client, "find_messages", { tag: "mcp", limit: 5 })
      assert.strictEqual(pagination.total, 1)
      assert.deepInclude(messages[0], { id, status: "delivered", to: ["ada@example.com"], preview: "Hello Ada" })
      assert.deepInclude(yield* toolResult(client, "get_message", { messageId: id }), { id, text: "Hello Ada" })
      const explained = yield* toolResult(client, "explain_message", { messageId: id })
      assert.match(explained.explanation, /^The message was delivered at \d{4}-/)
      assert.deepInclude(explained, { status: "delivered", attempts: 1, nextRetryAt: null })
      assert.deepInclude(explained.deliveries[0], { recipient: "ada@example.com", status: "delivered" })
      assert.include(
        explained.history.map(({ type }: { readonly type: string }) => type),
        "message.sent"
      )
      const bounced = yield* accepted({ to: [{ email: "perm550@example.com" }] })
      yield* settled(bounced.id, "bounced")
      const why = yield* toolResult(client, "explain_message", { messageId: bounced.id })
      assert.match(
        why.explanation,
        /^The message was not delivered to all recipients: .* There is no further attempt\.$/
      )
      assert.property(why.deliveries[0], "reason")
      const partly = yield* accepted({
        to: ["ada@example.com", "perm550@example.com", "temp451@example.com"].map((email) => ({ email }))
      })
      yield* settled(partly.id, "delivered")
      const { explanation } = yield* toolResult(client, "explain_message", { messageId: partly.id })
      assert.match(explanation, /Z\. 1 of 3 recipients are still attempted\. 1 of 3 recipients did not get it\.$/)
    })
  )

  it.scoped("writes drafts and replies that a person sends", () =>
    Effect.gen(function* () {
      const client = yield* start()
      const { call } = yield* service
      const { draftId } = yield* toolResult(client, "draft_message", {
        channel: "email",
        recipients: [{ email: "ada@example.com" }],
        content: { subject: "Offer", text: "Dear Ada" }
      })
      assert.deepInclude((yield* call("GET", `/v1/drafts/${draftId}`)).body.content, { subject: "Offer" })
      const { id } = yield* accepted({}, { subject: "Order 1815" })
      const reply = yield* toolResult(client, "reply", { messageId: id, text: "Thanks" })
      const draft = (yield* call("GET", `/v1/drafts/${reply.draftId}`)).body
      assert.deepStrictEqual(draft.recipients, [{ email: "ada@example.com" }])
      assert.deepStrictEqual(draft.content, { subject: "Re: Order 1815", text: "Thanks" })
      const sent = yield* call("POST", `/v1/drafts/${reply.draftId}/send`, {})
      assert.strictEqual(sent.body.parentMessageId, id)
    })
  )

  it.scoped("sends with --allow-send, and a reply joins the thread", () =>
    Effect.gen(function* () {
      const client = yield* start("--allow-send")
      const message = send({ idempotencyKey: "mcp-1" })
      const sent = yield* toolResult(client, "send_message", { message })
      assert.strictEqual((yield* toolResult(client, "send_message", { message })).id, sent.id)
      const reply = yield* toolResult(client, "reply", { messageId: sent.id, text: "One more thing", send: true })
      assert.strictEqual((yield* messageOf(reply.id)).parentMessageId, sent.id)
      const thread = yield* toolResult(client, "get_thread", { messageId: sent.id })
      assert.deepStrictEqual(
        thread.messages.map(({ id }: { readonly id: string }) => id),
        [sent.id, reply.id]
      )
    })
  )

  it.scoped("keeps templates, blocks addresses, and returns figures", () =>
    Effect.gen(function* () {
      const client = yield* start()
      const template = { name: "mcp welcome", subject: "Welcome", html: "<p>{{name}}</p>" }
      assert.deepInclude(yield* toolResult(client, "save_template", template), { outcome: "created", version: 1 })
      const changed = yield* toolResult(client, "save_template", { name: "mcp welcome", subject: "Hello {{name}}" })
      assert.deepInclude(changed, { outcome: "changed", version: 2 })
      const { templates } = yield* toolResult(client, "list_templates", { search: "mcp", withContent: true })
      assert.deepInclude(templates[0], { name: "mcp welcome", subject: "Hello {{name}}", html: "<p>{{name}}</p>" })
      const channel = yield* callTool(client, "save_template", { name: "mcp welcome", channel: "sms", text: "Hi" })
      assert.deepStrictEqual(channel.body.fields, { channel: ["must be email, or choose another name"] })
      const block = yield* toolResult(client, "block_address", { email: "blocked@example.com" })
      assert.deepInclude(block, { value: "blocked@example.com", source: "api" })
      assert.strictEqual(
        (yield* callTool(client, "block_address", { email: "blocked@example.com" })).body._tag,
        "ConflictError"
      )
      const { channels, email, totals } = yield* toolResult(client, "figures")
      assert.isNumber(email.bounceRate)
      assert.isNumber(totals.totalMessages)
      assert.strictEqual(channels.length, 4)
    })
  )

  it.scoped("returns the errors of the service as errors of the tool", () =>
    Effect.gen(function* () {
      const client = yield* start()
      const { call, environment } = yield* service
      const failed = (name: string, parameters?: Readonly<Record<string, unknown>>, of = client) =>
        Effect.map(callTool(of, name, parameters), ({ body, isError, text }) => {
          assert.isTrue(isError, text)
          return body
        })
      assert.deepStrictEqual(yield* failed("get_message", { messageId: unknownId }), {
        _tag: "ResourceNotFoundError",
        message: `The message does not exist: ${unknownId}`
      })
      assert.deepStrictEqual(yield* failed("find_messages", { limit: "many", search: "ab", folder: "inbox" }), {
        _tag: "ValidationError",
        message: "The parameters are invalid",
        fields: {
          folder: ["is not a known field"],
          limit: ["must be a number"],
          search: ["must have 3 to 998 characters"]
        }
      })
      assert.strictEqual((yield* failed("get_message")).fields.messageId[0], "is required")
      assert.strictEqual((yield* failed("get_thread", {})).fields.threadId[0], "is required, or messageId instead")
      assert.deepStrictEqual((yield* failed("block_address", {})).fields, { email: ["is required without domain"] })
      assert.strictEqual((yield* toolResult(client, "doctor")).queues.length, 8)
      const { body } = yield* call("POST", "/v1/api-keys", {
        name: "reader",
        permissions: { analytics: ["read"], messages: ["read"] }
      })
      const reader = yield* startMcp({ ...environment, SWITCHBOARD_API_KEY: body.key })
      assert.isArray((yield* toolResult(reader, "find_messages")).messages)
      assert.isNull((yield* toolResult(reader, "figures")).email)
      const forbidden = yield* failed("draft_message", { channel: "email", recipients: [], content: {} }, reader)
      assert.strictEqual(forbidden._tag, "ForbiddenError")
      assert.match(forbidden.message, /drafts\.write.*set SWITCHBOARD_API_KEY to a key with/)
      assert.strictEqual((yield* failed("doctor", undefined, reader))._tag, "ForbiddenError")
      const unknown = yield* startMcp({ ...environment, SWITCHBOARD_API_KEY: "sk_unknown" })
      assert.strictEqual((yield* failed("find_messages", {}, unknown))._tag, "UnauthorizedError")
      const alone = yield* startMcp({ ...environment, SWITCHBOARD_URL: "http://127.0.0.1:9" })
      assert.match((yield* failed("find_messages", {}, alone)).message, /^No connection to http:\/\/127\.0\.0\.1:9/)
    })
  )

  it.scoped("responds to 72 calls at once, with responses of bounded length", () =>
    Effect.gen(function* () {
      const client = yield* start()
      const { id } = yield* accepted({}, { text: "long ".repeat(20_000) })
      const calls = yield* Effect.replicateEffect(callTool(client, "get_message", { messageId: id }), 72, {
        concurrency: "unbounded"
      })
      for (const { body, isError, text } of calls) {
        assert.isFalse(isError)
        assert.strictEqual(body.id, id)
        assert.isBelow(text.length, 48_001)
      }
      assert.match(calls[0]?.body.text, /… \(truncated: \d+ more characters\)$/)
    })
  )

  it.scoped("makes 8 requests at the same time, lets 64 calls wait and refuses further ones", () =>
    Effect.gen(function* () {
      const { awaitOpen, environment, open, release } = yield* holdingService
      const { child, exchange, lines } = yield* raw(environment)
      yield* exchange([request("first", "ping")], 1)
      const before = peakMemory(child)
      const responses = yield* exchange(Array.makeBy(20_000, callOf), 19_928)
      assert.lengthOf(responses, 19_928)
      assert.deepStrictEqual(Array.dedupe(responses.map(({ error }) => error.code)), [-32005])
      yield* awaitOpen(8)
      const [listed] = yield* exchange([request("list", "tools/list")], 1)
      assert.strictEqual(listed.id, "list")
      assert.lengthOf(open, 8)
      lines.length = 0
      yield* release
      yield* until(
        Effect.sync(() => lines.length),
        (count) => count >= 72
      )
      assert.sameMembers(
        lines.map((line) => JSON.parse(line).id),
        Array.makeBy(72, (id) => id)
      )
      const [after] = yield* exchange([callOf("after")], 1)
      assert.isTrue(after.result.isError)
      assert.isBelow(peakMemory(child) - before, maxGrowth)
    })
  )

  it.scoped("refuses lines that are too long, too deep or have too many messages, and reads on", () =>
    Effect.gen(function* () {
      const { child, exchange } = yield* raw((yield* service).environment)
      yield* exchange([request(0, "ping")], 1)
      const before = peakMemory(child)
      const nested = (depth: number) =>
        request("deep", "ping", { a: JSON.parse("[".repeat(depth) + "]".repeat(depth)) })
      const responses = yield* exchange(
        [
          "x".repeat(200 * 1024 * 1024),
          `${request(1, "ping").slice(0, -1)},"a":"${"x".repeat(4 * 1024 * 1024 - 100)}"}`,
          nested(70),
          `[${Array.makeBy(65, (id) => request(id, "ping")).join(",")}]`,
          " ",
          request(2, "ping")
        ],
        5
      )
      assert.sameDeepMembers(
        responses.map(({ error, id }) => [id, error?.code]),
        [
          [null, -32700],
          [1, undefined],
          [null, -32600],
          [null, -32600],
          [2, undefined]
        ]
      )
      assert.isBelow(peakMemory(child) - before, maxGrowth)
    })
  )

  it.scoped("reads no further messages while many responses are not written", () =>
    Effect.gen(function* () {
      const { child, exchange } = yield* raw((yield* service).environment)
      yield* exchange([request("first", "ping")], 1)
      const before = peakMemory(child)
      const responses = yield* exchange(
        Array.makeBy(3_000, (id) => request(id, "tools/list")),
        3_000
      )
      assert.strictEqual(responses.at(-1).id, 2_999)
      assert.isBelow(peakMemory(child) - before, maxGrowth)
    })
  )

  it.scoped("responds to any id, to invalid messages and to unknown methods, and exits with its input", () =>
    Effect.gen(function* () {
      const { child, exchange } = yield* raw((yield* service).environment)
      const initialize = request("first-1", "initialize", {
        protocolVersion: "2025-11-25",
        capabilities: { roots: { listChanged: true }, elicitation: { form: {} } },
        clientInfo: { name: "raw", title: "Raw", version: "1" }
      })
      const [initialized] = yield* exchange([initialize], 1)
      assert.deepInclude(initialized, { jsonrpc: "2.0", id: "first-1" })
      assert.strictEqual(initialized.result.protocolVersion, "2025-06-18")
      const responses = yield* exchange(
        [
          "not JSON",
          "[]",
          "5",
          JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
          JSON.stringify({ jsonrpc: "2.0", method: "@effect/rpc/Eof" }),
          JSON.stringify({ jsonrpc: "2.0", id: 9, result: {} }),
          request("1", "ping"),
          request(1, "ping"),
          request("x", "tasks/list"),
          request(2, "tools/call", {}),
          request(0, "tools/list")
        ],
        8
      )
      const found = (id: unknown) => responses.filter((response) => response.id === id)
      assert.sameMembers(
        found(null).map(({ error }) => error.code),
        [-32700, -32600, -32600]
      )
      assert.deepStrictEqual(found("1"), [{ jsonrpc: "2.0", id: "1", result: {} }])
      assert.deepStrictEqual(found(1), [{ jsonrpc: "2.0", id: 1, result: {} }])
      assert.strictEqual(found("x")[0].error.code, -32601)
      assert.strictEqual(found(2)[0].error.code, -32602)
      assert.isAbove(found(0)[0].result.tools.length, 10)
      child.stdin.end()
      const [code] = yield* Effect.promise(() => once(child, "exit"))
      assert.strictEqual(code, 0)
    })
  )
})
