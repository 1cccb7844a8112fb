import { assert } from "@effect/vitest"
import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { rawClient } from "@switchboard/channels/testing/RawClient"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Context, Effect, Layer } from "effect"
import { LiveService, send, until } from "../LiveService.js"

/** The service with its SMTP server for incoming mail, and its name server. */
export class ReceivingService extends Context.Tag("test/ReceivingService")<
  ReceivingService,
  { readonly inboundPort: number; readonly zone: Record<string, DnsAnswer> }
>() {
  static readonly layer = (settings: Readonly<Record<string, string>> = {}) =>
    Layer.unwrapScoped(
      Effect.gen(function* () {
        const zone: Record<string, DnsAnswer> = {}
        const { server } = yield* dnsServer(zone)
        const inboundPort = yield* freePort
        return LiveService.layer({
          DNS_SERVERS: server,
          MAIL_HOSTNAME: "mail.switchboard.test",
          SMTP_CONFIRMATION: "dsn",
          INBOUND_SMTP_PORT: String(inboundPort),
          ...settings
        }).pipe(Layer.merge(Layer.succeed(ReceivingService, { inboundPort, zone })))
      })
    )
}

interface RequestedRecord {
  readonly type: string
  readonly name: string
  readonly value: string
  readonly priority?: number
}

/** Creates a domain, publishes its records and verifies it. */
export const verifiedDomain = Effect.fnUntraced(function* (domain: string) {
  const { call } = yield* LiveService
  const { zone } = yield* ReceivingService
  const { body: made } = yield* call("POST", "/v1/email/domains", { domain })
  const records: ReadonlyArray<RequestedRecord> = made.dnsRecords
  for (const { name } of records) {
    zone[name] = records
      .filter((record) => record.name === name)
      .map(({ priority, type, value }) =>
        type === "MX"
          ? ({ type: "MX", priority: priority ?? 0, exchange: value } as const)
          : ({ type: "TXT", chunks: value.match(/.{1,255}/g) ?? [] } as const)
      )
  }
  const { body } = yield* call("POST", "/v1/email/domains/verify", { domain })
  assert.deepStrictEqual(body, { success: true })
  return made
})

/** Sends a message that the relay accepts; returns its id and its mail at the relay. */
export const sentFrom = Effect.fnUntraced(function* (
  from: string,
  to: ReadonlyArray<string>,
  overrides: Readonly<Record<string, unknown>> = {}
) {
  const { call, mails } = yield* LiveService
  const message = send({ to: to.map((email) => ({ email })), ...overrides }, { from })
  const { body, status } = yield* call("POST", "/v1/messages", message)
  assert.strictEqual(status, 201, JSON.stringify(body))
  const id: string = body.id
  yield* until(
    Effect.map(call("GET", `/v1/messages/${id}`), ({ body }) => body.status),
    (now) => now === "sent"
  )
  const mail = mails.find(({ parsed }) => parsed.subject === message.email.subject) ?? assert.fail("no mail arrived")
  return { id, mail }
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
