import { assert, describe, it } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type QueueDepth, type QueueName, queueNames } from "@switchboard/domain/system/SystemStatus"
import { oldTransactionFinding } from "@switchboard/server/doctor/Checks"
import { hostnameFinding } from "@switchboard/server/doctor/DoctorDomains"
import { callbackFinding } from "@switchboard/server/doctor/DoctorProviders"
import { parsingFinding, pauseFindings, queueFinding } from "@switchboard/server/doctor/DoctorQueues"
import { passwordFinding } from "@switchboard/server/doctor/DoctorRelays"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { whatsappCallbackPath } from "@switchboard/services/providers/ProviderCallbacks"
import { Pause, PausedDomain, PauseState, PauseTarget } from "@switchboard/services/queues/PauseRepo"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"

const depths = (overrides: Partial<Record<QueueName, Partial<QueueDepth>>> = {}): ReadonlyArray<QueueDepth> =>
  queueNames.map((queue) => ({
    queue,
    ready: 0,
    leased: 0,
    waiting: 0,
    oldestSeconds: 0,
    isPaused: false,
    ...overrides[queue]
  }))

const organizationId = OrganizationId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441")
const pausedAt = DateTime.unsafeMake("2026-11-23T10:00:00Z")

const stateOf = (...targets: ReadonlyArray<PauseTarget>) =>
  new PauseState({
    isHeld: false,
    endedBefore: Option.none(),
    pauses: targets.map((target) => new Pause({ target, pausedAt })),
    domains: []
  })

describe("switchboard doctor, queues", () => {
  it("reports ok while the oldest entry is at most five minutes old, however long the queue is", () => {
    assert.deepStrictEqual(queueFinding(depths({ message: { waiting: 7 } }), stateOf()), {
      level: "ok",
      subject: "Queues: empty"
    })
    assert.deepStrictEqual(
      queueFinding(
        depths({ message: { ready: 20, leased: 10, oldestSeconds: 300 }, inbound: { leased: 1 } }),
        stateOf()
      ),
      { level: "ok", subject: "Queues: messages 30, received mails 1" }
    )
  })

  it("reports an error for each queue whose oldest entry is older, and the remedy", () => {
    const { advice, level } = queueFinding(
      depths({
        message: { ready: 1 },
        inbound: { ready: 2, oldestSeconds: 3700.4 },
        voice_call: { oldestSeconds: 301 }
      }),
      stateOf()
    )
    assert.strictEqual(level, "error")
    assert.deepStrictEqual(advice, [
      "received mails: the oldest has been ready for 1h 1m 40s",
      "calls: the oldest has been ready for 5m 1s",
      'Check that a worker is running ("switchboard serve" or "switchboard worker"), and read its log.'
    ])
  })

  it("does not examine the age of paused queues", () => {
    const old = { ready: 1, oldestSeconds: 3700 }
    const byOrganization = stateOf(PauseTarget.Organization({ organizationId }))
    const byChannel = stateOf(PauseTarget.Channel({ channel: "email" }))
    assert.strictEqual(queueFinding(depths({ message: old }), byOrganization).level, "ok")
    assert.strictEqual(queueFinding(depths({ message: { ...old, isPaused: true } }), byChannel).level, "ok")
    assert.strictEqual(queueFinding(depths({ webhook: old }), byOrganization).level, "error")
  })

  it.effect("warns of a held copy and of each pause, with the command that ends it", () =>
    Effect.gen(function* () {
      const held = new PauseState({ isHeld: true, endedBefore: Option.none(), pauses: [], domains: [] })
      const shown = (state: PauseState) =>
        Effect.map(pauseFindings(state), (findings) =>
          findings.map(({ advice, level, subject }) => [level, subject, advice])
        )
      assert.deepStrictEqual(yield* shown(held), [
        [
          "warning",
          "Restored copy: nothing is sent",
          [
            'Run "switchboard release --since TIME" with the time at which the service of the backup stopped, or "switchboard release --all".'
          ]
        ]
      ])
      assert.deepStrictEqual(yield* shown(stateOf(PauseTarget.Organization({ organizationId }))), [
        [
          "warning",
          `Paused: organization ${organizationId}, since 2026-11-23T10:00:00.000Z`,
          [`Messages wait until "switchboard queues resume --organization ${organizationId}".`]
        ]
      ])
      const id = EmailDomainId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19442")
      const domain = new PausedDomain({ organizationId, id, domain: "shop.test", pausedAt })
      assert.deepStrictEqual(yield* shown(new PauseState({ ...stateOf(), domains: [domain] })), [
        [
          "warning",
          "Paused domains: 1",
          [
            `shop.test (${id}, organization ${organizationId}), since 2026-11-23T10:00:00.000Z`,
            "Their mail waits until it is resumed in the console or by POST /v1/email/domains/{id}/resume."
          ]
        ]
      ])
      assert.deepStrictEqual(yield* shown(stateOf()), [])
    }).pipe(Effect.provide(Layer.mock(OrganizationRepo, { find: () => Effect.succeedNone })))
  )

  it("warns of received mails that could not be parsed", () => {
    assert.strictEqual(parsingFinding(0).level, "ok")
    const { advice, level, subject } = parsingFinding(2)
    assert.deepStrictEqual([level, subject], ["warning", "Received mails of the last day: 2 could not be parsed"])
    assert.lengthOf(advice ?? [], 1)
  })
})

const levels = (domains: ReadonlyArray<string>, mailHostname: string) =>
  hostnameFinding(domains, mailHostname).map(({ level }) => level)

describe("switchboard doctor, MAIL_HOSTNAME", () => {
  it("requires a public name if a domain has records that point to it", () => {
    assert.deepStrictEqual(levels(["localhost.test", "example.com"], "localhost"), ["error"])
    assert.deepStrictEqual(levels(["example.com"], "mail.example.net"), ["ok"])
    assert.match(hostnameFinding(["example.com"], "localhost")[0]?.advice?.join("\n") ?? "", /set MAIL_HOSTNAME/i)
  })

  it("is not checked without such a domain", () => {
    assert.deepStrictEqual(levels(["localhost.test"], "localhost"), [])
    assert.deepStrictEqual(levels([], "localhost"), [])
  })
})

const passwordFindings = (url: string, tls: Option.Option<"opportunistic" | "require">) =>
  passwordFinding({ smtpTls: tls }, Redacted.make(url))

describe("switchboard doctor, the relay's password", () => {
  it("reports ok if TLS is required, by default or by SMTP_TLS", () => {
    for (const tls of [Option.none(), Option.some("require" as const)]) {
      const findings = passwordFindings("smtp://user:password@relay.example.com", tls)
      assert.deepStrictEqual(
        findings.map(({ level }) => level),
        ["ok"]
      )
    }
  })

  it("reports an error with opportunistic TLS", () => {
    const [finding] = passwordFindings("smtps://user:password@relay.example.com", Option.some("opportunistic"))
    assert.strictEqual(finding?.level, "error")
    assert.match(finding?.advice?.[0] ?? "", /^Set SMTP_TLS=require/)
  })

  it("reports nothing if no password leaves the host", () => {
    assert.deepStrictEqual(passwordFindings("smtp://relay.example.com", Option.some("opportunistic")), [])
    assert.deepStrictEqual(passwordFindings("smtp://user:password@127.0.0.1", Option.some("opportunistic")), [])
  })
})

describe("switchboard doctor, the callback URL", () => {
  it("must be an https URL beyond this machine", () => {
    assert.deepStrictEqual(callbackFinding("https://messages.example.com/base"), {
      level: "ok",
      subject: "Callback URL https://messages.example.com/base/v1/providers/twilio"
    })
    for (const url of ["http://messages.example.com", "https://127.0.0.1:3000", "https://localhost", "https://[::1]"]) {
      const { advice = [], level } = callbackFinding(url)
      assert.strictEqual(level, "error", url)
      assert.match(advice.join("\n"), /^Set PUBLIC_URL/m)
    }
  })

  it("is another one for WhatsApp, which Meta calls", () => {
    const { advice = [], level, subject } = callbackFinding("http://localhost:3000", whatsappCallbackPath)
    assert.deepStrictEqual([level, subject], ["error", "Callback URL http://localhost:3000/v1/providers/whatsapp"])
    assert.match(advice.join("\n"), /^Meta can't report/)
  })
})

describe("switchboard doctor, open transactions", () => {
  it("reports ok without old transactions", () => {
    assert.deepStrictEqual(oldTransactionFinding([]), {
      level: "ok",
      subject: "Open transactions of the database server"
    })
  })

  it("warns of old transactions, each with the statement that ends it", () => {
    const { advice, level } = oldTransactionFinding([
      { name: "pg_dump, switchboard, process 7", ageSeconds: 3700.4, remedy: "SELECT pg_terminate_backend(7)" }
    ])
    assert.strictEqual(level, "warning")
    assert.deepStrictEqual(advice?.slice(1), [
      "SELECT pg_terminate_backend(7)  (pg_dump, switchboard, process 7, open for 1h 1m 40s)"
    ])
  })
})
