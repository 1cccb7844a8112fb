import { spawn } from "node:child_process"
import { connect, createServer } from "node:net"
import { createInterface } from "node:readline"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type Received, receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Layer } from "effect"
import { Webhook } from "standardwebhooks"
import { adminKey, caller, LiveService, send, until } from "./LiveService.js"
import { ended, failing, launch, program } from "./ServiceProcess.js"

/** The command as a developer runs it; what it has said so far. */
const listening = (url: string, forwardTo: string, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const said: Array<string> = []
      const child = spawn(process.execPath, [program, "listen", "--url", url, "--forward-to", forwardTo, ...args], {
        env: { PATH: process.env.PATH ?? "", SWITCHBOARD_API_KEY: adminKey },
        stdio: ["ignore", "pipe", "inherit"]
      })
      createInterface(child.stdout).on("line", (line) => said.push(line))
      return { child, said }
    }),
    ({ child }) => Effect.sync(() => child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
  )

const hears = ({ said }: { readonly said: ReadonlyArray<string> }, pattern: RegExp) =>
  until(
    Effect.sync(() => said),
    (lines) => lines.some((line) => pattern.test(line))
  )

interface Told {
  readonly id: string
  readonly type: string
  readonly data: { readonly id: string }
}

const eventOf = ({ body }: Received): Told => JSON.parse(body)

/** Throws unless the request is signed with the secret. */
const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"])
  })

const steps = ["created", "processing", "sent", "delivered"].map((step) => `message.${step}`)

/** What was told about a message, in the order in which it came. */
const toldOf = (received: ReadonlyArray<Received>, id: string) =>
  received.map(eventOf).flatMap(({ data, type }) => (data.id === id ? [type] : []))

const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

const sendSome = (howMany: number) =>
  Effect.flatMap(LiveService, ({ call }) =>
    Effect.forEach(Array.range(1, howMany), () =>
      Effect.map(call("POST", "/v1/messages", send()), ({ body }) => String(body.id))
    )
  )

layer(LiveService.layer().pipe(Layer.provideMerge(TestDatabase), Layer.provideMerge(TestDatabaseUrl.Live)), {
  timeout: "60 seconds",
  excludeTestServices: true
})("switchboard listen", (it) => {
  it.scoped(
    "posts what happens, signed, says what became of each, and ends with 0 at Ctrl-C",
    () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* LiveService
        const hook = yield* receiver((response, request) => {
          const { type } = eventOf(request)
          if (type === "message.processing") response.destroy()
          else response.writeHead(type === "message.sent" ? 500 : 200).end("thanks")
        })
        const listener = yield* listening(baseUrl, `${hook.url}/hooks?from=switchboard`)
        yield* hears(listener, /^Listening to http/)
        const { body } = yield* call("POST", "/v1/messages", send())
        yield* hears(listener, /message\.delivered/)
        assert.deepStrictEqual(toldOf(hook.received, body.id), steps)
        const secret = /whsec_\S+/.exec(listener.said[0] ?? "")?.[0] ?? ""
        for (const request of hook.received) {
          assert.strictEqual(request.path, "/hooks?from=switchboard")
          assert.strictEqual(request.headers["webhook-id"], eventOf(request).id)
          verified(secret, request)
        }
        assert.throws(() => hook.received.map((request) => verified(`whsec_${"A".repeat(43)}=`, request)))
        const lines = listener.said.filter((line) => line.includes("message."))
        for (const [at, pattern] of [
          /message\.created {2}200 {2}\d+ ms$/,
          /message\.processing {2}failed {2}\d+ ms {2}The connection was closed/,
          /message\.sent {2}500 {2}\d+ ms$/,
          /message\.delivered {2}200 {2}\d+ ms$/
        ].entries()) {
          assert.match(lines[at] ?? "", pattern)
          assert.match(lines[at] ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}/)
        }
        listener.child.kill("SIGINT")
        assert.strictEqual(yield* ended(listener.child), 0)
      }),
    300_000
  )

  it.scoped("signs with the secret that it is given, and tells only what it is asked for", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      const hook = yield* receiver((response) => response.end())
      const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`
      const types = "message.delivered,message.created"
      const listener = yield* listening(baseUrl, hook.url, "--secret", secret, "--types", types)
      yield* hears(listener, /^Listening to http/)
      const [id = ""] = yield* sendSome(1)
      yield* hears(listener, /message\.delivered/)
      assert.deepStrictEqual(toldOf(hook.received, id), ["message.created", "message.delivered"])
      for (const request of hook.received) verified(secret, request)
      assert.isFalse(listener.said.some((line) => line.includes(secret)))
    })
  )

  it.scoped(
    "loses and repeats nothing while the service that it listens to is stopped and started again",
    () =>
      Effect.gen(function* () {
        const { environment } = yield* LiveService
        const port = String(yield* freePort)
        const url = `http://127.0.0.1:${port}`
        const first = yield* launch("api", { ...environment, PORT: port })
        const hook = yield* receiver((response) => response.end())
        const listener = yield* listening(url, hook.url)
        yield* hears(listener, /^Listening to/)
        // Before it has heard anything.
        first.child.kill("SIGTERM")
        assert.strictEqual(yield* ended(first.child), 0)
        const early = yield* sendSome(3)
        const second = yield* launch("api", { ...environment, PORT: port })
        yield* hears(listener, /^Listening again/)
        const during = yield* sendSome(10)
        second.child.kill("SIGTERM")
        assert.strictEqual(yield* ended(second.child), 0)
        const away = yield* sendSome(10)
        yield* launch("api", { ...environment, PORT: port })
        const late = yield* sendSome(3)
        const ids = [...early, ...during, ...away, ...late]
        const received = yield* until(
          Effect.sync(() => hook.received),
          (all) => ids.every((id) => toldOf(all, id).includes("message.delivered"))
        )
        for (const id of ids) assert.deepStrictEqual(toldOf(received, id), steps)
        assert.strictEqual(new Set(received.map(eventOf).map(({ id }) => id)).size, received.length)
      }),
    300_000
  )

  it.scoped(
    "ends with a sentence when it is refused",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* LiveService
        const trying = (...args: ReadonlyArray<string>) =>
          failing(["listen", "--url", baseUrl, "--forward-to", "http://127.0.0.1:9", ...args], {
            PATH: process.env.PATH ?? "",
            SWITCHBOARD_API_KEY: adminKey
          })
        const [key, types, secret] = yield* Effect.all(
          [trying("--api-key", "sk_sm_wrong"), trying("--types", "message.snet"), trying("--secret", "whsec_short")],
          { concurrency: 3 }
        )
        assert.match(key, /^switchboard: The API key is missing or invalid$/m)
        assert.match(types, /^switchboard: .*which "message\.snet" is not$/m)
        assert.match(secret, /^switchboard: --secret must be/m)
      }),
    300_000
  )
})

layer(LiveService.layer().pipe(Layer.provideMerge(TestDatabase), Layer.provideMerge(TestDatabaseUrl.Live)), {
  timeout: "60 seconds",
  excludeTestServices: true
})("A process that stops", (it) => {
  it.scoped(
    "is not held by somebody who follows events and does not read them",
    () =>
      Effect.gen(function* () {
        const { environment } = yield* LiveService
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
        SELECT o.id, gen_random_uuid(), 'api_key.created', gen_random_uuid(),
          json_build_object('name', repeat('x', 15000)), now()
        FROM (SELECT id FROM organizations LIMIT 1) AS o, generate_series(1, 2000)`
        const { baseUrl, child } = yield* launch("api", environment)
        const { hostname, port } = new URL(baseUrl)
        const socket = yield* Effect.acquireRelease(
          Effect.sync(() => connect(Number(port), hostname)),
          (open) => Effect.sync(() => open.destroy())
        )
        socket.on("error", () => undefined)
        socket.write(
          `GET /v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${adminKey}\r\nLast-Event-ID: 00000000-0000-0000-0000-000000000000\r\n\r\n`
        )
        yield* Effect.async<void>((resume) => {
          socket.once("data", () => {
            socket.pause()
            resume(Effect.void)
          })
        })
        // Somebody else is served meanwhile, and what is stuck gets stuck.
        yield* Effect.repeatN(caller(baseUrl)("GET", "/v1/messages?limit=1"), 100)
        child.kill("SIGTERM")
        assert.strictEqual(yield* ended(child), 0)
        assert.isBelow(socket.bytesRead, 2_000 * 15_000)
      }),
    300_000
  )
})
