import { assert, layer } from "@effect/vitest"
import { ForwardingRule, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { ForwardingRuleRepo } from "@switchboard/services/email/forwarding/ForwardingRuleRepo"
import { ForwardingRules } from "@switchboard/services/email/forwarding/ForwardingRules"
import { CatchAlls } from "@switchboard/services/email/receiving/addresses/ReceivingDomains"
import { address, makeAddress, makeDomain, options } from "@switchboard/store/testing/email/receiving/Fixtures"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Effect, Layer } from "effect"
import { v7 } from "uuid"

const RulesLive = Layer.merge(ForwardingRules.Default, CatchAlls.Default).pipe(Layer.provideMerge(StoreLive))

const forwardTo = [address("ops@example.org")]
const firstPage = { page: 1, limit: 20 }

/** The tag of the error. */
const errorTag = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

layer(RulesLive, options)("ForwardingRules on PostgreSQL", (it) => {
  it.effect("stores, updates and removes rules, and hides them from other organizations", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const other = yield* makeOrganization()
      const rules = yield* ForwardingRules
      const match = { sender: "boss@example.org", subjectContains: "Ünvoice" }
      const rule = yield* rules.create(organization, { name: "From the boss", match, forwardTo })
      const list = (of: typeof organization, search = "THE BOSS") => rules.list(of, { search }, firstPage)
      assert.deepStrictEqual((yield* list(organization)).items, [rule])
      assert.deepStrictEqual((yield* list(organization, "unmatched")).items, [])
      assert.deepStrictEqual((yield* list(other)).items, [])
      assert.strictEqual(yield* errorTag(rules.update(other, rule.id, { name: "Mine" })), "ResourceNotFoundError")
      assert.strictEqual(yield* errorTag(rules.remove(other, rule.id)), "ResourceNotFoundError")
      assert.isFalse(rule.rewriteFrom)
      const given = { match: { recipient: "*@desk.test" }, priority: 3, rewriteFrom: true }
      const changed = yield* rules.update(organization, rule.id, given)
      assert.deepInclude({ ...changed }, { name: "From the boss", ...given })
      assert.deepStrictEqual((yield* list(organization)).items, [changed])
      yield* rules.remove(organization, rule.id)
      assert.deepStrictEqual((yield* list(organization)).items, [])
      assert.deepStrictEqual((yield* rules.log(organization, firstPage)).items, [])
    })
  )

  it.effect("rejects a rule without a recipient that forwards to a domain of the organization", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { domain } = yield* makeDomain(organization)
      const { create } = yield* ForwardingRules
      const rule = { name: "All invoices", match: { subjectContains: "invoice" } }
      const own = { ...rule, forwardTo: [...forwardTo, address(`accounting@${domain}`)] }
      assert.strictEqual(yield* errorTag(create(organization, own)), "ConflictError")
      yield* create(organization, { ...rule, forwardTo })
    })
  )

  it.effect("limits the number of rules, also with concurrent inserts", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { create, list } = yield* ForwardingRules
      const { insert } = yield* ForwardingRuleRepo
      const first = yield* create(organization, { name: "A rule", match: { recipient: "a@desk.test" }, forwardTo })
      const others = Array.from({ length: 6 }, () => new ForwardingRule({ ...first, id: ForwardingRuleId.make(v7()) }))
      const inserted = yield* Effect.forEach(others, (rule) => insert(rule, 3), { concurrency: "unbounded" })
      assert.lengthOf(inserted.filter(Boolean), 2)
      assert.lengthOf((yield* list(organization, {}, firstPage)).items, 3)
    })
  )

  it.effect(
    "prevents removing a domain with a forwarding rule or an enabled catch-all, but not one with addresses",
    () =>
      Effect.gen(function* () {
        const organization = yield* makeOrganization()
        const { domain, id } = yield* makeDomain(organization)
        yield* makeAddress(organization, id, `support@${domain}`)
        const rules = yield* ForwardingRules
        const catchAlls = yield* CatchAlls
        const repo = yield* DomainRepo
        const removal = repo.remove(organization, id, () => Effect.succeed([]))
        const conflict = Effect.map(Effect.flip(removal), ({ message }) => message)
        const rule = yield* rules.create(organization, { name: "All", match: { recipient: `*@${domain}` }, forwardTo })
        yield* catchAlls.enable(organization, { domain })
        assert.strictEqual(
          yield* conflict,
          "The domain is in use: disable its catch-all and remove the forwarding rules for it first"
        )
        yield* catchAlls.disable(organization, { domain })
        assert.strictEqual(yield* conflict, "The domain is in use: remove the forwarding rules for it first")
        yield* rules.remove(organization, rule.id)
        assert.isTrue(yield* removal)
      })
  )
})
