import { connect } from "node:net"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type Received, receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Exit, Layer, Scope } from "effect"
import { eventOf, verified } from "./Hooks.js"
import { accepted, caller, LiveService, until } from "./LiveService.js"
import { failingCommand, startCommand } from "./TestCommand.js"
import { startService } from "./TestService.js"

/** Starts the command; returns its output so far. */
const listening = Effect.fnUntraced(function* (
  settings: Readonly<Record<string, string>>,
  forwardTo: string,
  ...args: ReadonlyArray<string>
) {
  const { key } = yield* LiveService
  const environment = { SWITCHBOARD_API_KEY: key, ...settings }
  const { output } = yield* startCommand(["listen", "--forward-to", forwardTo, ...args], environment)
  return () => output().stdout.split("\n")
})

/** Starts the API without a worker; returns how it is stopped. */
const startApi = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>) {
  const scope = yield* Effect.acquireRelease(Scope.make(), (opened) => Scope.close(opened, Exit.void))
  const { baseUrl } = yield* Scope.extend(startService(settings, { api: true, worker: false }), scope)
  return { baseUrl, stop: Scope.close(scope, Exit.void) }
})

const waitForLine = (lines: () => ReadonlyArray<string>, pattern: RegExp) =>
  until(Effect.sync(lines), (all) => all.some((line) => pattern.test(line)))

const steps = ["created", "processing", "sent", "delivered"].map((step) => `message.${step}`)

/** The types of the events of a message, in the order of arrival. */
const typesOf = (received: ReadonlyArray<Received>, id: string) =>
  received.map(eventOf).flatMap(({ data, type }) => (data.id === id ? [type] : []))

const sendSome = (howMany: number) =>
  Effect.replicateEffect(
    Effect.map(accepted(), ({ id }) => String(id)),
    howMany
  )

const Live = TestDatabase.pipe(Layer.provideMerge(LiveService.Shared))

layer(Live, { excludeTestServices: true })("switchboard listen", (it) => {
  it.scoped("posts signed events and prints each outcome", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      const hook = yield* receiver((response, request) => {
        const { type } = eventOf(request)
        if (type === "message.processing") response.destroy()
        else response.writeHead(type === "message.sent" ? 500 : 200).end("thanks")
      })
      const listener = yield* listening({ SWITCHBOARD_URL: baseUrl }, `${hook.url}/hooks?from=switchboard`)
      yield* waitForLine(listener, /^Listening to http/)
      const [id = ""] = yield* sendSome(1)
      yield* waitForLine(listener, /message\.delivered/)
      assert.deepStrictEqual(typesOf(hook.received, id), steps)
      const secret = /whsec_\S+/.exec(listener()[0] ?? "")?.[0] ?? ""
      for (const request of hook.received) {
        assert.strictEqual(request.path, "/hooks?from=switchboard")
        assert.strictEqual(request.headers["webhook-id"], eventOf(request).id)
        verified(secret, request)
      }
      assert.throws(() => hook.received.map((request) => verified(`whsec_${"A".repeat(43)}=`, request)))
      const lines = listener().filter((line) => line.includes("message."))
      for (const [at, pattern] of [
        /message\.created {2}200 {2}\d+ ms$/,
        /message\.processing {2}failed {2}\d+ ms {2}The connection was closed/,
        /message\.sent {2}500 {2}\d+ ms$/,
        /message\.delivered {2}200 {2}\d+ ms$/
      ].entries()) {
        assert.match(lines[at] ?? "", pattern)
        assert.match(lines[at] ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}/)
      }
    })
  )

  it.scoped("signs with --secret and posts only the events of --types", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      const hook = yield* receiver((response) => response.end())
      const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`
      const types = "message.delivered,message.created"
      const listener = yield* listening(
        { PORT: "1" },
        hook.url,
        "--url",
        `${baseUrl}/`,
        "--secret",
        secret,
        "--types",
        types
      )
      yield* waitForLine(listener, /^Listening to http/)
      const [id = ""] = yield* sendSome(1)
      yield* waitForLine(listener, /message\.delivered/)
      assert.deepStrictEqual(typesOf(hook.received, id), ["message.created", "message.delivered"])
      for (const request of hook.received) verified(secret, request)
      assert.isFalse(listener().some((line) => line.includes(secret)))
    })
  )

  it.scoped("finds the server by its PORT, and neither loses nor repeats events while it restarts", () =>
    Effect.gen(function* () {
      const { environment } = yield* LiveService
      const port = String(yield* freePort)
      const first = yield* startApi({ ...environment, PORT: port })
      const hook = yield* receiver((response) => response.end())
      const listener = yield* listening({ PORT: port }, hook.url)
      yield* waitForLine(listener, /^Listening to/)
      // Before the first event.
      yield* first.stop
      const early = yield* sendSome(3)
      const second = yield* startApi({ ...environment, PORT: port })
      yield* waitForLine(listener, /^Listening again/)
      const during = yield* sendSome(10)
      yield* second.stop
      const away = yield* sendSome(10)
      yield* startApi({ ...environment, PORT: port })
      const late = yield* sendSome(3)
      const ids = [...early, ...during, ...away, ...late]
      const received = yield* until(
        Effect.sync(() => hook.received),
        (all) => ids.every((id) => typesOf(all, id).includes("message.delivered"))
      )
      for (const id of ids) assert.deepStrictEqual(typesOf(received, id), steps)
      assert.strictEqual(new Set(received.map(eventOf).map(({ id }) => id)).size, received.length)
    })
  )

  it.scoped("exits with an error message if the service refuses it", () =>
    Effect.gen(function* () {
      const { baseUrl, key: valid } = yield* LiveService
      const trying = (...args: ReadonlyArray<string>) =>
        failingCommand(["listen", "--url", baseUrl, "--forward-to", "http://127.0.0.1:9", ...args], {
          SWITCHBOARD_API_KEY: valid
        })
      const [key, types, secret] = yield* Effect.all(
        [trying("--api-key", "sk_sm_wrong"), trying("--types", "message.snet"), trying("--secret", "whsec_short")],
        { concurrency: 3 }
      )
      assert.match(key, /^switchboard: The API key is missing or invalid: set SWITCHBOARD_API_KEY to [^\n]*$/m)
      assert.match(types, /^switchboard: The parameter types must be event types [^\n]*"message\.snet" is none$/m)
      assert.match(secret, /^switchboard: --secret must be/m)
    })
  )

  it.scoped("exits with an error message if there is no server, or no URL of one", () =>
    Effect.gen(function* () {
      const port = String(yield* freePort)
      const other = yield* receiver((response) => response.writeHead(404).end("<h1>Not found</h1>"))
      const remedy = "start the server there, or pass its URL with --url$"
      const notUrl = "must be a URL that begins with http:// or https://$"
      const refusals: ReadonlyArray<readonly [settings: Readonly<Record<string, string>>, url: string, error: string]> =
        [
          [{ PORT: port }, "", `No connection to http://127.0.0.1:${port} \\(.*\\): ${remedy}`],
          [
            { PORT: "1", HOST: "::", SWITCHBOARD_URL: other.url },
            "",
            `No connection to ${other.url} \\(.* 404\\): ${remedy}`
          ],
          [{ PORT: "0" }, "", "PORT is 0: pass --url with the URL that the server prints$"],
          [{ PORT: "four" }, "", "PORT: must be a whole number from 0 to 65535$"],
          [{ SWITCHBOARD_URL: "mail.example.com" }, "", `SWITCHBOARD_URL: ${notUrl}`],
          [{ SWITCHBOARD_URL: other.url }, "ftp://mail.example.com", `--url ${notUrl}`]
        ]
      yield* Effect.forEach(
        refusals,
        ([settings, url, error]) =>
          failingCommand(["listen", "--forward-to", "http://127.0.0.1:9", ...(url === "" ? [] : ["--url", url])], {
            SWITCHBOARD_API_KEY: "key",
            ...settings
          }).pipe(Effect.map((output) => assert.match(output, new RegExp(`^switchboard: ${error}`, "m")))),
        { concurrency: 3 }
      )
    })
  )
})

layer(Live, { excludeTestServices: true })("A stopping process", (it) => {
  it.scoped("does not wait for an event stream that its client does not read", () =>
    Effect.gen(function* () {
      const { environment, key, organizationId } = yield* LiveService
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
        SELECT ${organizationId}, gen_random_uuid(), 'api_key.created', gen_random_uuid(),
          json_build_object('name', repeat('x', 15000)), now()
        FROM generate_series(1, 1000)`
      const { baseUrl, stop } = yield* startApi(environment)
      const { hostname, port } = new URL(baseUrl)
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => connect(Number(port), hostname)),
        (open) => Effect.sync(() => open.destroy())
      )
      socket.on("error", () => undefined)
      socket.write(
        `GET /v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nLast-Event-ID: 00000000-0000-0000-0000-000000000000\r\n\r\n`
      )
      yield* Effect.async<void>((resume) => {
        socket.once("data", () => {
          socket.pause()
          resume(Effect.void)
        })
      })
      // Other requests are served while the stream fills its buffers.
      yield* Effect.repeatN(caller(baseUrl, key)("GET", "/v1/messages?limit=1"), 50)
      yield* stop
      assert.isBelow(socket.bytesRead, 1_000 * 15_000)
    })
  )
})
