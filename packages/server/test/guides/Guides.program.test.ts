import { existsSync, readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { twilioServer } from "@switchboard/channels/testing/sms/TwilioServer"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { startProcess } from "@switchboard/server/demo/StartProcess"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { publish } from "../email/domains/Zone.js"
import { temporaryFolder } from "../LiveService.js"
import { base } from "../ServiceProcess.js"
import { smtpSink } from "../SmtpSink.js"
import { linksOf, stepsOf } from "./Guide.js"
import { runGuide } from "./RunGuide.js"

const guides = [
  "README.md",
  ...readdirSync(repositoryFile("docs"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/${name}`)
]

/** The settings that a guide starts the service with; `relay` is the port of an SMTP server. */
const settingsOf = (guide: string, relay: number): Readonly<Record<string, string>> => {
  switch (guide) {
    case "docs/first-mail.md":
      return {
        SMTP_URL: `smtp://127.0.0.1:${relay}`,
        MAIL_HOSTNAME: "mail.example.com",
        SPF_INCLUDE: "spf.relay.example.net"
      }
    case "docs/direct-delivery.md":
      return { SMTP_URL: "mx:", MX_PORT: String(relay), MAIL_HOSTNAME: "mail.example.com" }
    default:
      return {}
  }
}

/** The records of a host that delivers without a relay, and of a domain whose mail server is on loopback. */
const directZone: Readonly<Record<string, DnsAnswer>> = {
  "mail.example.com": [{ type: "A", address: "192.0.2.10" }],
  "10.2.0.192.in-addr.arpa": [{ type: "PTR", target: "mail.example.com" }],
  "example.org": [{ type: "MX", priority: 10, exchange: "mx.example.org" }],
  "gmail.com": [{ type: "MX", priority: 10, exchange: "mx.example.org" }],
  "mx.example.org": [{ type: "A", address: "127.0.0.1" }]
}

const requestedRecords = (output: unknown) =>
  typeof output === "object" && output !== null && "dnsRecords" in output && Array.isArray(output.dnsRecords)
    ? output.dnsRecords
    : []

describe("The guides", () => {
  it("are listed in the README", () => {
    assert.includeMembers([...linksOf("README.md")], guides.slice(1))
  })

  for (const guide of guides) {
    it.effect(`link to files that exist: ${guide}`, () =>
      Effect.sync(() => {
        for (const link of linksOf(guide)) assert.isTrue(existsSync(repositoryFile(link)), `${guide} links to ${link}`)
      })
    )

    if (stepsOf(guide).length === 0) continue
    it.scopedLive(`have commands that run: ${guide}`, () =>
      Effect.gen(function* () {
        const url = yield* TestDatabaseUrl
        const relay = yield* smtpSink
        const zone: Record<string, DnsAnswer> = guide === "docs/direct-delivery.md" ? { ...directZone } : {}
        const { server } = yield* dnsServer(zone)
        const environment = {
          ...base(yield* temporaryFolder),
          PORT: String(yield* freePort),
          SUBMISSION_PORT: String(yield* freePort),
          DATABASE_URL: Redacted.value(url),
          DNS_SERVERS: server,
          NETWORK_ALLOW: "127.0.0.0/8",
          ...settingsOf(guide, relay.port)
        }
        const { baseUrl, inboundPort } = yield* startProcess(environment)
        yield* runGuide(guide, {
          baseUrl,
          inboundPort,
          receiverPort: yield* freePort,
          twilio: yield* twilioServer(),
          environment,
          onOutput: (output) => publish(zone, requestedRecords(output))
        })
      }).pipe(Effect.provide(TestDatabaseUrl.Live))
    )
  }
})
