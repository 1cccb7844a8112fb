import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, LiveApi, organization } from "../../LiveApi.js"

const rules = "/v1/email/forwarding/rules"
const forwardTo = ["Ops@Example.org"]

const create = (given: Readonly<Record<string, unknown>>) =>
  call("POST", rules, { body: { name: "A rule", match: { recipient: "help@desk.test" }, forwardTo, ...given } })

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
})
