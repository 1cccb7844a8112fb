import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { adminKey, caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, failing, launch, run, stop } from "./ServiceProcess.js"
import { smtpSink } from "./SmtpSink.js"
import { noSystemPostgres, systemPostgres } from "./SystemPostgres.js"

/** A port on which no relay listens. */
const noRelay = { SMTP_URL: "smtp://127.0.0.1:1", SMTP_CONFIRMATION: "accept" }

/** Sends a message that waits for a relay, with an attachment, and one that is scheduled. */
const sendWaiting = (baseUrl: string) =>
  Effect.gen(function* () {
    const call = caller(baseUrl)
    const attachments = [
      { filename: "a.txt", contentType: "text/plain", content: Buffer.from("Hello").toString("base64") }
    ]
    const waiting = yield* call("POST", "/v1/messages", send({}, { attachments }))
    const scheduledAt = DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 1 }))
    const scheduled = yield* call("POST", "/v1/messages", send({ scheduledAt }))
    assert.deepStrictEqual([waiting.status, scheduled.status], [201, 201])
    return { waiting: waiting.body.id, scheduled: scheduled.body.id }
  })

/** Runs a restored copy: nothing is sent until it is released; then the messages that are due later, and new ones. */
const releaseCopy = (environment: Record<string, string>, ids: Effect.Effect.Success<ReturnType<typeof sendWaiting>>) =>
  Effect.gen(function* () {
    const sink = yield* smtpSink
    const { baseUrl } = yield* launch("serve", { ...environment, SMTP_URL: `smtp://127.0.0.1:${sink.port}` })
    const call = caller(baseUrl)
    const status = (id: string) => Effect.map(call("GET", `/v1/messages/${id}`), ({ body }): string => body.status)
    const { body: held } = yield* call("POST", "/v1/messages", send())
    // A backup of a running service can be made in an attempt.
    assert.include(["queued", "processing"], yield* status(ids.waiting))
    assert.strictEqual(yield* status(held.id), "pending")
    assert.match(yield* failing(["release"], environment), /Give --since TIME or --all/)
    assert.match(
      yield* failing(["release", "--since", "2999-01-01T00:00:00Z"], environment),
      /must not be in the future/
    )
    assert.match(
      yield* failing(["release", "--since", "now"], environment),
      /^switchboard: --since must be a time such as /
    )
    const since = DateTime.formatIso(DateTime.unsafeMake(held.createdAt))
    yield* run(["release", "--since", since], environment)

    yield* until(status(held.id), (is) => is === "delivered")
    yield* until(status(ids.waiting), (is) => is === "failed")
    const { body } = yield* call("GET", `/v1/messages/${ids.waiting}`)
    assert.strictEqual(body.errorDetails.code, "restored")
    assert.strictEqual(yield* status(ids.scheduled), "scheduled")
    assert.lengthOf(sink.mails, 1)
    const raw = yield* Effect.promise(() =>
      fetch(`${baseUrl}/v1/email/${ids.waiting}/raw`, { headers: { "X-API-Key": adminKey } }).then((one) => one.text())
    )
    assert.include(raw, Buffer.from("Hello").toString("base64"))
    assert.match(yield* failing(["release", "--all"], environment), /The database is not held/)
  })

describe("A backup", () => {
  it.scopedLive("of the embedded database is restored into an empty DATA_DIR, and held", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = join(folder, "backup.tar")
      const environment = { ...base(join(folder, "old")), ...noRelay, LOG_LEVEL: "none" }
      assert.match(yield* failing(["backup", file], environment), /There is nothing to back up/)
      const service = yield* launch("serve", environment)
      const ids = yield* sendWaiting(service.baseUrl)
      yield* until(
        caller(service.baseUrl)("GET", `/v1/messages/${ids.waiting}`),
        ({ body }) => body.status === "queued"
      )
      assert.match(yield* failing(["backup", file], environment), /The service runs on .*: stop it/)
      yield* stop(service)
      yield* run(["backup", file], environment)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.match(yield* failing(["backup", file], environment), /backup.tar exists/)

      const copy = { ...environment, DATA_DIR: join(folder, "new") }
      const other = Buffer.alloc(32, 7).toString("base64")
      assert.match(
        yield* failing(["restore", file], { ...copy, MASTER_KEY: other }),
        /MASTER_KEY is not the key of the backup/
      )
      assert.match(
        yield* failing(["restore", file], { ...copy, DATABASE_URL: "postgres://127.0.0.1:1/db" }),
        /restore it without DATABASE_URL/
      )
      writeFileSync(join(folder, "text"), "text")
      assert.match(yield* failing(["restore", join(folder, "text")], copy), /text is not a backup: /)
      yield* run(["restore", file], copy)
      assert.match(yield* failing(["restore", file], copy), /exists: restore into an empty DATA_DIR/)
      yield* releaseCopy(copy, ids)
    })
  )

  it.scopedLive.skipIf(noSystemPostgres !== "")(
    `of a running PostgreSQL is restored into an empty database, and held${noSystemPostgres}`,
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const file = join(folder, "backup.tar")
        const { create } = yield* systemPostgres(folder)
        const environment = {
          ...base(join(folder, "old")),
          ...noRelay,
          DATABASE_URL: yield* create("old"),
          LOG_LEVEL: "none"
        }
        const service = yield* launch("serve", environment)
        const ids = yield* sendWaiting(service.baseUrl)
        yield* until(
          caller(service.baseUrl)("GET", `/v1/messages/${ids.waiting}`),
          ({ body }) => body.status === "queued"
        )
        yield* run(["backup", file], environment)
        assert.match(
          yield* failing(["backup", join(folder, "other.tar")], { ...environment, PATH: folder }),
          /pg_dump is not on PATH: install the client programs of PostgreSQL/
        )
        mkdirSync(join(folder, "new"))
        const copy = { ...environment, DATA_DIR: join(folder, "new"), DATABASE_URL: yield* create("new") }
        assert.match(
          yield* failing(["restore", file], { ...copy, DATABASE_URL: environment.DATABASE_URL }),
          /The database is not empty/
        )
        yield* run(["restore", file], copy)
        yield* releaseCopy(copy, ids)
      })
  )
})
