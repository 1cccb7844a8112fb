import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type ArrivedMail, type InboundMail, InboundMails } from "@switchboard/services/email/receiving/InboundMail"
import {
  InboundQueue,
  type ProcessedMail,
  type TakeMails,
  type TakenMail
} from "@switchboard/services/email/receiving/InboundQueue"
import { DateTime, Duration, Effect, Stream } from "effect"
import { makeOrganization } from "../../messages/Fixtures.js"
import { StoreLive } from "../../StoreLive.js"
import { arrived, options } from "./Fixtures.js"

const store = (...mails: ReadonlyArray<ArrivedMail>) => Effect.flatMap(InboundMails, ({ store }) => store(mails))

const take = (worker: string, overrides: Partial<TakeMails> = {}) =>
  Effect.flatMap(InboundQueue, (queue) =>
    queue.take({
      worker,
      lease: Duration.seconds(60),
      limit: 100,
      perOwner: 100,
      skipped: [],
      except: [],
      octets: 1_000_000,
      ...overrides
    })
  )

const settle = (worker: string, processed: ProcessedMail, ...taken: ReadonlyArray<TakenMail>) =>
  Effect.flatMap(InboundQueue, (queue) =>
    queue.settle(
      worker,
      taken.map(({ mail }) => ({ mail, processed }))
    )
  )

const done: ProcessedMail = { _tag: "Done", parseError: null }

const later = (wait: Duration.DurationInput): Effect.Effect<ProcessedMail> =>
  Effect.map(DateTime.now, (now) => ({ _tag: "Later", at: DateTime.addDuration(now, wait) }))

const ids = (taken: ReadonlyArray<TakenMail>) => taken.map(({ mail }) => mail.id)

const stored = ({ organizationId }: Pick<InboundMail, "organizationId">) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT m.id, m.parse_error, m.processed_at IS NOT NULL AS processed,
      EXISTS (SELECT FROM inbound_queue AS q WHERE q.organization_id = m.organization_id AND q.id = m.id) AS queued,
      EXISTS (SELECT FROM inbound_waiting AS w WHERE w.organization_id = m.organization_id AND w.id = m.id) AS waiting
    FROM inbound_mails AS m WHERE m.organization_id = ${organizationId} ORDER BY m.id`
  )

const expireLease = ({ id }: InboundMail) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE inbound_queue SET lease_until = now() WHERE id = ${id}`)

/** The tests of a file share a database. */
const empty = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE inbound_queue, inbound_waiting`)

/** Empties the queue. Returns a mail that is stored in it. */
const onlyMail = Effect.gen(function* () {
  yield* empty
  const mail = yield* arrived(yield* makeOrganization())
  yield* store(mail)
  return mail
})

layer(StoreLive, options)("InboundQueue on PostgreSQL", (it) => {
  it.effect("leases a mail as it was stored", () =>
    Effect.gen(function* () {
      yield* empty
      const { fingerprint, ...mail } = yield* arrived(yield* makeOrganization(), {
        raw: Buffer.from([0, 13, 10, 255, 92, 39])
      })
      yield* store({ ...mail, fingerprint })
      const [taken = assert.fail("nothing was taken"), ...rest] = yield* take("a")
      assert.isEmpty(rest)
      assert.strictEqual(taken.leaseExpiries, 0)
      assert.deepStrictEqual({ ...taken.mail, raw: [...taken.mail.raw] }, { ...mail, raw: [...mail.raw] })
      assert.isEmpty(yield* take("b"))
    })
  )

  it.effect("stores a repeated mail once per organization", () =>
    Effect.gen(function* () {
      yield* empty
      const [one, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const first = yield* arrived(one)
      const same = (organization: typeof one) =>
        Effect.map(arrived(organization), (mail) => ({ ...mail, raw: first.raw, fingerprint: first.fingerprint }))
      yield* store(first)
      yield* store(yield* same(one), yield* same(other))
      yield* Effect.all([Effect.flatMap(same(one), store), Effect.flatMap(same(other), store)], {
        concurrency: "unbounded"
      })
      assert.lengthOf(yield* stored({ organizationId: one }), 1)
      assert.lengthOf(yield* stored({ organizationId: other }), 1)
      const taken = yield* take("a")
      assert.lengthOf(taken, 2)
      // Also after it was processed.
      yield* settle("a", done, ...taken)
      yield* store(yield* same(one))
      assert.isEmpty(yield* take("a"))
    })
  )

  it.effect("removes processed mails, and stores parse errors", () =>
    Effect.gen(function* () {
      const mail = yield* onlyMail
      const bad = yield* arrived(mail.organizationId)
      yield* settle("a", done, ...(yield* take("a")))
      yield* store(bad)
      yield* settle("a", { _tag: "Done", parseError: "Too deep" }, ...(yield* take("a")))
      assert.deepStrictEqual(yield* stored(mail), [
        { id: mail.id, parse_error: null, processed: true, queued: false, waiting: false },
        { id: bad.id, parse_error: "Too deep", processed: true, queued: false, waiting: false }
      ])
    })
  )

  it.effect("settles a mail only for the worker that holds it", () =>
    Effect.gen(function* () {
      const mail = yield* onlyMail
      const taken = yield* take("a")
      yield* Effect.flatMap(InboundQueue, ({ begin }) => begin("a", [mail], Duration.seconds(60)))
      yield* expireLease(mail)
      assert.strictEqual(yield* Effect.flatMap(InboundQueue, ({ recover }) => recover), 1)
      const again = yield* take("b")
      assert.deepStrictEqual(
        again.map(({ leaseExpiries }) => leaseExpiries),
        [1]
      )
      yield* settle("a", { _tag: "Done", parseError: "late" }, ...taken)
      assert.deepInclude((yield* stored(mail))[0], { processed: false, queued: true })
      yield* settle("b", done, ...again)
      assert.deepInclude((yield* stored(mail))[0], { processed: true, queued: false, parse_error: null })
    })
  )

  it.effect("stores retries for later or now, and resets the lease count on an outcome", () =>
    Effect.gen(function* () {
      const queue = yield* InboundQueue
      const mail = yield* onlyMail
      yield* take("a")
      yield* queue.begin("a", [mail], Duration.seconds(60))
      yield* expireLease(mail)
      yield* queue.recover
      yield* settle("a", yield* later("0 seconds"), ...(yield* take("a")))
      yield* settle("a", yield* later("1 hour"), ...(yield* take("a")))
      assert.deepInclude((yield* stored(mail))[0], { processed: false, queued: false, waiting: true })
      assert.strictEqual(yield* queue.promote, 0)
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE inbound_waiting SET due_at = now() WHERE id = ${mail.id}`
      )
      assert.strictEqual(yield* queue.promote, 1)
      const [taken] = yield* take("a")
      assert.strictEqual(taken?.leaseExpiries, 0)
    })
  )

  it.effect("leases mails round robin, oldest first, up to a total of octets", () =>
    Effect.gen(function* () {
      yield* empty
      const [one, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const mails = yield* Effect.forEach([one, one, one, other], (organization, at) =>
        arrived(organization, { raw: Buffer.alloc(1_000, String(at)) })
      )
      yield* Effect.forEach(mails, (mail) => store(mail))
      assert.sameMembers(ids(yield* take("a", { octets: 2_000 })), [mails[0]?.id, mails[3]?.id])
      assert.deepStrictEqual(ids(yield* take("a", { octets: 1 })), [mails[1]?.id])
      assert.isEmpty(yield* take("a", { skipped: [one] }))
      assert.deepStrictEqual(ids(yield* take("a", { limit: 1 })), [mails[2]?.id])
    })
  )

  it.effect("notifies workers of a stored mail", () =>
    Effect.gen(function* () {
      yield* empty
      const queue = yield* InboundQueue
      const mail = yield* arrived(yield* makeOrganization())
      // The first notification is sent on connecting.
      yield* queue.woken.pipe(
        Stream.mapEffect(() => store(mail)),
        Stream.take(2),
        Stream.runDrain
      )
      assert.lengthOf(yield* take("a"), 1)
    })
  )
})
