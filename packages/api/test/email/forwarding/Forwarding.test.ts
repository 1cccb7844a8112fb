import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { v7 } from "uuid"
import { call, keys, LiveApi, organization } from "../../LiveApi.js"

const rules = "/v1/email/forwarding/rules"
const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
const forwardTo = ["Ops@Example.org"]

const create = (given: Readonly<Record<string, unknown>>, key = keys.admin) =>
  call("POST", rules, { body: { name: "A rule", match: { recipient: "help@desk.test" }, forwardTo, ...given }, key })

layer(LiveApi.layer, { excludeTestServices: true })("A forwarding rule", (it) => {
  it.effect("is created with defaults: keepCopy, isActive, priority 100", () =>
    Effect.gen(function* () {
      const { body, status } = yield* create({
        match: { recipient: "*@Desk.test", sender: "Boss@Example.org", subjectContains: "Invoice" },
        forwardTo: [...forwardTo, "ops@example.org"]
      })
      assert.strictEqual(status, 201)
      const { createdAt, id, updatedAt, ...rest } = body
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.strictEqual(createdAt, updatedAt)
      assert.deepStrictEqual(rest, {
        organizationId: organization,
        name: "A rule",
        match: { recipient: "*@desk.test", sender: "boss@example.org", subjectContains: "Invoice" },
        forwardTo: ["Ops@example.org"],
        keepCopy: true,
        rewriteFrom: false,
        priority: 100,
        isActive: true,
        matchCount: 0
      })
    })
  )

  it.effect("requires a condition and an address", () =>
    Effect.gen(function* () {
      for (const [given, field] of [
        [{ match: {} }, "match"],
        [{ match: { recipient: "*@" } }, "match.recipient"],
        [{ match: { sender: "*" } }, "match.sender"],
        [{ match: { subjectContains: "" } }, "match.subjectContains"],
        [{ match: { recipients: "a@b.test" } }, "match.recipients"],
        [{ forwardTo: [] }, "forwardTo"],
        [{ forwardTo: ["ada"] }, "forwardTo.0"],
        [{ forwardTo: Array.from({ length: 21 }, (_, at) => `a${at}@example.org`) }, "forwardTo"],
        [{ priority: 1.5 }, "priority"],
        [{ priority: -1 }, "priority"],
        [{ rewriteFrom: "true" }, "rewriteFrom"],
        [{ name: "" }, "name"]
      ] as const) {
        const { body, status } = yield* create(given)
        assert.strictEqual(status, 422, JSON.stringify(given))
        assert.include(Object.keys(body.fields), field)
      }
    })
  )

  it.effect("is rejected if it would receive what it forwards", () =>
    Effect.gen(function* () {
      const { body, status } = yield* create({ match: { recipient: "*@desk.test" }, forwardTo: ["Anna@Desk.test"] })
      assert.strictEqual(status, 409)
      assert.include(body.message, "Anna@desk.test")
      const { body: rule } = yield* create({ forwardTo: ["anna@desk.test"] })
      const update = yield* call("PATCH", `${rules}/${rule.id}`, { body: { match: { recipient: "anna@desk.test" } } })
      assert.strictEqual(update.status, 409)
    })
  )

  it.effect("is updated, listed and deleted by its own organization only", () =>
    Effect.gen(function* () {
      const { body: rule } = yield* create({ name: "Of my own" })
      const at = `${rules}/${rule.id}`
      const { body: changed } = yield* call("PATCH", at, {
        body: { isActive: false, keepCopy: false, rewriteFrom: true, priority: 1 }
      })
      assert.deepStrictEqual(changed, {
        ...rule,
        isActive: false,
        keepCopy: false,
        rewriteFrom: true,
        priority: 1,
        updatedAt: changed.updatedAt
      })
      const list = (key: string) =>
        call("GET", `${rules}?filters=${encodeURIComponent('{"search":"my own"}')}`, { key })
      assert.deepStrictEqual((yield* list(keys.admin)).body.items, [changed])
      assert.deepStrictEqual((yield* list(keys.otherOrganization)).body.items, [])
      assert.strictEqual((yield* call("PATCH", at, { body: {}, key: keys.otherOrganization })).status, 404)
      assert.strictEqual((yield* call("DELETE", at, { key: keys.otherOrganization })).status, 404)
      assert.strictEqual((yield* call("DELETE", `${rules}/${unknown}`)).status, 404)
      assert.deepStrictEqual((yield* call("DELETE", at)).body, { success: true })
      assert.strictEqual((yield* call("DELETE", at)).status, 404)
    })
  )

  it.effect("has a log", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO forwardings (organization_id, id, mail_id, recipients, keep_copy, forward_to, via_domain,
          status, created_at, settled_at)
        VALUES (${organization}, ${v7()}, ${v7()}, '{help@desk.test}', true, 'ops@example.org', 'desk.test',
          'forwarded', now(), now())`
      const { body } = yield* call("GET", "/v1/email/forwarding/log?limit=5")
      assert.strictEqual(body.items[0].status, "forwarded")
      assert.strictEqual(body.pagination.limit, 5)
      assert.deepStrictEqual(
        (yield* call("GET", "/v1/email/forwarding/log", { key: keys.otherOrganization })).body.items,
        []
      )
    })
  )
})
