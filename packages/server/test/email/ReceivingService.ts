import { assert } from "@effect/vitest"
import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { rawClient } from "@switchboard/channels/testing/RawClient"
import { Context, Effect, Layer } from "effect"
import { accepted, adminKey, caller, LiveService, relayed, settled, sharedService } from "../LiveService.js"
import { publish } from "./domains/Zone.js"

type Zone = Record<string, DnsAnswer>

/** The settings of a service with this name server. */
const settingsOf = (nameServer: string) => ({
  DNS_SERVERS: nameServer,
  MAIL_HOSTNAME: "mail.switchboard.test",
  SPF_INCLUDE: "spf.relay.test",
  SMTP_CONFIRMATION: "dsn"
})

const sharedZone: Zone = {}
const service = sharedService(Effect.map(dnsServer(sharedZone), ({ server }) => settingsOf(server)))

/** The service with its SMTP server for incoming mail, and the mutable records of its name server. */
export class ReceivingService extends Context.Tag("test/ReceivingService")<
  ReceivingService,
  { readonly inboundPort: number; readonly zone: Zone }
>() {
  private static readonly withZone = (zone: Zone) =>
    Layer.effect(
      ReceivingService,
      Effect.map(LiveService, ({ inboundPort }) => ({ inboundPort, zone }))
    )

  /** An organization of its own on the service that the files of a worker share. Their domains must differ. */
  static readonly Shared = ReceivingService.withZone(sharedZone).pipe(Layer.provideMerge(LiveService.sharing(service)))

  /** A service on a database of its own. */
  static readonly layer = (settings: Readonly<Record<string, string>> = {}) =>
    Layer.unwrapScoped(
      Effect.gen(function* () {
        const zone: Zone = {}
        const { server } = yield* dnsServer(zone)
        return Layer.provideMerge(
          ReceivingService.withZone(zone),
          LiveService.layer({ ...settingsOf(server), ...settings })
        )
      })
    )
}

/** Calls the service as its first organization, which has the local domain. */
export const asFirstOrganization = Effect.provideServiceEffect(
  LiveService,
  Effect.map(LiveService, (live) => ({ ...live, call: caller(live.baseUrl, adminKey), key: adminKey }))
)

/** Creates a domain, publishes its records and verifies it. */
export const verifiedDomain = Effect.fnUntraced(function* (domain: string) {
  const { call } = yield* LiveService
  const { zone } = yield* ReceivingService
  const { body: made } = yield* call("POST", "/v1/email/domains", { domain })
  publish(zone, made.dnsRecords)
  const { body } = yield* call("POST", "/v1/email/domains/verify", { domain })
  assert.isTrue(body.success)
  return made
})

/** Creates a verified domain that receives mail. */
export const receivingDomain = Effect.fnUntraced(function* (domain: string, fields: Readonly<Record<string, unknown>>) {
  yield* verifiedDomain(domain)
  const { call } = yield* LiveService
  const { body, status } = yield* call("POST", "/v1/email/domains/enable-receiving", { domain, ...fields })
  assert.strictEqual(status, 200, JSON.stringify(body))
})

/** Sends a message that the relay accepts; returns its id and its mail at the relay. */
export const sentFrom = Effect.fnUntraced(function* (
  from: string,
  to: ReadonlyArray<string>,
  overrides: Readonly<Record<string, unknown>> = {}
) {
  const { content, id } = yield* accepted({ to: to.map((email) => ({ email })), ...overrides }, { from })
  yield* settled(id, "sent")
  return { id: String(id), mail: yield* relayed(({ parsed }) => parsed.subject === content.subject) }
})

export const sentTo = (from: string, ...to: ReadonlyArray<string>) => sentFrom(from, to)

/** Sends a mail to the service over SMTP; returns the reply to its final dot, or an earlier refusal. */
export const deliver = Effect.fnUntraced(function* (
  mailFrom: string,
  rcptTo: string,
  mail: string,
  encoding: "utf8" | "latin1" = "utf8"
) {
  const { inboundPort } = yield* ReceivingService
  const { reply, sendLine, writeAll } = yield* rawClient(inboundPort)
  yield* sendLine("EHLO mx.example.com")
  yield* sendLine(`MAIL FROM:<${mailFrom}>`)
  const taken = yield* sendLine(`RCPT TO:<${rcptTo}>`)
  if (!taken.startsWith("250")) return taken
  yield* sendLine("DATA")
  yield* writeAll(Buffer.from(`${mail.replace(/\r?\n/g, "\r\n").replace(/^\./gm, "..")}\r\n.\r\n`, encoding))
  return yield* reply
}, Effect.scoped)
