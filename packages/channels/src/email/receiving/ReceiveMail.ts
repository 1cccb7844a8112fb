import { createHash, webcrypto } from "node:crypto"
import { MessageId } from "@switchboard/domain/messages/Message"
import {
  type ArrivedMail,
  InboundMails,
  type InboundRecipient,
  isUnsubscribe,
  type UnsubscribeRecipient
} from "@switchboard/services/email/receiving/InboundMail"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { newId } from "@switchboard/services/NewId"
import { Array, Effect } from "effect"
import type { SMTPServerDataStream, SMTPServerSession } from "smtp-server"
import { storableText } from "../../StorableText.js"
import { asciiAddress } from "../../smtp/SmtpListener.js"
import { type MailTrace, mailTrace } from "./MailTrace.js"
import { readOctets, SendRefused } from "./reading/ReadOctets.js"

/** One organization's part of the envelope, and the Message-ID. */
interface FingerprintInput {
  readonly mailFrom: string
  readonly recipients: ReadonlyArray<string>
  readonly messageId: string
}

/** SHA-256 in hex, computed off the main thread because a mail can have 35 MiB. */
const sha256 = (octets: Uint8Array) =>
  Effect.map(
    Effect.promise(() => webcrypto.subtle.digest("SHA-256", octets)),
    (hash) => Buffer.from(hash).toString("hex")
  )

/**
 * Identifies a mail that a client sends again because it did not receive the 250. Trace fields are excluded: relays may
 * change them between attempts. A mail without a `Message-ID` is hashed with its trace fields, because two such mails
 * with equal content may be different mails.
 */
const contentHash = (raw: Buffer, { messageId, withoutTrace }: MailTrace): Effect.Effect<string> => {
  if (messageId === "") return sha256(raw)
  const headers = withoutTrace.slice(0, -1)
  const body = withoutTrace.at(-1) ?? new Uint8Array()
  return Effect.map(Effect.all([sha256(Buffer.concat(headers)), sha256(body)]), (hashes) => hashes.join())
}

/** The fingerprint (SHA-256 in hex) of a mail and its recipients; their order does not matter. */
const mailFingerprint = (content: string, { mailFrom, messageId, recipients }: FingerprintInput): string =>
  createHash("sha256")
    .update(JSON.stringify([mailFrom, recipients.map((address) => address.toLowerCase()).sort(), messageId, content]))
    .digest("hex")

/** A mail with more `Received` fields is in a loop (RFC 5321 section 6.3). */
export const maxHops = 50

/** The maximum number of mails over 256 KiB in memory at a time. */
export const maxLargeMails = 8

/** A session and the accepted recipients of its current transaction. */
export interface Envelope {
  readonly session: SMTPServerSession
  readonly recipients: ReadonlyArray<InboundRecipient | UnsubscribeRecipient>
}

/**
 * Reads the data of a transaction, applies the unsubscribes, and stores one mail per organization. Succeeds after all of
 * it is stored: only then may the reply be 250. A repeated mail has no further effect.
 */
export const makeReceiveMail = Effect.gen(function* () {
  const mails = yield* InboundMails
  const { unsubscribe } = yield* Unsubscribes
  const largeMailSlots = yield* Effect.makeSemaphore(maxLargeMails)

  return Effect.fnUntraced(function* (stream: SMTPServerDataStream, { recipients, session }: Envelope) {
    const raw = yield* readOctets(stream, largeMailSlots)
    const trace = mailTrace(raw)
    if (trace.hops > maxHops) return yield* new SendRefused({ code: 554, message: "5.4.6 Mail loop detected" })
    const content = yield* contentHash(raw, trace)
    const { envelope, hostNameAppearsAs, remoteAddress, secure } = session
    const mailFrom = envelope.mailFrom === false ? "" : asciiAddress(envelope.mailFrom.address)
    const [stored, unsubscribing] = Array.partition(recipients, isUnsubscribe)
    yield* Effect.forEach(unsubscribing, ({ kind }) => unsubscribe(kind.subject), { discard: true })
    const byOrganization = Object.values(Array.groupBy(stored, ({ organizationId }) => organizationId))
    yield* mails.store(
      yield* Effect.forEach(byOrganization, (organizationRecipients) =>
        Effect.map(
          newId(MessageId),
          ({ id, now }): ArrivedMail => ({
            id,
            organizationId: Array.headNonEmpty(organizationRecipients).organizationId,
            mailFrom,
            recipients: organizationRecipients.map(({ address, kind }) => ({ address, kind })),
            remoteAddress,
            helo: storableText(hostNameAppearsAs),
            tls: secure,
            raw,
            receivedAt: now,
            fingerprint: mailFingerprint(content, {
              mailFrom,
              messageId: trace.messageId,
              recipients: organizationRecipients.map(({ address }) => address)
            })
          })
        )
      )
    )
  }, Effect.scoped)
})
