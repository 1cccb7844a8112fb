import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { newId } from "@switchboard/services/NewId"
import { Effect, Schema } from "effect"
import { v7 } from "uuid"

/** Decodes an address. */
export const address = Schema.decodeSync(EmailAddress)

/** A recipient of inbound mail. */
export const help: InboundMail["recipients"][number] = {
  address: address("help@desk.test"),
  kind: { _tag: "Address", domainId: EmailDomainId.make(v7()) }
}

/** A mail to `help@desk.test`. */
export const inboundMail = (organizationId: OrganizationId, overrides: Partial<InboundMail> = {}) =>
  Effect.map(
    newId(MessageId),
    ({ id, now }): InboundMail => ({
      id,
      organizationId,
      mailFrom: "ada@example.com",
      recipients: [help],
      remoteAddress: "192.0.2.1",
      helo: "mx.example.com",
      tls: true,
      raw: new TextEncoder().encode("Subject: Hello\r\n\r\nHello\r\n"),
      receivedAt: now,
      ...overrides
    })
  )

/** The parsed mail of a sender, with a unique Message-ID by default. */
export const readMail = (overrides: Partial<ReadMail> = {}): ReadMail => ({
  headers: [{ name: "x-mailer", value: "By hand" }],
  messageId: `<${v7()}@mail.example.com>`,
  inReplyTo: [],
  references: [],
  from: { name: "Ada Lovelace", address: "Ada@Example.com" },
  replyTo: [],
  to: [{ name: "", address: "help@desk.test" }],
  cc: [],
  subject: "Hello",
  text: "Hello",
  html: "",
  replyText: overrides.text ?? "Hello",
  parts: [],
  ...overrides
})

export const authentication = { spf: "pass", dkim: "pass", dmarc: "pass" }

/** Receives a mail, and returns its message id. */
export const receive = (
  organization: OrganizationId,
  read: Partial<ReadMail> = {},
  overrides: Partial<InboundMail> = {}
) =>
  Effect.gen(function* () {
    const received = yield* ReceivedMessages
    const mail = yield* inboundMail(organization, overrides)
    yield* received.receive(mail, readMail(read), authentication)
    return mail.id
  })
