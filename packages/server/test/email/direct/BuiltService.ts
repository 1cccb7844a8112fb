import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { firstSender } from "@switchboard/server/run/FirstStart"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted } from "effect"
import { adminKey, caller, LiveService } from "../../LiveService.js"
import { temporaryFolder } from "../../ServiceCalls.js"
import { base, launch } from "../../ServiceProcess.js"
import { ReceivingService } from "../ReceivingService.js"
import { SubmissionService } from "../submission/SubmissionService.js"

/** The port of all mail servers, each on its own address of loopback. */
export class MxPort extends Context.Tag("test/MxPort")<MxPort, number>() {}

/** The built program with direct delivery, on a database of its own; its name server has the zone of `ReceivingService`. */
export const BuiltService = Layer.scopedContext(
  Effect.gen(function* () {
    const zone: Record<string, DnsAnswer> = {}
    const { server } = yield* dnsServer(zone)
    const port = yield* freePort
    const submission = yield* freePort
    const environment = {
      ...base(yield* temporaryFolder),
      DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
      SMTP_URL: "mx:",
      MX_PORT: String(port),
      MX_HOSTNAME: "out.switchboard.test",
      MAIL_HOSTNAME: "mail.switchboard.test",
      SPF_INCLUDE: "spf.relay.test",
      NETWORK_ALLOW: "127.0.0.0/8",
      DNS_SERVERS: server,
      SUBMISSION_PORT: String(submission),
      RETRY_SCHEDULE: Array.from({ length: 100 }, () => "1 second").join(", ")
    }
    const { baseUrl, inboundPort } = yield* launch("serve", environment)
    const call = caller(baseUrl)
    const { body: organization } = yield* call("GET", "/v1/organizations/current")
    const live = { baseUrl, inboundPort, organizationId: organization.id, sender: firstSender, key: adminKey, call }
    return Context.make(LiveService, { ...live, mails: [], rcptTo: [], environment }).pipe(
      Context.add(ReceivingService, { inboundPort, zone }),
      Context.add(SubmissionService, { startTls: submission, tls: 0 }),
      Context.add(MxPort, port)
    )
  })
).pipe(Layer.provide(TestDatabaseUrl.Live))
