import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted } from "effect"
import { adminKey, caller } from "../LiveService.js"
import { startService, testSettings } from "../TestService.js"

/** The service with its local mailbox, which resolves names in a zone. */
export class Laptop extends Context.Tag("test/Laptop")<
  Laptop,
  {
    readonly baseUrl: string
    /** The SMTP port for incoming mail. */
    readonly inboundPort: number
    readonly call: ReturnType<typeof caller>
    /** The mutable records of the name server. */
    readonly zone: Record<string, DnsAnswer>
  }
>() {
  static readonly Live = Layer.scoped(
    Laptop,
    Effect.gen(function* () {
      const zone: Record<string, DnsAnswer> = {}
      const { server } = yield* dnsServer(zone)
      const { baseUrl, inboundPort } = yield* startService({
        ...testSettings(Redacted.value(yield* TestDatabaseUrl), adminKey),
        // Links in mail have this port.
        PORT: String(yield* freePort),
        SUBMISSION_PORT: String(yield* freePort),
        DNS_SERVERS: server,
        MAIL_HOSTNAME: "mail.switchboard.test",
        SPF_INCLUDE: "spf.relay.test"
      })
      return { baseUrl, inboundPort, call: caller(baseUrl), zone }
    })
  ).pipe(Layer.provideMerge(TestDatabaseUrl.Live))
}
