import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { MasterKeyCheck } from "@switchboard/services/installation/MasterKeyCheck"
import { MasterKey } from "@switchboard/services/Signatures"
import { InstallationRepoSql } from "@switchboard/store/installation/InstallationRepoSql"
import { Effect, Layer, Redacted } from "effect"
import { makeAddress, makeDomain, Live as StoreLive } from "../../../../store/test/email/receiving/Fixtures.js"
import { makeOrganization } from "../../../../store/test/messages/Fixtures.js"
import { TestDatabaseUrl } from "../../../../store/test/TestDatabase.js"
import { MasterKeyCheckLive } from "../../../src/MasterKeyLive.js"
import { temporaryFolder, until } from "../../LiveService.js"
import { base, ended, installationKey, launch } from "../../ServiceProcess.js"
import { bringMails, makeLedger } from "./Ledger.js"

const rounds = 6
const clients = 4

/** The same numbers for the same seed. */
const chance = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Mails that wait for a worker. */
const waiting = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT 1 FROM inbound_queue UNION ALL SELECT 1 FROM inbound_waiting`
)

/** What was made of the mails: each is told by its Message-ID. */
const made = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.all({
    mails: sql<{ id: string }>`SELECT substring(convert_from(raw, 'UTF8') FROM 'Message-ID: (<[^>]+>)') AS id
      FROM inbound_mails`,
    messages: sql<{ id: string }>`SELECT rfc_message_id AS id FROM inbound_messages`,
    threads: sql`SELECT 1 FROM threads`
  })
)

/** The installation knows the key of its processes: by what the test stores it could not be told. */
const begun = Effect.flatMap(MasterKeyCheck, ({ claim }) => claim).pipe(
  Effect.provide(MasterKeyCheckLive.pipe(Layer.provide(InstallationRepoSql))),
  Effect.provideService(MasterKey, Redacted.make<Uint8Array>(installationKey))
)

const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id).sort()

layer(StoreLive, { timeout: "60 seconds", excludeTestServices: true })("A process that is killed", (it) => {
  it.scoped(
    "has stored what it answered with 250, and makes one message of a mail that was brought again",
    () =>
      Effect.gen(function* () {
        const seed = yield* Effect.sync(() => Number(process.env.SEED ?? Date.now() % 1_000_000))
        const random = chance(seed)
        assert.isTrue(yield* begun)
        const organization = yield* makeOrganization()
        const { domain, id } = yield* makeDomain(organization)
        const to = `support@${domain}`
        yield* makeAddress(organization, id, to)
        const environment = {
          ...base(yield* temporaryFolder),
          DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
          // Nobody is there to be asked.
          DNS_SERVERS: "127.0.0.1:9",
          LEASE_DURATION: "2 seconds",
          LOG_LEVEL: "none"
        }
        const ledger = makeLedger()
        let count = 0
        let unanswered = 0

        for (let round = 0; round < rounds; round++) {
          const { child, inboundPort } = yield* launch("serve", environment)
          const again = [...ledger.open]
          let left = 1 + random(40)
          const untilDeath = random(4)
          yield* Effect.forEach(
            Array.from({ length: clients }),
            () =>
              bringMails(
                inboundPort,
                ledger,
                () => again.pop() ?? `<${++count}.${seed}@sender.test>`,
                to,
                () => {
                  left -= 1
                  // Between the end of a mail and its answer.
                  if (left === 0) setTimeout(() => child.kill("SIGKILL"), untilDeath)
                }
              ),
            { concurrency: "unbounded" }
          )
          yield* ended(child)
          unanswered += ledger.open.size
        }

        const { inboundPort } = yield* launch("serve", environment)
        const again = [...ledger.open]
        yield* bringMails(inboundPort, ledger, () => again.pop(), to)
        assert.isEmpty([...ledger.open], `seed ${seed}`)
        assert.isAbove(ledger.acknowledged.size, rounds)
        assert.isAbove(unanswered, 0, "nobody was killed between a mail and its answer")
        yield* until(waiting, ({ length }) => length === 0)
        const { mails, messages, threads } = yield* made
        const all = [...ledger.acknowledged].sort()
        assert.deepStrictEqual(ids(mails), all, `seed ${seed}`)
        assert.deepStrictEqual(ids(messages), all, `seed ${seed}`)
        assert.lengthOf(threads, all.length)
      }),
    240_000
  )
})
