import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MailTransport, type OutgoingMail } from "@switchboard/services/messages/MailTransport"
import { Context, DateTime, Duration, Effect, Layer, Redacted } from "effect"
import type { SmtpTransportOptions } from "../src/messages/RelayOptions.js"
import { SmtpTransport } from "../src/messages/SmtpTransport.js"

export const organizationId = OrganizationId.make("0192f0c1-2345-7abc-8def-0123456789ab")
export const messageId = MessageId.make("0192f0c1-2345-7abc-8def-0123456789ff")

/** A mail that lacks nothing, changed where a test says so. */
export const outgoing = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  mailFrom: "shop@example.com",
  rcptTo: ["ada@example.org"],
  envelopeId: messageId,
  notify: false,
  messageId: `<${messageId}@example.com>`,
  date: DateTime.unsafeMake("2026-03-01T12:34:56Z"),
  from: { name: "The Shop", address: "shop@example.com" },
  to: ["ada@example.org"],
  cc: [],
  replyTo: [],
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello",
  headers: {},
  attachments: [],
  dkim: null,
  ...changes
})

/** A transport to a port of this machine. */
export const transportTo = (port: number, options: Partial<SmtpTransportOptions> = {}) =>
  Effect.map(
    Layer.build(
      SmtpTransport({
        url: Redacted.make(`smtp://127.0.0.1:${port}`),
        tls: "opportunistic",
        hostname: "sender.test",
        connections: 2,
        ...options
      })
    ),
    Context.get(MailTransport)
  )

/** Timeouts that a test can wait for. */
export const impatient = {
  connection: Duration.millis(300),
  greeting: Duration.millis(300),
  reply: Duration.millis(300)
}
