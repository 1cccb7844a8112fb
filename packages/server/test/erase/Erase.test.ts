import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Fiber, Layer } from "effect"
import { v7 } from "uuid"
import { deliver, ReceivingService, receivingDomain } from "../email/ReceivingService.js"
import { accepted, LiveService, settled, until } from "../LiveService.js"
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
    const { id } = yield* accepted({ to: to.map((email) => ({ email })) })
    yield* settled(id, "sent")
    return String(id)
  })

const later = new Date(Date.now() + 3_600_000).toISOString()

const mailFrom = (from: string, subject: string, text = "Hello", to = "help@desk.test") =>
  `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${v7()}@example.com>\r\n\r\n${text}\r\n`

/** A received mail that a worker has leased: no other worker processes it before `release`. */
const heldMail = (organization: string, recipient: string, from: string, mail: string, seconds = 3600) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = v7()
    const kind = { _tag: "Address", domainId: v7() }
    yield* sql.withTransaction(
      Effect.all([
        sql`INSERT INTO inbound_mails (organization_id, id, fingerprint, mail_from, recipients, remote_address, helo, tls,
            size, raw, received_at)
          VALUES (${organization}, ${id}, ${id}, ${from}, ${JSON.stringify([{ address: recipient, kind }])}::json,
            '127.0.0.1', 'mx', false, ${mail.length}, ${Buffer.from(mail)}, now())`,
        sql`INSERT INTO inbound_queue (organization_id, id, ready_at, worker, lease_until)
          VALUES (${organization}, ${id}, now(), 'test', now() + make_interval(secs => ${seconds}))`
      ])
    )
    return id
  })

/** Ends the lease of a mail, and wakes the worker. */
const release = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.zipRight(
        sql`UPDATE inbound_queue SET lease_until = NULL, ready_at = now() WHERE id = ${id}`,
        sql`SELECT pg_notify('switchboard_inbound', '')`
      )
    )
  )

const subjects = Effect.map(get("/v1/messages?limit=100"), ({ body }): ReadonlyArray<string> => {
  const items: ReadonlyArray<{ readonly content: { readonly subject: string } }> = body.items
  return items.map(({ content }) => content.subject)
})

const erase = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(LiveService, ({ environment }) =>
    Effect.map(runCommand(["erase", ...args], environment), ({ stdout }) => stdout)
  )

layer(Live, { excludeTestServices: true })("switchboard erase", (it) => {
  it.effect(
    "removes an address everywhere except blocks while the service runs, and keeps other people's messages",
    () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        const sql = yield* SqlClient.SqlClient
        yield* receivingDomain("desk.test", { addresses: ["help"] })

        const own = yield* sentTo(ada)
        const shared = yield* sentTo(ada, "bob@example.com")
        const others = yield* sentTo("bob@example.com")
        const alike = yield* sentTo(`x${ada}`)
        const scheduled = yield* accepted({ to: [{ email: ada }], scheduledAt: later })
        const sharedLater = yield* accepted({
          to: [
            { email: ada, name: "Ada" },
            { email: "bob@example.com", name: "Bob" }
          ],
          scheduledAt: later,
          idempotencyKey: `mail-${ada}`
        })
        const mention = yield* accepted(
          { scheduledAt: later },
          { html: `<p>Ask</p>\n${ada}, or <a href="https://example.com/?who=${encodeURIComponent(ada)}">here</a>` }
        )
        yield* post("/v1/drafts", {
          channel: "email",
          recipients: [{ email: ada }, { email: "bob@example.com" }],
          content: { subject: `About ${ada}` }
        })
        yield* deliver(ada, "help@desk.test", mailFrom(`Ada <${ada}>`, "Help", `I am ${ada}.`))
        const both = mailFrom("bob@example.com", "We both", "Hello", `help@desk.test, ${ada}`)
        yield* deliver("bob@example.com", "help@desk.test", both)
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

        const stdout = yield* erase(ada)
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

        assert.match(yield* erase(ada.toUpperCase()), /^Nothing to erase\n/)
      })
  )

  it.effect("continues a run that failed", () =>
    Effect.gen(function* () {
      const { environment } = yield* LiveService
      const sql = yield* SqlClient.SqlClient
      const grace = "grace@example.com"
      yield* sentTo(grace)
      yield* post("/v1/participants", { name: `Assistant of ${grace}` })
      yield* sql`ALTER TABLE participants ADD CONSTRAINT unerased CHECK (name NOT LIKE '% erased@%')`
      yield* failingCommand(["erase", grace], environment)
      yield* sql`ALTER TABLE participants DROP CONSTRAINT unerased`
      assert.deepStrictEqual(yield* tablesWith(grace), ["participants.name"])
      const stdout = yield* erase(grace)
      assert.match(stdout, /^Erased\n {2}1 messages\n/)
      assert.match(stdout, /\n {2}1 mentions in participants\n/)
      assert.match(
        stdout,
        /\nThis run continued the one of \d{4}-.+\. To search data that was added since, run it again\.\n/
      )
      assert.deepStrictEqual(yield* tablesWith(grace), [])
    })
  )

  it.effect("deletes unprocessed mail, and waits for other people's mail to be processed within a minute", () =>
    Effect.gen(function* () {
      const { call, organizationId } = yield* LiveService
      yield* receivingDomain("wait.test", { addresses: ["help"] })
      const heldFor = (from: string, mail: string, seconds?: number) =>
        heldMail(organizationId, "help@wait.test", from, mail, seconds)
      const [byron, bob] = ["ada.byron@example.com", "bob@example.com"]
      const theirs = yield* heldFor(byron, mailFrom(byron, "By envelope"))
      yield* heldFor("bounce-7@lists.test", mailFrom(`Ada <${byron}>`, "By header"))
      // Due within a minute.
      const others = yield* heldFor(bob, mailFrom(bob, "Others", `\nFrom: ${byron}\nI met ${byron} today`), 59)
      const erasing = yield* Effect.fork(erase(byron))
      const sql = yield* SqlClient.SqlClient
      yield* until(sql`SELECT FROM inbound_mails WHERE id = ${theirs} AND raw IS NULL`, ({ length }) => length === 1)
      yield* release(others)
      assert.match(yield* Fiber.join(erasing), /\n {2}\d+ mails\n/)
      assert.deepStrictEqual(yield* tablesWith(byron), [])
      const all = yield* subjects
      assert.include(all, "Others")
      assert.notInclude(all, "By envelope")
      assert.notInclude(all, "By header")
      const { body } = yield* call("GET", `/v1/messages/${others}`)
      assert.include(body.content.text, "I met erased@erased.invalid today")

      const eve = "eve.moneypenny@example.com"
      const held = yield* heldFor(bob, mailFrom(bob, "Held", `Ask ${eve}`))
      assert.match(
        yield* erase(eve),
        /\nNot processed yet; run the command again later:\n {2}1 mails with the address that wait to be parsed or forwarded\n$/
      )
      assert.deepStrictEqual(yield* tablesWith(eve), ["inbound_mails.raw"])
      yield* release(held)
      yield* until(subjects, (found) => found.includes("Held"))
      assert.notMatch(yield* erase(eve), /Not processed yet/)
      assert.deepStrictEqual(yield* tablesWith(eve), [])
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
      const { environment, organizationId } = yield* LiveService
      yield* sentTo("eve@example.com")
      yield* runCommand(["organizations", "create", "--name", "Others", "--slug", "others"], environment)
      assert.match(yield* erase("--organization", "others", "eve@example.com"), /^Nothing to erase\n/)
      assert.isNotEmpty(yield* tablesWith("eve@example.com"))
      yield* erase("--organization", organizationId, "eve@example.com")
      assert.deepStrictEqual(yield* tablesWith("eve@example.com"), [])
    })
  )
})
