import { databaseTimeFactor } from "@switchboard/services/RequestDeadline"
import { Deferred, Duration, Effect, Fiber, Redacted } from "effect"
import { databaseProxy } from "../../DatabaseProxy.js"
import { installation, lease } from "../Installation.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

const callers = 8

/** Maximum undelivered messages, so that they can be delivered in the waiting time at the end. */
const maxOutstanding = 200

/** Maximum time that a fault waits for its statement. */
const patience = "2 seconds"

/** Maximum time until sends are accepted after the recovery of the database, in milliseconds. */
const recoveryLimit = 5_000 * databaseTimeFactor

/**
 * One process accepts and delivers while its database crashes and hangs, and while its connections are closed: by the
 * server, and by a proxy before and after each kind of statement.
 */
export const database: Scenario = {
  name: "database",
  about: "crashes and hangs PostgreSQL, and cuts connections at every statement",
  rounds: { short: 8, full: 640 },
  limits: { recoveryMs: recoveryLimit },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { client, cluster, drained, end, insist, ledger, report, start, truth } = yield* installation()
      const relay = yield* truthRelay(truth)
      const { proxy, url } = yield* databaseProxy(Redacted.make(cluster.url))
      const running = yield* start("serve", { SMTP_URL: `smtp://127.0.0.1:${relay.port}`, DATABASE_URL: url })
      const faults = { restarts: 0, cuts: 0, terminated: 0, allCut: 0, hangs: 0 }
      const kinds = new Set<string>()
      /** The kinds of statements that were sent since their last cut, in order. */
      const uncut: Array<string> = []
      let wanted: {
        readonly kind: string
        readonly when: "before" | "after"
        readonly done: Deferred.Deferred<void>
      } | null = null
      let isOver = false
      let serial = 0
      let recoveryMs = 0

      yield* proxy.judgeStatements((statement) => {
        kinds.add(statement)
        if (wanted?.kind !== statement) {
          if (!uncut.includes(statement)) uncut.push(statement)
          return "pass"
        }
        const { done, when } = wanted
        wanted = null
        faults.cuts += 1
        Deferred.unsafeDone(done, Effect.void)
        return when
      })
      const baseUrl = Effect.succeed(running.baseUrl)
      const next = Effect.suspend(() => insist(baseUrl, `d${serial++}@faults.test`))
      const hasRoom = () => ledger.acked - truth.all().size < maxOutstanding
      const read = Effect.map(client(running.baseUrl, "GET", "/v1/messages?limit=1"), (outcome) =>
        ledger.answered("", outcome)
      )
      const calling = yield* Effect.forEach(
        Array.from({ length: callers }),
        () =>
          Effect.repeat(Effect.delay(Effect.zipRight(Effect.when(next, hasRoom), read), "20 millis"), {
            until: () => isOver
          }),
        { concurrency: "unbounded", discard: true }
      ).pipe(Effect.fork)

      /** The time from the recovery of the database to the next accepted send. */
      const recovered = Effect.gen(function* () {
        yield* cluster.ready
        const [took] = yield* Effect.timed(next)
        recoveryMs = Math.max(recoveryMs, Math.round(Duration.toMillis(took)))
      })
      const cut = (round: number) =>
        Effect.gen(function* () {
          const done = yield* Deferred.make<void>()
          const kind = uncut.shift() ?? ""
          wanted = { kind, when: dice("when", round) < 0.5 ? "before" : "after", done }
          yield* Effect.timeoutOption(Deferred.await(done), patience)
          wanted = null
        })
      const terminate = cluster.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'switchboard'"
      )
      const hang = cluster.freeze.pipe(Effect.delay("100 millis"), Effect.zipRight(Effect.sleep(lease * 1.5)))

      // Of 32 faults, 20 are cuts, 5 crashes and 1 a hang; the others close all connections.
      for (let round = 0; round < rounds; round++) {
        const turn = round % 32
        if (turn === 15) {
          yield* Effect.ensuring(hang, cluster.thaw)
          faults.hangs += 1
          yield* recovered
        } else if (turn % 6 === 2) {
          yield* cluster.crash
          faults.restarts += 1
          yield* recovered
        } else if (turn % 12 === 5) {
          yield* terminate
          faults.terminated += 1
        } else if (turn % 12 === 11) {
          for (let times = 0; times < 20; times++) yield* Effect.delay(proxy.cut, "50 millis")
          faults.allCut += 20
        } else yield* cut(round)
      }
      isOver = true
      yield* Fiber.join(calling)
      yield* drained()
      const code = yield* end(running, "SIGTERM")
      return yield* report(
        { ...faults, statements: kinds.size, recoveryMs },
        code === 0 ? [] : [`the process ended with ${code}`]
      )
    })
}
