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

/** An address as it is kept. */
export const address = Schema.decodeSync(EmailAddress)

/** Where our mail comes in. */
export const help: InboundMail["recipients"][number] = {
  address: address("help@desk.test"),
  kind: { _tag: "Address", domainId: EmailDomainId.make(v7()) }
}

/** A mail to `help@desk.test` as it came in. */
export const inboundMail = (organizationId: OrganizationId, given: Partial<InboundMail> = {}) =>
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
      ...given
    })
  )

/** What a mail of Ada says. Unless told otherwise, none has the Message-ID of another. */
export const readMail = (given: Partial<ReadMail> = {}): ReadMail => ({
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
  parts: [],
  ...given
})

export const authentication = { spf: "pass", dkim: "pass", dmarc: "pass" }

/** Receives a mail, and says which message it is. */
export const receive = (organization: OrganizationId, read: Partial<ReadMail> = {}, given: Partial<InboundMail> = {}) =>
  Effect.gen(function* () {
    const received = yield* ReceivedMessages
    const mail = yield* inboundMail(organization, given)
    yield* received.receive(mail, readMail(read), authentication)
    return mail.id
  })
