import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Array, Effect, Fiber, Ref, Schedule } from "effect"
import { caller, send, temporaryFolder, until } from "../ServiceCalls.js"
import { base, failing, launch } from "../ServiceProcess.js"
import { smtpSink } from "../SmtpSink.js"
import { loadClient } from "./LoadClient.js"
import { newReplicatedCluster, removeEmptyCluster } from "./PostgresCluster.js"

/** The URL of several servers, in order. */
const urlOf = (servers: ReadonlyArray<{ readonly url: string }>) => {
  const [first = "", ...others] = servers.map(({ url }) => url)
  return first.replace(/(?<=@)[^/]*/, (host) => [host, ...others.map((url) => new URL(url).host)].join(","))
}

afterAll(removeEmptyCluster)

describe("A DATABASE_URL with several hosts", () => {
  it.scopedLive("leads to the standby that becomes the primary under load, without loss of an accepted message", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { primary, standby } = yield* newReplicatedCluster(join(folder, "database"))
      const sink = yield* smtpSink
      const { baseUrl } = yield* launch("serve", {
        ...base(join(folder, "data")),
        // The standby is first, and is skipped.
        DATABASE_URL: `${urlOf([standby, primary])}?target_session_attrs=read-write`,
        SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        SMTP_CONFIRMATION: "accept"
      })
      const request = yield* loadClient
      const accepted = yield* Ref.make<ReadonlyArray<string>>([])
      /** Sends a message, and repeats it with its key until it is accepted. */
      const sendOne = Effect.suspend(() => {
        const idempotencyKey = randomUUID()
        return request(baseUrl, "POST", "/v1/messages", { ...send(), idempotencyKey })
      }).pipe(
        Effect.flatMap(({ id, status }) =>
          status === 201 && id !== null ? Ref.update(accepted, Array.append(id)) : Effect.fail(status)
        ),
        Effect.retry(Schedule.spaced("50 millis"))
      )
      const load = yield* Effect.fork(
        Effect.forEach(Array.range(1, 4), () => Effect.forever(sendOne), { concurrency: 4 })
      )
      const acceptedSince = (before: number) => until(Ref.get(accepted), (ids) => ids.length >= before + 50)
      yield* acceptedSince(0)
      yield* primary.stop
      yield* standby.query("SELECT pg_promote()")
      const before = yield* Ref.get(accepted)
      yield* acceptedSince(before.length)
      yield* Fiber.interrupt(load)

      const call = caller(baseUrl)
      for (const id of yield* Ref.get(accepted)) {
        yield* until(
          call("GET", `/v1/messages/${id}`),
          ({ body, status }) => status === 200 && body.status === "delivered"
        )
      }
    })
  )

  it.scopedLive("is rejected if one of them is invalid, or if it asks for a standby", () =>
    Effect.gen(function* () {
      const rejected = (url: string) =>
        Effect.flatMap(temporaryFolder, (folder) => failing(["serve"], { ...base(folder), DATABASE_URL: url }))
      assert.match(
        yield* rejected("postgres://user@a:5432,b:x/db"),
        /DATABASE_URL: must be a URL that begins with postgres:/
      )
      assert.match(
        yield* rejected("postgres://user@a,b/db?target_session_attrs=standby"),
        /DATABASE_URL: must not have target_session_attrs=standby: the service writes/
      )
    })
  )
})
