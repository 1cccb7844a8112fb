import { Agent, request } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Array, Deferred, Effect } from "effect"
import { adminKey, callerOnce, send, temporaryFolder, until } from "./LiveService.js"
import { base, ended, launch } from "./ServiceProcess.js"
import { smtpSink } from "./SmtpSink.js"

const postRaw = (agent: Agent, baseUrl: string, body: unknown) =>
  Effect.async<{ readonly status: number | null; readonly id: string | null }>((resume) => {
    const url = new URL(`${baseUrl}/v1/messages`)
    const outgoing = request(
      url,
      { method: "POST", agent, headers: { "X-API-Key": adminKey, "Content-Type": "application/json" } },
      (response) => {
        let text = ""
        response.on("data", (chunk) => {
          text += String(chunk)
        })
        response.on("end", () =>
          resume(
            Effect.succeed({
              status: response.statusCode ?? null,
              id: response.statusCode === 201 ? JSON.parse(text).id : null
            })
          )
        )
        response.on("error", () => resume(Effect.succeed({ status: null, id: null })))
      }
    )
    outgoing.on("error", () => resume(Effect.succeed({ status: null, id: null })))
    outgoing.end(JSON.stringify(body))
  })

describe("A process under load", () => {
  it.scopedLive("delivers every message with a 201 after it was killed and restarted on the same DATA_DIR", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink
      const environment = {
        ...base(yield* temporaryFolder),
        SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        SMTP_CONFIRMATION: "accept",
        LEASE_DURATION: "2 seconds"
      }
      const first = yield* launch("serve", environment)
      const agent = new Agent({ keepAlive: true, maxSockets: 16 })
      const enough = yield* Deferred.make<void>()
      const accepted: Array<string> = []
      const loaders = yield* Effect.fork(
        Effect.forEach(
          Array.range(1, 2_000),
          () =>
            Effect.flatMap(postRaw(agent, first.baseUrl, send()), ({ id }) => {
              if (id !== null) accepted.push(id)
              return accepted.length >= 100 ? Deferred.succeed(enough, undefined) : Effect.void
            }),
          { concurrency: 16, discard: true }
        )
      )
      yield* Deferred.await(enough)
      process.kill(-(first.child.pid ?? 0), "SIGKILL")
      yield* Effect.exit(loaders.await)
      agent.destroy()
      const second = yield* launch("serve", environment)
      const call = callerOnce(second.baseUrl)
      const unfinished = Effect.forEach(["pending", "queued", "processing"], (status) =>
        Effect.map(call("GET", `/v1/messages?limit=1&status=${status}`), ({ body }) => body.pagination.total as number)
      )
      yield* until(unfinished, (counts) => counts.every((count) => count === 0))
      const states = yield* Effect.forEach(accepted, (id) => call("GET", `/v1/messages/${id}`), { concurrency: 8 })
      assert.deepStrictEqual(new Set(states.map(({ body }) => body.status)), new Set(["delivered"]))
      const arrived = new Map<string, number>()
      for (const { parsed } of sink.mails) {
        const id = parsed.messageId ?? ""
        arrived.set(id, (arrived.get(id) ?? 0) + 1)
      }
      for (const { body } of states) {
        const copies = arrived.get(body.emailMetadata.messageId) ?? 0
        const flagged = body.statusHistory.some(
          ({ metadata }: { metadata?: { possibleDuplicate?: boolean } }) => metadata?.possibleDuplicate === true
        )
        assert.isAtLeast(copies, 1)
        assert.isTrue(copies === 1 || flagged, "a duplicate is flagged as a possible repeat")
      }
      second.child.kill("SIGTERM")
      assert.strictEqual(yield* ended(second.child), 0)
    })
  )

  it.scopedLive("completes all responses before it stops, and exits with 0", () =>
    Effect.gen(function* () {
      const { child, baseUrl } = yield* launch("serve", {
        ...base(yield* temporaryFolder),
        SHUTDOWN_GRACE: "25 seconds"
      })
      const agent = new Agent({ keepAlive: true, maxSockets: 16 })
      const statuses: Array<number> = []
      let lost = 0
      let stopped = false
      // A request that is sent after the stop may be refused: the port is closed.
      const loader: Effect.Effect<void> = Effect.suspend(() => {
        const wasStopped = stopped
        return Effect.flatMap(postRaw(agent, baseUrl, send()), ({ status }) => {
          if (status === null) {
            lost += wasStopped ? 0 : 1
            return Effect.void
          }
          statuses.push(status)
          if (statuses.length === 100) {
            stopped = true
            child.kill("SIGTERM")
          }
          return stopped && status === 503 ? Effect.void : loader
        })
      })
      yield* Effect.forEach(Array.range(1, 16), () => loader, { concurrency: "unbounded", discard: true })
      agent.destroy()
      assert.include(statuses, 201)
      assert.isTrue(statuses.every((status) => status === 201 || status === 503))
      assert.strictEqual(lost, 0)
      assert.strictEqual(yield* ended(child), 0)
    })
  )
})
