import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { Array, DateTime, Effect } from "effect"
import { feedbackReport } from "../email/feedback/Reports.js"
import { deliver, ReceivingService, verifiedDomain } from "../email/ReceivingService.js"
import { eventOf, verified } from "../Hooks.js"
import { accepted, LiveService, messageOf, metricsText, relayed, settled, until } from "../LiveService.js"
import { startService } from "../TestService.js"

const settings = {
  DOMAIN_PAUSE_BOUNCE_RATE: "10",
  DOMAIN_PAUSE_COMPLAINT_RATE: "5",
  DOMAIN_PAUSE_MIN_MESSAGES: "20",
  NETWORK_ALLOW: "127.0.0.0/8",
  SMTP_CONFIRMATION: "accept"
}

/** Sends a message from a domain to a new address. */
const sendFrom = (domain: string, to: string, overrides: Readonly<Record<string, unknown>> = {}) =>
  accepted({ to: [{ email: `${to}@example.com` }], ...overrides }, { from: `orders@${domain}` })

/** Sends messages, and waits for their outcomes. */
const campaign = (
  domain: string,
  outcomes: Readonly<Record<string, number>>,
  overrides: Readonly<Record<string, unknown>> = {}
) =>
  Effect.forEach(
    Object.entries(outcomes).flatMap(([name, count]) => Array.makeBy(count, (index) => ({ name, index }))),
    ({ index, name }) =>
      Effect.tap(sendFrom(domain, `${name}.${index}.${domain}`, overrides), ({ id }) =>
        settled(id, name.startsWith("perm550") ? "bounced" : "delivered")
      ),
    { concurrency: 10 }
  )

const domainOf = (id: string) =>
  Effect.flatMap(LiveService, ({ call }) => Effect.map(call("GET", `/v1/email/domains/${id}`), ({ body }) => body))

const metric = (name: string) =>
  Effect.map(metricsText, (text) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]))

/** Sends messages from a paused domain until one waits, since every process knows of the pause by then. */
const waitingFrom = (domain: string, to: string) =>
  Effect.gen(function* () {
    const before = yield* metric("switchboard_queue_waiting")
    const { id } = yield* sendFrom(domain, to)
    const status = yield* until(
      Effect.flatMap(messageOf(id), ({ status }) =>
        Effect.map(metric("switchboard_queue_waiting"), (waiting) => (waiting > before ? "waiting" : status))
      ),
      (is) => is === "waiting" || is === "delivered"
    )
    return status === "waiting" ? Effect.succeed(String(id)) : Effect.fail("delivered" as const)
  }).pipe(Effect.flatten, Effect.retry({ times: 100 }))

layer(ReceivingService.layer(settings), { excludeTestServices: true })("Domains that bounce or complain", (it) => {
  it.scoped("are paused once by two processes; their mail waits until they are resumed, other mail is sent", () =>
    Effect.gen(function* () {
      const { call, environment, rcptTo } = yield* LiveService
      yield* startService(environment)
      const hook = yield* receiver((response) => response.writeHead(200).end())
      const { body: endpoint } = yield* call("POST", "/v1/webhook-endpoints", {
        name: "Domains",
        url: hook.url,
        events: ["email_domain.paused", "email_domain.resumed"]
      })
      const bad = yield* verifiedDomain("bad.test")
      const good = yield* verifiedDomain("good.test")
      const post = (operation: string, id: string = bad.id) => call("POST", `/v1/email/domains/${id}/${operation}`)
      assert.strictEqual((yield* post("resume")).status, 409)
      assert.strictEqual((yield* post("resume", "01a1fc1d-cf9d-766f-8d6a-43d494c19441")).status, 404)

      yield* campaign("good.test", { bob: 19, perm550: 1 })
      // Tests do not count.
      yield* campaign("good.test", { "perm550.test": 3 }, { isTest: true })
      yield* campaign("bad.test", { ada: 18, perm550: 2 })
      const paused = yield* until(domainOf(bad.id), ({ pause }) => pause !== undefined)
      const { pausedAt, ...figures } = paused.pause
      assert.deepStrictEqual(figures, { reason: "bounces", rate: 0.1, bound: 0.1, messages: 20 })
      assert.strictEqual((yield* post("pause")).status, 409)

      const id = yield* waitingFrom("bad.test", "waiting")
      const deleted = yield* waitingFrom("bad.test", "deleted")
      assert.strictEqual((yield* call("DELETE", `/v1/messages/${deleted}`)).status, 200)
      const attempts = () => rcptTo.filter((address) => address === "deleted@example.com").length
      const attemptsBefore = attempts()
      const keyed = {
        idempotencyKey: "once",
        scheduledAt: DateTime.formatIso(DateTime.add(yield* DateTime.now, { seconds: 2 }))
      }
      const scheduled = yield* sendFrom("bad.test", "scheduled", keyed)
      assert.strictEqual(scheduled.status, "scheduled")
      yield* settled(scheduled.id, "pending")
      yield* campaign("good.test", { cyd: 5 })
      // Queued if a process that learnt of the pause later had leased it.
      assert.oneOf((yield* messageOf(id)).status, ["pending", "queued"])
      assert.strictEqual((yield* messageOf(scheduled.id)).status, "pending")
      assert.strictEqual(yield* metric("switchboard_queue_paused_domains"), 1)

      const resumed = yield* post("resume")
      assert.deepStrictEqual([resumed.status, resumed.body.pause], [200, undefined])
      yield* settled(id, "delivered")
      yield* settled(scheduled.id, "delivered")
      assert.strictEqual(attempts(), attemptsBefore)

      // Complaints arrive as feedback reports.
      const feared = yield* verifiedDomain("feared.test")
      const [first] = yield* campaign("feared.test", { dan: 20 })
      const angry = "dan.0.feared.test@example.com"
      const mail = yield* relayed(({ rcptTo }) => rcptTo.includes(angry))
      assert.match(yield* deliver("abuse@example.com", mail.mailFrom, feedbackReport(mail.mailFrom, angry, "")), /^250/)
      yield* settled(first?.id, "complained")
      const complained = yield* until(domainOf(feared.id), ({ pause }) => pause !== undefined)
      assert.deepInclude(complained.pause, { reason: "complaints", rate: 0.05, bound: 0.05, messages: 20 })

      // The resumed domain was evaluated again, and is not paused.
      assert.isUndefined((yield* domainOf(bad.id)).pause)
      assert.isUndefined((yield* domainOf(good.id)).pause)
      yield* until(
        Effect.sync(() => hook.received),
        ({ length }) => length >= 3
      )
      const secret = String(JSON.parse(endpoint.config).secret)
      assert.deepStrictEqual(
        hook.received.map((request) => {
          verified(secret, request)
          const { data, type } = eventOf(request)
          return [type, data.id]
        }),
        [
          ["email_domain.paused", bad.id],
          ["email_domain.resumed", bad.id],
          ["email_domain.paused", feared.id]
        ]
      )
      assert.isString(pausedAt)
    })
  )
})
