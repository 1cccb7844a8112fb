import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { Deferred, Effect, Option } from "effect"
import { verified } from "../../Hooks.js"
import { caller } from "../../ServiceCalls.js"
import { installation } from "../Installation.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

/** The share of requests that the receiver fails. */
const faulty = 0.3

const sendsPerKill = 10

/** The fields of the data that differ between two bodies. */
const differences = (one: string, other: string): string => {
  const [first, second] = [one, other].map((body) => JSON.parse(body).data)
  return Object.keys({ ...first, ...second })
    .filter((key) => JSON.stringify(first[key]) !== JSON.stringify(second[key]))
    .join(", ")
}

/** A receiver fails requests, and has workers killed when it receives a request and when it has responded. */
export const webhooks: Scenario = {
  name: "webhooks",
  about: "fails webhook requests, and kills workers around their responses",
  rounds: { short: 1, full: 100 },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { drained, end, insist, report, start, truth } = yield* installation({
        WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 30 }, () => "200 millis").join(", ")
      })
      const relay = yield* truthRelay(truth)
      const smtp = { SMTP_URL: `smtp://127.0.0.1:${relay.port}` }
      const api = yield* start("api")
      const succeeded = new Set<string>()
      const bodies = new Map<string, string>()
      const violations: Array<string> = []
      const tries = new Map<string, number>()
      let secret: Option.Option<string> = Option.none()
      let failed = 0
      let repeated = 0
      let due: { left: number; readonly reached: Deferred.Deferred<void> } | null = null

      const hook = yield* receiver((response, request) => {
        const id = String(request.headers["webhook-id"])
        const times = (tries.get(id) ?? 0) + 1
        tries.set(id, times)
        const before = bodies.get(id) ?? request.body
        bodies.set(id, before)
        if (before !== request.body) violations.push(`${id} came with another ${differences(before, request.body)}`)
        Option.map(secret, (known) => verified(known, request))
        if (due !== null && --due.left === 0) {
          Deferred.unsafeDone(due.reached, Effect.void)
          // Half of the workers are killed without a response, the others after one.
          if (dice("answer", id) < 0.5) return
        }
        if (times < 20 && dice("faulty", times, bodies.size) < faulty) {
          failed += 1
          if (dice("how", times, bodies.size) < 0.5) return void response.destroy()
          return void response.writeHead(times % 2 === 0 ? 500 : 302, { Location: "/elsewhere" }).end()
        }
        if (succeeded.has(id)) repeated += 1
        succeeded.add(id)
        response.end("ok")
      })
      const call = caller(api.baseUrl)
      const { body: endpoint } = yield* call("POST", "/v1/webhook-endpoints", {
        name: "Faults",
        url: hook.url,
        events: ["message.created"]
      })
      secret = Option.some(JSON.parse(endpoint.config).secret)

      let serial = 0
      const some = Effect.suspend(() => insist(Effect.succeed(api.baseUrl), `h${serial++}@faults.test`))
      for (let round = 0; round < rounds; round++) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.replicateEffect(some, sendsPerKill)
            const worker = yield* start("worker", smtp)
            const reached = yield* Deferred.make<void>()
            due = { left: 1 + Math.floor(dice("kill", round) * sendsPerKill), reached }
            yield* Effect.timeoutOption(Deferred.await(reached), "10 seconds")
            due = null
            yield* end(worker)
          })
        )
      }
      yield* start("worker", smtp)
      yield* drained()
      const pending = Effect.map(
        call("GET", `/v1/webhook-endpoints/${endpoint.id}/stats`),
        ({ body }): number => body.pending + body.retrying
      )
      yield* Effect.repeat(Effect.delay(pending, "100 millis"), { until: (count) => count === 0, times: 600 })
      const found = yield* report({ kills: rounds, failed, repeated, events: bodies.size }, violations)
      const arrived = new Set(
        [...bodies].flatMap(([id, body]) => (succeeded.has(id) ? [String(JSON.parse(body).data.id)] : []))
      )
      return { ...found, lost: found.lost + (found.acked - arrived.size) }
    })
}
