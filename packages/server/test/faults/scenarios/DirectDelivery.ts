import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import type { ScriptedReply, Stage } from "@switchboard/channels/testing/ScriptedRelay"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Deferred, Effect, Fiber, Option, Redacted } from "effect"
import { databaseProxy, type Passage } from "../../DatabaseProxy.js"
import { send } from "../../ServiceCalls.js"
import { installation } from "../Installation.js"
import { unreached } from "../KilledLives.js"
import { lives } from "../Lives.js"
import type { Scenario } from "../Scenario.js"
import { mails, type Sends } from "../Sends.js"
import { type Decide, truthRelay } from "../TruthRelay.js"

const slots = 2

/** Maximum messages that are queued or in progress. */
const outstanding = 20

/** The time after which a worker is killed that has not reached its moment. */
const patience = "20 seconds"

/**
 * The moments at which a worker is killed: in a look-up, at the stages of a session, after a 250 (`answered`), and before and
 * after the commit of its results. A mail may arrive twice only from `dot` on.
 */
const moments = ["lookup", "greeting", "RCPT", "DATA", "dot", "answered", "commit", "committed"] as const
type Moment = (typeof moments)[number]

/** The process is killed at one of this many times that it reaches a moment. */
const maxTimes: Readonly<Record<Moment, number>> = {
  lookup: 4,
  greeting: 4,
  RCPT: 10,
  DATA: 10,
  dot: 10,
  answered: 10,
  commit: 4,
  committed: 4
}

/** The domains, each with its own mail server. Every third message has a recipient at `hang.test`. */
const domains = ["plain.test", "grey.test", "full.test", "hang.test"] as const
type Domain = (typeof domains)[number]

const recipientsOf = (first: string): ReadonlyArray<string> => {
  const name = first.split("@")[0] ?? ""
  const isThird = Number(name.slice(1)) % 3 === 0
  return [
    first,
    `${name}@grey.test`,
    `${name}.second@grey.test`,
    `${name}@full.test`,
    ...(isThird ? [`${name}@hang.test`] : [])
  ]
}

/** Messages with recipients at several destinations. */
const toSeveral: Sends = {
  ...mails,
  recipients: recipientsOf,
  body: (first) => send({ to: recipientsOf(first).map((email) => ({ email })) }, { subject: first })
}

/**
 * Workers deliver to the mail servers of recipients until they are killed. One server defers each address once, one defers
 * mails after their data, one leaves some without a reply. The figures count recipients.
 */
export const directDelivery: Scenario = {
  name: "direct-delivery",
  about: "kills workers at each step of delivery to several mail servers, of which some defer and one hangs",
  rounds: { short: 8, full: 200 },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const direct = { SMTP_URL: "mx:", MX_HOSTNAME: "out.faults.test" }
      const { cluster, drained, end, insist, open, report, start, truth } = yield* installation(direct, {
        sends: toSeveral
      })
      const api = yield* start("api")
      const kills: Record<string, number> = Object.fromEntries(moments.map((moment) => [moment, 0]))
      let isOver = false
      let serial = 0

      const sending = yield* Effect.gen(function* () {
        while (!isOver) {
          for (let more = outstanding - (yield* open); more > 0; more--) {
            yield* insist(Effect.succeed(api.baseUrl), `d${serial++}@plain.test`)
          }
          yield* Effect.sleep("20 millis")
        }
      }).pipe(Effect.fork)

      /** Starts a worker with its own name server and mail servers. `decide` gives the replies of the server of a domain. */
      const startWorker = Effect.fnUntraced(function* (
        url: string,
        answer: (domain: Domain) => "silence" | undefined,
        decide: (domain: Domain) => Decide
      ) {
        const port = yield* freePort
        const zone: Record<string, DnsAnswer | (() => DnsAnswer)> = {}
        for (const [index, domain] of domains.entries()) {
          const host = `127.0.4.${index + 1}`
          zone[domain] = () => answer(domain) ?? [{ type: "MX", priority: 10, exchange: `mx.${domain}` }]
          zone[`mx.${domain}`] = [{ type: "A", address: host }]
          yield* truthRelay(truth, decide(domain), { host, port })
        }
        const { server } = yield* dnsServer(zone)
        return yield* start("worker", { DATABASE_URL: url, DNS_SERVERS: server, MX_PORT: String(port) })
      })

      const faultAt = (domain: Domain, { address = "", stage, times }: Parameters<Decide>[0], round: string) => {
        if (domain === "grey.test" && stage === "RCPT" && times === 1) return "450 4.2.0 Greylisted"
        if (domain === "full.test" && stage === "dot" && dice(round, address, times) < 0.3) return "452 4.2.2 Full"
        if (domain === "hang.test" && stage === "MAIL" && dice(round, times) < 0.3) return "silence"
        return undefined
      }

      const life = (slot: number, round: number) =>
        Effect.scoped(
          Effect.gen(function* () {
            const place = slot + round * slots
            const moment = moments[place % moments.length] ?? "dot"
            const due = yield* Deferred.make<void>()
            let left = 1 + Math.floor(dice("times", place) * maxTimes[moment])
            const isReached = (at: Moment | Stage) => {
              if (at !== moment || --left !== 0) return false
              Deferred.unsafeDone(due, Effect.void)
              return true
            }
            const { proxy, url } = yield* databaseProxy(Redacted.make(cluster.url))
            let isSettling = false
            yield* proxy.judgeStatements((statement): Passage => {
              if (statement.includes("prepared finish_message")) isSettling = true
              if (!isSettling || statement !== "COMMIT") return "pass"
              isSettling = false
              if (isReached("commit")) return "before"
              return isReached("committed") ? "after" : "pass"
            })
            const worker = yield* startWorker(
              url,
              () => (isReached("lookup") ? "silence" : undefined),
              (domain) =>
                (at): ScriptedReply | undefined => {
                  const fault = faultAt(domain, at, String(place))
                  if (fault !== undefined || (at.stage === "dot" && isReached("answered"))) return fault
                  // In the data: after the 354.
                  return isReached(at.stage) && at.stage !== "DATA" ? "silence" : undefined
                }
            )
            const came = yield* Effect.timeoutOption(Deferred.await(due), patience)
            yield* end(worker)
            if (Option.isSome(came)) kills[moment] = (kills[moment] ?? 0) + 1
          })
        )

      yield* lives({ rounds, slots }, life)
      isOver = true
      yield* Fiber.join(sending)
      yield* startWorker(
        cluster.url,
        () => undefined,
        () => () => undefined
      )
      yield* drained()
      return yield* report(kills, unreached(kills))
    })
}
