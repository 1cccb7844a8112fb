import { spawn } from "node:child_process"
import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { Effect } from "effect"
import { LiveService, send } from "../LiveService.js"
import { program } from "../ServiceProcess.js"

/** Runs the program with this standard input; returns its output and its exit code. */
const run = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>, input = "") =>
  Effect.async<{ readonly code: number | null; readonly stdout: Buffer; readonly stderr: string }>((resume) => {
    const child = spawn(process.execPath, [program, "request", ...args], { env: environment })
    const [stdout, stderr]: [Array<Buffer>, Array<Buffer>] = [[], []]
    child.stdout.on("data", (chunk) => stdout.push(chunk))
    child.stderr.on("data", (chunk) => stderr.push(chunk))
    child.stdin.end(input)
    child.once("close", (code) =>
      resume(Effect.succeed({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

layer(LiveService.Shared, { excludeTestServices: true })("The program switchboard request", (it) => {
  it.scoped("reads standard input, and exits with 0 for 2xx and 1 otherwise", () =>
    Effect.gen(function* () {
      const { baseUrl, key } = yield* LiveService
      const environment = { SWITCHBOARD_API_KEY: key, SWITCHBOARD_URL: baseUrl }
      const post = ["POST", "/v1/messages", "--data", "-"]
      const sent = yield* run(post, environment, JSON.stringify(send()))
      assert.deepInclude(sent, { code: 0, stderr: "" })
      assert.strictEqual(JSON.parse(sent.stdout.toString()).status, "pending")
      const refused = yield* run(post, environment, "{}")
      assert.deepInclude(refused, { code: 1, stderr: "switchboard: POST /v1/messages: 422 Unprocessable Entity\n" })
      assert.strictEqual(JSON.parse(refused.stdout.toString())._tag, "ValidationError")
    })
  )

  it.scoped("writes other bodies than JSON byte by byte", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, at) => at % 256))
      const files = yield* receiver((response) =>
        response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes)
      )
      const environment = { SWITCHBOARD_API_KEY: "key", SWITCHBOARD_URL: files.url }
      const { code, stdout } = yield* run(["GET", "/v1/file"], environment)
      assert.strictEqual(code, 0)
      assert.isTrue(stdout.equals(bytes))
    })
  )
})
