import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { v7 } from "uuid"
import { deliver, ReceivingService, verifiedDomain } from "../email/ReceivingService.js"
import { LiveService, send, until } from "../LiveService.js"
import { failingCommand, runCommand } from "../TestCommand.js"
import { tablesWith } from "./TablesWith.js"

const ada = "Ada.Lovelace+news@example.com"
const named = "ada.lovelace+news@example.com"

const Live = Layer.provideMerge(TestDatabase, ReceivingService.layer())

const post = (path: string, body: unknown) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const response = yield* call("POST", path, body)
    assert.include([200, 201], response.status, JSON.stringify(response.body))
    return response.body
  })

const get = (path: string) =>
  Effect.flatMap(LiveService, ({ call }) => call("GET", path)).pipe(
    Effect.map(({ body, status }) => ({ body, status }))
  )

const sentTo = (...to: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { id } = yield* post("/v1/messages", send({ to: to.map((email) => ({ email })) }))
    yield* until(get(`/v1/messages/${id}`), ({ body }) => body.status === "sent")
    return String(id)
  })

layer(Live, { excludeTestServices: true })("switchboard erase", (it) => {
  it.effect(
    "removes an address everywhere except blocks while the service runs, and keeps other people's messages",
    () =>
      Effect.gen(function* () {
        const { call, environment } = yield* LiveService
        const sql = yield* SqlClient.SqlClient
        yield* verifiedDomain("desk.test")
        yield* post("/v1/email/domains/enable-receiving", { domain: "desk.test", addresses: ["help"] })

        const own = yield* sentTo(ada)
        const shared = yield* sentTo(ada, "bob@example.com")
        const others = yield* sentTo("bob@example.com")
        const alike = yield* sentTo(`x${ada}`)
        const later = new Date(Date.now() + 3_600_000).toISOString()
        const scheduled = yield* post("/v1/messages", send({ to: [{ email: ada }], scheduledAt: later }))
        const sharedLater = yield* post(
          "/v1/messages",
          send({
            to: [
              { email: ada, name: "Ada" },
              { email: "bob@example.com", name: "Bob" }
            ],
            scheduledAt: later,
            idempotencyKey: `mail-${ada}`
          })
        )
        const mention = yield* post(
          "/v1/messages",
          send(
            { scheduledAt: later },
            { html: `<p>Ask</p>\n${ada}, or <a href="https://example.com/?who=${encodeURIComponent(ada)}">here</a>` }
          )
        )
        yield* post("/v1/drafts", {
          channel: "email",
          recipients: [{ email: ada }, { email: "bob@example.com" }],
          content: { subject: `About ${ada}` }
        })
        yield* deliver(
          ada,
          "help@desk.test",
          `From: Ada <${ada}>\nTo: help@desk.test\nSubject: Help\nMessage-ID: <${v7()}@example.com>\n\nI am ${ada}.\n`
        )
        yield* deliver(
          "bob@example.com",
          "help@desk.test",
          `From: bob@example.com\nTo: help@desk.test, ${ada}\nSubject: We both\nMessage-ID: <${v7()}@example.com>\n\nHello\n`
        )
        const inbound = yield* until(
          get("/v1/messages?limit=100"),
          ({ body }) => body.items.filter((one: { direction: string }) => one.direction === "inbound").length === 2
        )
        yield* sql`INSERT INTO mailbox_mails (id, message_id, mail_from, rcpt_to, raw, received_at)
          VALUES (${v7()}, '<a@b>', 'us@localhost.test', ${[ada]}, ${Buffer.from(`To: ${ada}`)}, now())`
        yield* post("/v1/email/blocks", { email: ada })
        const participants = yield* get(
          `/v1/participants?filters=${encodeURIComponent(JSON.stringify({ search: named }))}`
        )
        const participant: string = participants.body.items.find(
          (one: { name: string }) => one.name.toLowerCase() === named
        ).id
        assert.isAbove((yield* tablesWith(named)).length, 8)

        const { stdout } = yield* runCommand(["erase", ada], environment)
        assert.match(stdout, /^Erased\n {2}3 messages\n {2}3 recipients of messages with other recipients\n/)
        assert.match(stdout, /\n {2}1 email_blocks\n/)
        const escaped = (table: string) => !table.startsWith("email_blocks.")
        const left = (yield* tablesWith(named)).filter(escaped)
        // The message to an address with the same ending remains.
        const aliens = (yield* tablesWith(`x${named}`)).filter(escaped)
        assert.deepStrictEqual(left, aliens)
        yield* call("DELETE", `/v1/messages/${alike}`)
        assert.deepStrictEqual(yield* tablesWith(encodeURIComponent(named).toLowerCase()), [])

        assert.strictEqual((yield* get(`/v1/messages/${own}`)).status, 404)
        assert.strictEqual((yield* get(`/v1/messages/${scheduled.id}`)).status, 404)
        for (const id of [shared, sharedLater.id]) {
          const { body } = yield* get(`/v1/messages/${id}`)
          assert.deepStrictEqual(body.emailMetadata.to, ["bob@example.com"])
          assert.deepStrictEqual(body.emailMetadata.names, id === shared ? undefined : { "bob@example.com": "Bob" })
          assert.deepStrictEqual(
            body.emailMetadata.deliveries.map(({ recipient }: { recipient: string }) => recipient),
            ["bob@example.com"]
          )
          assert.lengthOf(body.toParticipantIds, 1)
          assert.strictEqual(body.status, id === shared ? "sent" : "scheduled")
        }
        assert.strictEqual((yield* get(`/v1/messages/${others}`)).status, 200)
        assert.include((yield* get(`/v1/messages/${mention.id}`)).body.content.html, "erased@erased.invalid")
        const received: ReadonlyArray<{ readonly id: string; readonly direction: string }> = inbound.body.items
        const kept = yield* Effect.forEach(
          received.filter(({ direction }) => direction === "inbound"),
          ({ id }) => Effect.map(get(`/v1/messages/${id}`), ({ status }) => status)
        )
        assert.deepStrictEqual(kept.sort(), [200, 404])
        const gone = (yield* get(`/v1/participants/${participant}`)).body
        assert.deepStrictEqual([gone.name, gone.channelIdentities], ["Erased", {}])
        const drafts = (yield* get("/v1/drafts")).body
        assert.deepStrictEqual(drafts.items[0].recipients, [{ email: "bob@example.com" }])
        assert.isTrue((yield* get(`/v1/email/blocks/check?email=${encodeURIComponent(ada)}`)).body.blocked)
        assert.strictEqual((yield* get("/v1/messages?limit=100")).status, 200)
        assert.strictEqual((yield* get("/v1/analytics/export?type=events")).status, 200)

        const again = yield* runCommand(["erase", ada.toUpperCase()], environment)
        assert.match(again.stdout, /^Nothing to erase\n/)
      })
  )

  it.effect("continues a run that lost its connection", () =>
    Effect.gen(function* () {
      const { environment } = yield* LiveService
      const sql = yield* SqlClient.SqlClient
      const grace = "grace@example.com"
      yield* sentTo(grace)
      const { id } = yield* post("/v1/participants", { name: `Assistant of ${grace}` })
      yield* Effect.scoped(
        Effect.gen(function* () {
          // The lock of this row holds the run at its table.
          const release = yield* Deferred.make<void>()
          const holder = yield* Effect.forkScoped(
            sql.withTransaction(
              Effect.all([
                sql`SET LOCAL idle_in_transaction_session_timeout = 0`,
                sql`SELECT FROM participants WHERE id = ${id} FOR UPDATE`,
                Deferred.await(release)
              ])
            )
          )
          const failing = yield* Effect.forkScoped(failingCommand(["erase", grace], environment))
          const waiting = sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE ONLY participants%'`
          const [blocked] = yield* until(waiting, (rows) => rows.length > 0)
          yield* sql`SELECT pg_terminate_backend(${blocked?.pid ?? 0})`
          assert.match(yield* Fiber.join(failing), /^switchboard: /)
          yield* Deferred.succeed(release, undefined)
          yield* Fiber.join(holder)
        })
      )
      assert.deepStrictEqual(yield* tablesWith(grace), ["participants.name"])
      const { stdout } = yield* runCommand(["erase", grace], environment)
      assert.match(stdout, /^Erased\n {2}1 messages\n/)
      assert.match(stdout, /\n {2}1 mentions in participants\n/)
      assert.match(
        stdout,
        /\nThis run continued the one of \d{4}-.+\. To search data that was added since, run it again\.\n/
      )
      assert.deepStrictEqual(yield* tablesWith(grace), [])
    })
  )

  it.effect("reports errors in one line, and refuses addresses of organizations", () =>
    Effect.gen(function* () {
      const { environment } = yield* LiveService
      assert.match(
        yield* failingCommand(["erase", "unknown"], environment),
        /^switchboard: ADDRESS must be an email address[^\n]*\n$/
      )
      assert.match(
        yield* failingCommand(["erase", "hello@localhost.test"], environment),
        /^switchboard: hello@localhost\.test belongs to an organization: first remove its sender and receiving address\n$/
      )
    })
  )

  it.effect("is limited to one organization by --organization", () =>
    Effect.gen(function* () {
      const { environment } = yield* LiveService
      yield* sentTo("eve@example.com")
      yield* runCommand(["organizations", "create", "--name", "Others", "--slug", "others"], environment)
      const others = yield* runCommand(["erase", "--organization", "others", "eve@example.com"], environment)
      assert.match(others.stdout, /^Nothing to erase\n/)
      assert.isNotEmpty(yield* tablesWith("eve@example.com"))
      const organization: string = (yield* get("/v1/organizations/current")).body.id
      yield* runCommand(["erase", "--organization", organization, "eve@example.com"], environment)
      assert.deepStrictEqual(yield* tablesWith("eve@example.com"), [])
    })
  )
})
