import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Fiber, Layer } from "effect"
import { v7 } from "uuid"
import { deliver, ReceivingService, verifiedDomain } from "../email/ReceivingService.js"
import { LiveService, until } from "../LiveService.js"
import { runCommand } from "../TestCommand.js"
import { tablesWith } from "./TablesWith.js"

const Live = Layer.provideMerge(TestDatabase, ReceivingService.layer())

const post = (path: string, body: unknown) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const response = yield* call("POST", path, body)
    assert.include([200, 201], response.status, JSON.stringify(response.body))
    return response.body
  })

/** Enables receiving for addresses of a new domain. */
const receiving = (domain: string, ...addresses: ReadonlyArray<string>) =>
  Effect.zipRight(verifiedDomain(domain), post("/v1/email/domains/enable-receiving", { domain, addresses }))

const forwarding = (recipient: string, forwardTo: string, keepCopy = false) =>
  post("/v1/email/forwarding/rules", { name: "A rule", match: { recipient }, forwardTo: [forwardTo], keepCopy })

const mailFrom = (from: string, subject: string, text = "Hello") =>
  `From: ${from}\r\nTo: help@desk.test\r\nSubject: ${subject}\r\nMessage-ID: <${v7()}@example.com>\r\n\r\n${text}\r\n`

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

const organizationId = Effect.flatMap(LiveService, ({ call }) =>
  Effect.map(call("GET", "/v1/organizations/current"), ({ body }): string => body.id)
)

const subjects = Effect.flatMap(LiveService, ({ call }) =>
  Effect.map(call("GET", "/v1/messages?limit=100"), ({ body }): ReadonlyArray<string> => {
    const items: ReadonlyArray<{ readonly content: { readonly subject: string } }> = body.items
    return items.map(({ content }) => content.subject)
  })
)

const log = Effect.flatMap(LiveService, ({ call }) =>
  Effect.map(
    call("GET", "/v1/email/forwarding/log?limit=100"),
    ({
      body
    }): ReadonlyArray<{
      readonly forwardedTo: string
      readonly status: string
      readonly error?: string
      readonly messageId: string
    }> => body.items
  )
)

const erase = (address: string) =>
  Effect.flatMap(LiveService, ({ environment }) =>
    Effect.map(runCommand(["erase", address], environment), ({ stdout }) => stdout)
  )

/** Without forwarding rules: they belong to the organization, and the command lists them as not erased. */
const leftOf = (address: string) =>
  Effect.map(tablesWith(address), (found) => found.filter((column) => column !== "forwarding_rules.forward_to"))

layer(Live, { excludeTestServices: true })("An erased person", (it) => {
  it.effect("is removed from forwardings; mail that would be forwarded to them is received instead", () =>
    Effect.gen(function* () {
      yield* receiving("desk.test", "help", "later", "on")
      const gone = "grace@example.com"
      // The relay defers all mail to them.
      const waiting = "temp451.hopper@example.com"
      yield* forwarding("help@desk.test", gone)
      yield* forwarding("later@desk.test", waiting)
      yield* forwarding("on@desk.test", "temp451.on@elsewhere.test")
      assert.match(yield* deliver("bob@example.com", "help@desk.test", mailFrom("bob@example.com", "Gone on")), /^250/)
      assert.match(yield* deliver("bob@example.com", "later@desk.test", mailFrom("bob@example.com", "Waits")), /^250/)
      assert.match(yield* deliver(gone, "on@desk.test", mailFrom(gone, "Theirs")), /^250/)
      yield* until(log, (entries) => entries.some(({ forwardedTo }) => forwardedTo === gone))
      const { rcptTo } = yield* LiveService
      for (const address of [waiting, "temp451.on@elsewhere.test"]) {
        yield* until(
          Effect.sync(() => rcptTo.includes(address)),
          Boolean
        )
      }
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE forwardings SET error = ${`550 ${gone} is unknown`} WHERE forward_to = ${gone}`
      assert.include(yield* leftOf(gone), "inbound_mails.raw")

      assert.match(yield* erase(gone), /\n {2}\d+ mails\n/)
      assert.deepStrictEqual(yield* leftOf(gone), [])
      // A later attempt finds that the mail of the erased person was deleted.
      yield* sql`UPDATE forwarding_waiting SET due_at = now()`
      yield* sql`SELECT pg_notify('switchboard_forwarding', '')`
      const withErrors = Effect.map(log, (entries) =>
        entries.flatMap(({ error, forwardedTo, status }) =>
          error === undefined ? [] : [{ error, forwardedTo, status }]
        )
      )
      assert.sameDeepMembers(
        [...(yield* until(withErrors, ({ length }) => length === 2))],
        [
          {
            error: "550 erased@erased.invalid is unknown",
            forwardedTo: "erased@erased.invalid",
            status: "forwarded"
          },
          { error: "The mail was deleted", forwardedTo: "temp451.on@elsewhere.test", status: "failed" }
        ]
      )

      assert.match(yield* erase(waiting), /\n {2}1 mails to be forwarded\n/)
      assert.deepStrictEqual(yield* leftOf(waiting), [])
      const stopped = (yield* log).find(({ error }) => error === "The address was erased")
      assert.deepInclude(stopped, { forwardedTo: "erased@erased.invalid", status: "failed" })
      assert.include(yield* until(subjects, (all) => all.includes("Waits")), "Waits")
      assert.notInclude(yield* subjects, "Theirs")
    })
  )

  it.effect("has no unprocessed mail left, and waits for other people's mail to be processed within a minute", () =>
    Effect.gen(function* () {
      yield* receiving("wait.test", "help")
      const own = yield* organizationId
      const ada = "ada.byron@example.com"
      const named = `I met ${ada} today`
      const bob = "bob@example.com"
      const theirs = yield* heldMail(own, "help@wait.test", ada, mailFrom(ada, "By envelope"))
      yield* heldMail(own, "help@wait.test", "bounce-7@lists.test", mailFrom(`Ada <${ada}>`, "By header"))
      // Due within a minute.
      const others = yield* heldMail(
        own,
        "help@wait.test",
        bob,
        mailFrom(bob, "Others", `\nFrom: ${ada}\n${named}`),
        59
      )
      const erasing = yield* Effect.fork(erase(ada))
      const sql = yield* SqlClient.SqlClient
      yield* until(sql`SELECT FROM inbound_mails WHERE id = ${theirs} AND raw IS NULL`, ({ length }) => length === 1)
      yield* release(others)
      assert.match(yield* Fiber.join(erasing), /\n {2}\d+ mails\n/)
      assert.deepStrictEqual(yield* tablesWith(ada), [])
      const all = yield* subjects
      assert.include(all, "Others")
      assert.notInclude(all, "By envelope")
      assert.notInclude(all, "By header")
      const { call } = yield* LiveService
      assert.include(
        (yield* call("GET", `/v1/messages/${others}`)).body.content.text,
        "I met erased@erased.invalid today"
      )
    })
  )

  it.effect("is reported in mail that still waits for processing", () =>
    Effect.gen(function* () {
      const own = yield* organizationId
      const eve = "eve.moneypenny@example.com"
      const bob = "bob@example.com"
      const id = yield* heldMail(own, "help@wait.test", bob, mailFrom(bob, "Held", `Ask ${eve}`))
      assert.match(
        yield* erase(eve),
        /\nNot processed yet; run the command again later:\n {2}1 mails with the address that wait to be parsed or forwarded\n$/
      )
      assert.deepStrictEqual(yield* tablesWith(eve), ["inbound_mails.raw"])
      yield* release(id)
      yield* until(subjects, (all) => all.includes("Held"))
      assert.notMatch(yield* erase(eve), /Not processed yet/)
      assert.deepStrictEqual(yield* tablesWith(eve), [])
    })
  )
})
