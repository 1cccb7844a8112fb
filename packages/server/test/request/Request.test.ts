import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { IsTerminal } from "@switchboard/server/request/SendRequest"
import { Effect } from "effect"
import { LiveService, send, temporaryFolder } from "../LiveService.js"
import { failingCommand, outputOf, runCommand } from "../TestCommand.js"

const environment = Effect.map(LiveService, ({ baseUrl, key }) => ({
  SWITCHBOARD_URL: baseUrl,
  SWITCHBOARD_API_KEY: key
}))

const request = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(environment, (settings) => runCommand(["request", ...args], settings)).pipe(
    Effect.map(({ stdout }) => stdout)
  )

layer(LiveService.Shared, { excludeTestServices: true })("switchboard request", (it) => {
  it.scoped("sends a request with the key, and prints the JSON of the response as it is", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const body = JSON.stringify(send())
      const message = JSON.parse(yield* request("POST", "/v1/messages", "--data", body))
      assert.strictEqual(message.status, "pending")
      assert.strictEqual(JSON.parse(yield* request("get", `v1/messages/${message.id}`)).id, message.id)
      const list = yield* request("GET", "/v1/messages?limit=5&channel=email")
      assert.strictEqual(list.trim().split("\n").length, 1)
      assert.strictEqual(JSON.parse(list).items[0].id, message.id)

      writeFileSync(join(folder, "message.json"), body)
      const fromFile = (key: string) =>
        request(
          "POST",
          "/v1/messages",
          "--data",
          `@${join(folder, "message.json")}`,
          "--header",
          `Idempotency-Key: ${key}`
        )
      const [first, again, other] = [yield* fromFile("one"), yield* fromFile("one"), yield* fromFile("two")]
      assert.strictEqual(JSON.parse(again).id, JSON.parse(first).id)
      assert.notStrictEqual(JSON.parse(other).id, JSON.parse(first).id)
      const resent = JSON.parse(yield* request("POST", `/v1/messages/${message.id}/resend`))
      assert.notStrictEqual(resent.id, message.id)
    })
  )

  it.scoped("indents the JSON on a terminal", () =>
    Effect.gen(function* () {
      const output = yield* Effect.provideService(request("GET", "/v1/messages?limit=1"), IsTerminal, true)
      assert.match(output, /^\{\n {2}"items": \[/)
    })
  )

  it.scoped("fails after the body of an error, with the status", () =>
    Effect.gen(function* () {
      const settings = yield* environment
      const args = ["request", "POST", "/v1/messages", "--data", '{"channel":"email"}']
      const body = JSON.parse(yield* outputOf(args, settings))
      assert.strictEqual(body._tag, "ValidationError")
      assert.strictEqual(
        yield* failingCommand(args, settings),
        "switchboard: POST /v1/messages: 422 Unprocessable Entity\n"
      )
      assert.match(
        yield* failingCommand(["request", "GET", "/v1/messages"], { ...settings, SWITCHBOARD_API_KEY: "sk_sm_no" }),
        /401 Unauthorized: set SWITCHBOARD_API_KEY to a key with the permission of the operation$/m
      )
      assert.match(yield* failingCommand(["request", "GET", "/messages"], settings), /GET \/messages: 404 Not Found$/m)
    })
  )

  it.scoped("sends the key to the service only, and follows no redirect", () =>
    Effect.gen(function* () {
      const target = yield* receiver((response) => response.end("{}"))
      const redirect = yield* receiver((response) => response.writeHead(307, { location: `${target.url}/there` }).end())
      const settings = { SWITCHBOARD_URL: `${redirect.url}/below/v1/`, SWITCHBOARD_API_KEY: "sk_sm_secret" }
      const error = yield* failingCommand(["request", "POST", "/v1/messages", "--data", "{}"], settings)
      assert.strictEqual(
        error,
        `switchboard: POST /v1/messages: 307 Temporary Redirect to ${target.url}/there, which is not followed: set SWITCHBOARD_URL to the URL of the service itself\n`
      )
      const host = target.url.replace("http://", "")
      for (const path of [`@${host}/v1`, `/@${host}/v1`, "/../v1", `v1/../..//${host}`]) {
        yield* failingCommand(["request", "GET", path], settings)
      }
      for (const path of [target.url, `//${host}/v1`, `/\\${host}`, `\\\\${host}`, "javascript:1", "/v1#x"]) {
        assert.match(yield* failingCommand(["request", "GET", path], settings), /^switchboard: PATH must /)
      }
      assert.deepStrictEqual(target.received, [])
      assert.deepStrictEqual(
        redirect.received.map(({ path }) => path),
        ["/below/v1/messages", `/below/@${host}/v1`, `/below/@${host}/v1`, "/v1", `//${host}`]
      )
      assert.isTrue(redirect.received.every(({ headers }) => headers["x-api-key"] === "sk_sm_secret"))
    })
  )

  it.scoped("exits with an error message for invalid arguments, without a request", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const service = yield* receiver((response) => response.end("{}"))
      const port = yield* freePort
      const header = (text: string) => ["GET", "/v1", "--header", text]
      const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
        [["FETCH", "/v1"], /^METHOD must be one of GET, POST, PUT, PATCH, DELETE\. Run /],
        [["GET"], /Run "switchboard request --help" for the arguments and options$/],
        [["GET", "/v1", "--data", "{}"], /^Give --data only with POST, PUT, PATCH or DELETE$/],
        [["POST", "/v1", "--data", "{"], /^--data is not JSON: /],
        [["POST", "/v1", "--data", `@${folder}`], /^--data can't be read: /],
        [["POST", "/v1", "--data", `@${join(folder, "nope")}`], /^--data can't be read: .*nope/],
        [header("no colon"), /^--header must be a header like /],
        [header("X-Line: a\r\nX-Api-Key: b"), /^--header must be a header like /],
        [header("X-API-Key: sk_sm_x"), /^--header must not set X-API-Key: the key is that of SWITCHBOARD_API_KEY$/],
        [header("Content-Length: 1"), /^--header must not set Content-Length$/],
        [["GET", "/v1", "--url", `http://127.0.0.1:${port}`], /^No connection to http\S+ \(connect ECONNREFUSED /],
        [["GET", "/v1", "--api-key", "a\nb"], /^--api-key: must be an API key, without spaces$/]
      ]
      for (const [args, message] of refusals) {
        const error = yield* failingCommand(["request", ...args], {
          SWITCHBOARD_URL: service.url,
          SWITCHBOARD_API_KEY: "sk_sm_secret"
        })
        assert.match(error.replace(/^switchboard: /, "").trimEnd(), message)
        assert.notInclude(error, "sk_sm_secret")
      }
      assert.match(yield* failingCommand(["request", "GET", "/v1"], {}), /^switchboard: There is no API key: /)
      assert.deepStrictEqual(service.received, [])
    })
  )
})
