import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { CatchAlls, ReceivingDomains } from "@switchboard/services/email/receiving/addresses/ReceivingDomains"
import { ReceivingRepo } from "@switchboard/services/email/receiving/addresses/ReceivingRepo"
import { InboundMails } from "@switchboard/services/email/receiving/InboundMail"
import { address, arrived, makeDomain, options } from "@switchboard/store/testing/email/receiving/Fixtures"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Effect, Layer } from "effect"
import { v7 } from "uuid"

const ReceivingLive = Layer.mergeAll(ReceivingDomains.Default, CatchAlls.Default).pipe(Layer.provideMerge(StoreLive))

/** The tag of the error. */
const errorTag = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

layer(ReceivingLive, options)("ReceivingDomains on PostgreSQL", (it) => {
  it.effect("replaces the earlier recipients", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { domain } = yield* makeDomain(organization, { receiving: false })
      const { enable } = yield* ReceivingDomains
      const first = yield* enable(organization, { domain, addresses: ["Support", `sales@${domain}`, "support"] })
      assert.deepStrictEqual(
        { ...first },
        {
          success: true,
          ruleName: `inbound-${domain}`,
          recipients: [`support@${domain}`, `sales@${domain}`]
        }
      )
      const second = yield* enable(organization, { domain, addresses: ["sales", "billing"], catchAll: true })
      assert.deepStrictEqual(second.recipients, [`sales@${domain}`, `billing@${domain}`, `*@${domain}`])
      assert.deepStrictEqual((yield* enable(organization, { domain })).recipients, [])
      const catchAlls = yield* CatchAlls
      assert.isFalse((yield* catchAlls.config(organization, domain)).enabled)
    })
  )

  it.effect("rejects a domain that is unverified or of another organization", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { enable } = yield* ReceivingDomains
      const pending = yield* makeDomain(organization, { status: "pending", receiving: false })
      const foreign = yield* makeDomain(yield* makeOrganization())
      assert.strictEqual(yield* errorTag(enable(organization, { domain: pending.domain })), "ConflictError")
      assert.strictEqual(yield* errorTag(enable(organization, { domain: foreign.domain })), "ResourceNotFoundError")
      assert.strictEqual(yield* errorTag(enable(organization, { domain: "unknown.test" })), "ResourceNotFoundError")
    })
  )

  it.effect("accepts addresses that another organization received before its domain failed", () =>
    Effect.gen(function* () {
      const before = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(before)
      const { enable } = yield* ReceivingDomains
      yield* enable(before, { domain, addresses: ["support"] })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE email_domains SET status = 'failed' WHERE organization_id = ${before} AND id = ${id}`
      const after = yield* makeOrganization()
      yield* makeDomain(after, { domain })
      assert.deepStrictEqual((yield* enable(after, { domain, addresses: ["support"] })).recipients, [
        `support@${domain}`
      ])
    })
  )

  it.effect("configures a catch-all for a receiving domain", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { domain } = yield* makeDomain(organization, { receiving: false })
      const { config, disable, enable, update } = yield* CatchAlls
      assert.deepInclude({ ...(yield* config(organization, domain)) }, { enabled: false, forwardTo: [], exclude: [] })
      assert.strictEqual(yield* errorTag(enable(organization, { domain })), "ConflictError")
      // A catch-all can be configured before it is enabled.
      yield* update(organization, { domain, exclude: ["No-Reply"] })
      const receiving = yield* ReceivingDomains
      yield* receiving.enable(organization, { domain, addresses: ["info"] })
      const forwardTo = [address("ops@example.org"), address("OPS@example.org"), address(`info@${domain}`)]
      const on = yield* enable(organization, { domain, forwardTo })
      const stored = { forwardTo: ["ops@example.org", `info@${domain}`], exclude: [`no-reply@${domain}`] }
      assert.deepInclude({ ...on }, { domain, enabled: true, ...stored })
      assert.deepInclude({ ...(yield* disable(organization, { domain })) }, { enabled: false, ...stored })
      assert.deepInclude(
        { ...(yield* receiving.enable(organization, { domain, catchAll: true })) },
        {
          recipients: [`*@${domain}`]
        }
      )
      assert.deepInclude({ ...(yield* config(organization, domain)) }, { enabled: true, ...stored })
      const cleared = yield* update(organization, { domain, forwardTo: null, exclude: null })
      assert.deepInclude({ ...cleared }, { enabled: true, forwardTo: [], exclude: [] })
    })
  )

  it.effect("rejects forwarding to an address that the catch-all receives", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { domain } = yield* makeDomain(organization)
      const { enable } = yield* CatchAlls
      const forwardTo = [address(`Anything@${domain}`)]
      assert.strictEqual(yield* errorTag(enable(organization, { domain, forwardTo })), "ConflictError")
    })
  )

  it.effect("counts each mail to a catch-all once, and refused recipients", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { domain, id: domainId } = yield* makeDomain(organization)
      const { store } = yield* InboundMails
      const caught = (local: string) => ({
        address: address(`${local}@${domain}`),
        kind: { _tag: "CatchAll", domainId } as const
      })
      const mail = yield* arrived(organization, { recipients: [caught("a"), caught("b")] })
      yield* store([mail])
      yield* store([mail])
      yield* store([yield* arrived(organization, { recipients: [caught("c")] })])
      const { addRefusals } = yield* ReceivingRepo
      yield* addRefusals([{ organizationId: organization, domainId, count: 3 }])
      yield* addRefusals([
        { organizationId: organization, domainId, count: 2 },
        { organizationId: organization, domainId: EmailDomainId.make(v7()), count: 7 }
      ])
      const { stats } = yield* CatchAlls
      assert.deepStrictEqual(
        { ...(yield* stats(organization, domain)) },
        { domain, received: 2, forwarded: 0, rejected: 5, last24Hours: 2, last30Days: 2 }
      )
    })
  )
})
