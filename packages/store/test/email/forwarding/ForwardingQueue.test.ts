import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ForwardingId, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  ForwardingQueue,
  type ForwardOutcome,
  type TakenForwarding
} from "@switchboard/services/email/forwarding/ForwardingQueue"
import { ForwardingRepo, type NewForwarding } from "@switchboard/services/email/forwarding/ForwardingRepo"
import { ForwardingRuleRepo } from "@switchboard/services/email/forwarding/ForwardingRuleRepo"
import { ForwardingRules } from "@switchboard/services/email/forwarding/ForwardingRules"
import { InboundMails } from "@switchboard/services/email/receiving/InboundMail"
import { newId } from "@switchboard/services/NewId"
import { Duration, Effect, Layer } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../../messages/Fixtures.js"
import { StoreLive } from "../../StoreLive.js"
import { address, arrived, options } from "../receiving/Fixtures.js"

/** A stored mail, processed or not. */
const makeMail = (organization: OrganizationId, isProcessed: boolean) =>
  Effect.gen(function* () {
    const mail = yield* arrived(organization)
    yield* Effect.flatMap(InboundMails, ({ store }) => store([mail]))
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM inbound_queue WHERE id = ${mail.id}`
    if (isProcessed) yield* sql`UPDATE inbound_mails SET processed_at = now() WHERE id = ${mail.id}`
    return mail
  })

const forwarding = (overrides: Partial<NewForwarding> = {}) =>
  Effect.map(
    newId(ForwardingId),
    ({ id, now }): NewForwarding => ({
      id,
      ruleId: ForwardingRuleId.make(v7()),
      domainId: null,
      recipients: ["support@shop.test"],
      keepCopy: true,
      forwardTo: address("ada@example.com"),
      viaDomain: "shop.test",
      loop: null,
      createdAt: now,
      ...overrides
    })
  )

/** Decides to forward a mail to one address. */
const decided = (organization: OrganizationId, mail: MessageId, overrides: Partial<NewForwarding> = {}) =>
  Effect.gen(function* () {
    const one = yield* forwarding(overrides)
    yield* Effect.flatMap(ForwardingRepo, ({ decide }) => decide(organization, mail, [one]))
    return one
  })

const take = (worker: string) =>
  Effect.flatMap(ForwardingQueue, (queue) =>
    queue.take({ worker, lease: Duration.seconds(60), limit: 100, perOwner: 100, skipped: [], except: [] })
  )

const settle = (worker: string, outcome: ForwardOutcome, ...taken: ReadonlyArray<TakenForwarding>) =>
  Effect.flatMap(ForwardingQueue, (queue) =>
    queue.settle(
      worker,
      taken.map((one) => ({ taken: one, outcome }))
    )
  )

const log = (organization: OrganizationId) =>
  Effect.flatMap(ForwardingRuleRepo, (repo) =>
    Effect.map(repo.log(organization, { page: 1, limit: 20 }), ({ items }) =>
      items.map(({ error, id, status }) => [id, status, error])
    )
  )

const isQueued = (mail: MessageId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT 1 FROM inbound_queue WHERE id = ${mail}`, (rows) => rows.length > 0)
  )

/** Expires every lease, and makes every waiting entry due. */
const expireWaits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { promote, recover } = yield* ForwardingQueue
  yield* sql`UPDATE forwarding_queue SET lease_until = now() WHERE lease_until IS NOT NULL`
  yield* sql`UPDATE forwarding_waiting SET due_at = now()`
  yield* Effect.all([recover, promote])
})

/** Empties the queues. Returns a new organization. */
const empty = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.zipRight(sql`TRUNCATE forwarding_queue, forwarding_waiting, inbound_queue`, makeOrganization())
)

const failed: ForwardOutcome = { _tag: "Failed", error: "550 No" }

layer(Layer.provideMerge(ForwardingRules.Default, StoreLive), options)("ForwardingQueue on PostgreSQL", (it) => {
  it.effect("stores one decision per mail, also for concurrent workers", () =>
    Effect.gen(function* () {
      const organization = yield* empty
      const { id } = yield* makeMail(organization, false)
      const { decide } = yield* ForwardingRepo
      const forwardings = yield* Effect.replicateEffect(forwarding(), 5)
      const decisions = yield* Effect.forEach(forwardings, (one) => decide(organization, id, [one]), {
        concurrency: "unbounded"
      })
      for (const one of decisions) assert.deepStrictEqual(one, decisions[0])
      assert.lengthOf(yield* take("a"), 1)
      // An erased mail is not forwarded.
      const gone = yield* arrived(organization)
      assert.deepStrictEqual(yield* decide(organization, gone.id, [yield* forwarding()]), [])
    })
  )

  it.effect("leases a forwarding with its mail to one worker, and logs it when it is settled", () =>
    Effect.gen(function* () {
      const organization = yield* empty
      const mail = yield* makeMail(organization, true)
      const one = yield* decided(organization, mail.id)
      const queue = yield* ForwardingQueue
      const [taken] = yield* take("a")
      assert.deepInclude(taken, { id: one.id, mailId: mail.id, forwardTo: one.forwardTo, viaDomain: "shop.test" })
      assert.deepStrictEqual(yield* take("b"), [])
      const stored = yield* Effect.flatten(queue.mail(organization, mail.id))
      assert.deepStrictEqual(Buffer.from(stored.raw), Buffer.from(mail.raw))
      assert.deepStrictEqual(yield* log(organization), [])
      if (taken === undefined) return assert.fail("nothing was taken")
      yield* settle("b", failed, taken)
      assert.deepStrictEqual(yield* log(organization), [])
      yield* settle("a", { _tag: "Forwarded" }, taken)
      assert.deepStrictEqual(yield* log(organization), [[one.id, "forwarded", undefined]])
      yield* expireWaits
      assert.deepStrictEqual(yield* take("b"), [])
    })
  )

  it.effect("rewrites From by the rule's setting at the time of the lease", () =>
    Effect.gen(function* () {
      const organization = yield* empty
      const { create, remove, update } = yield* ForwardingRules
      const request = { name: "A rule", match: { sender: "*@example.org" }, forwardTo: [address("ada@example.com")] }
      const rule = yield* create(organization, request)
      const { id: mail } = yield* makeMail(organization, true)
      yield* decided(organization, mail, { ruleId: rule.id })
      const rewrites = Effect.map(take("a"), (taken) => taken.map((one) => [one.recipients, one.rewriteFrom]))
      assert.deepStrictEqual(yield* rewrites, [[["support@shop.test"], false]])
      yield* update(organization, rule.id, { rewriteFrom: true })
      yield* expireWaits
      assert.deepStrictEqual(yield* rewrites, [[["support@shop.test"], true]])
      yield* remove(organization, rule.id)
      yield* expireWaits
      assert.deepStrictEqual(yield* rewrites, [[["support@shop.test"], false]])
    })
  )

  it.effect("retries a forwarding after its delay, or after its lease expired", () =>
    Effect.gen(function* () {
      const organization = yield* empty
      const mail = yield* makeMail(organization, true)
      yield* decided(organization, mail.id)
      const taken = yield* take("a")
      yield* settle("a", { _tag: "Later", wait: Duration.minutes(5) }, ...taken)
      yield* Effect.flatMap(ForwardingQueue, ({ recover }) => recover)
      assert.deepStrictEqual(yield* take("b"), [])
      yield* expireWaits
      assert.lengthOf(yield* take("b"), 1)
      yield* expireWaits
      assert.lengthOf(yield* take("c"), 1)
      // Another worker holds the lease.
      yield* settle("b", { _tag: "Forwarded" }, ...taken)
      assert.deepStrictEqual(yield* log(organization), [])
    })
  )

  it.effect("processes the mail again after a failure without a local copy, but not while a worker processes it", () =>
    Effect.gen(function* () {
      const organization = yield* empty
      const sql = yield* SqlClient.SqlClient
      const { id: copied } = yield* makeMail(organization, false)
      const first = yield* decided(organization, copied)
      yield* settle("a", failed, ...(yield* take("a")))
      assert.deepStrictEqual(yield* log(organization), [[first.id, "failed", "550 No"]])
      assert.isFalse(yield* isQueued(copied))

      const { id: mail } = yield* makeMail(organization, false)
      const one = yield* decided(organization, mail, { keepCopy: false })
      yield* settle("a", failed, ...(yield* take("a")))
      assert.lengthOf(yield* log(organization), 1)
      yield* sql`UPDATE inbound_mails SET processed_at = now() WHERE id = ${mail}`
      yield* expireWaits
      yield* settle("a", failed, ...(yield* take("a")))
      assert.deepStrictEqual((yield* log(organization))[0], [one.id, "failed", "550 No"])
      assert.isTrue(yield* isQueued(mail))
      const { decided: standing, fail } = yield* ForwardingRepo
      assert.deepStrictEqual(yield* standing(organization, mail), [
        { recipients: ["support@shop.test"], keepCopy: false, status: "failed" }
      ])
      // A bounce waits in the same way.
      assert.isFalse(yield* fail(organization, one.id, "Again"))
    })
  )

  it.effect("stores a bounce as a failure once, for its own organization only", () =>
    Effect.gen(function* () {
      const organization = yield* empty
      const { id: mail } = yield* makeMail(organization, true)
      const one = yield* decided(organization, mail, { keepCopy: false })
      yield* settle("a", { _tag: "Forwarded" }, ...(yield* take("a")))
      const { fail } = yield* ForwardingRepo
      yield* fail(yield* makeOrganization(), one.id, "Not yours")
      assert.deepStrictEqual(yield* log(organization), [[one.id, "forwarded", undefined]])
      assert.isTrue(yield* fail(organization, one.id, "550 Gone"))
      assert.isTrue(yield* isQueued(mail))
      yield* fail(organization, one.id, "550 Twice")
      assert.deepStrictEqual(yield* log(organization), [[one.id, "failed", "550 Gone"]])
    })
  )

  it.effect("logs a mail loop and does not forward it", () =>
    Effect.gen(function* () {
      const organization = yield* empty
      const { id: mail } = yield* makeMail(organization, false)
      const one = yield* decided(organization, mail, { loop: "It came back" })
      assert.deepStrictEqual(yield* log(organization), [[one.id, "loop_blocked", "It came back"]])
      assert.deepStrictEqual(yield* take("a"), [])
    })
  )
})
