import { generateKeyPairSync } from "node:crypto"
import {
  MailAuthenticatorDns,
  MailCheckTimeout
} from "@switchboard/channels/email/receiving/authentication/MailAuthenticatorDns"
import { dkimSignature, relaxedBodyHash } from "@switchboard/channels/messages/DkimSignature"
import { DnsResolverNode } from "@switchboard/channels/network/DnsResolverNode"
import { NetworkSettings } from "@switchboard/channels/network/NetworkPolicy"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import { MailAuthenticator } from "@switchboard/services/email/receiving/ReadMail"
import type { DnsResolver } from "@switchboard/services/network/DnsResolver"
import { atOnce } from "@switchboard/services/Slices"
import { Context, DateTime, type Duration, Effect, Layer, Schema } from "effect"
import type { DKIMSignOptions } from "mailauth"
import { dkimSign } from "mailauth/lib/dkim/sign.js"
import { type DnsZone, dnsServer } from "../../network/DnsServer.js"
import { sharedMimeWorkers } from "./MimeWorkers.js"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const publicText = publicKey.export({ type: "spki", format: "der" }).toString("base64")

export const text = (value: string) => ({ type: "TXT", chunks: value.match(/.{1,250}/gs) ?? [""] }) as const

/** The DKIM key record of `signed`. */
export const keyRecord = text(`v=DKIM1; k=rsa; p=${publicText}`)

/** Prepends a DKIM signature of this domain and selector. */
export const signed = (mail: string, domain: string, selector = "sm1") =>
  Effect.promise(async () => {
    const octets = Buffer.from(mail).toString("latin1")
    const end = octets.indexOf("\r\n\r\n") + 2
    const bodyHash = atOnce(relaxedBodyHash([octets.slice(end + 2)]))
    const signature = await dkimSignature({ domain, selector, privateKey }, octets.slice(0, end), bodyHash)
    return Buffer.from(signature + octets, "latin1")
  })

/** Prepends a DKIM signature with options that the service's signer does not have. */
export const signedWith = (mail: string, options: Partial<DKIMSignOptions>) =>
  Effect.promise(async () => {
    const key = {
      signingDomain: "example.com",
      selector: "sm1",
      privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
    }
    const all = { ...key, ...options }
    const { signatures } = await dkimSign(Buffer.from(mail), { ...all, signatureData: [all] })
    return Buffer.from(`${signatures}${mail}`)
  })

export interface Times {
  readonly dns?: Duration.DurationInput
  readonly check?: Duration.DurationInput
}

/** A MailAuthenticator with this resolver. */
export const authenticatorWith = (resolver: Layer.Layer<DnsResolver>, check: Duration.DurationInput) =>
  Layer.build(Layer.provide(MailAuthenticatorDns, [resolver, sharedMimeWorkers])).pipe(
    Effect.map(Context.get(MailAuthenticator)),
    Effect.provideService(MailCheckTimeout, check)
  )

/** A MailAuthenticator with a DNS server that has this zone. */
export const authenticatorOver = (zone: DnsZone, times: Times = {}) =>
  Effect.gen(function* () {
    const { server } = yield* dnsServer(zone)
    const settings = { allow: [], dnsServers: [server], dnsTimeout: times.dns ?? "5 seconds" }
    const resolver = Layer.provide(DnsResolverNode, Layer.succeed(NetworkSettings, settings))
    return yield* authenticatorWith(resolver, times.check ?? "20 seconds")
  })

const defaultMail: InboundMail = {
  id: Schema.decodeSync(MessageId)("01890000-0000-7000-8000-000000000001"),
  organizationId: Schema.decodeSync(OrganizationId)("01890000-0000-7000-8000-000000000002"),
  mailFrom: "ada@example.com",
  recipients: [
    {
      address: Schema.decodeSync(EmailAddress)("in@example.org"),
      kind: { _tag: "Reply", messageId: Schema.decodeSync(MessageId)("01890000-0000-7000-8000-000000000003") }
    }
  ],
  remoteAddress: "192.0.2.1",
  helo: "mx.example.com",
  tls: true,
  raw: Buffer.from("From: ada@example.com\r\nSubject: x\r\n\r\nHello\r\n"),
  receivedAt: DateTime.unsafeMake("2027-01-01T00:00:00Z")
}

export const inbound = (changes: Partial<InboundMail> = {}): InboundMail => ({ ...defaultMail, ...changes })
