import { createHash, webcrypto } from "node:crypto"
import { MessageId } from "@switchboard/domain/messages/Message"
import {
  type InboundRecipient,
  isUnsubscribe,
  type UnsubscribeRecipient
} from "@switchboard/services/email/receiving/InboundMail"
import { type ArrivedMail, InboundMails } from "@switchboard/services/email/receiving/InboundMails"
import { Unsubscribes } from "@switchboard/services/email/send/Unsubscribes"
import { newId } from "@switchboard/services/NewId"
import { Array, Effect } from "effect"
import type { SMTPServerDataStream, SMTPServerSession } from "smtp-server"
import { storableText } from "../../StorableText.js"
import { asciiAddress } from "../../smtp/AsciiAddress.js"
import { type MailTrace, mailTrace } from "./MailTrace.js"
import { MailRefused, readOctets } from "./reading/ReadOctets.js"

/** A mail for the recipients of one organization. */
interface Fingerprinted {
  readonly mailFrom: string
  readonly recipients: ReadonlyArray<string>
  readonly messageId: string
}

/** SHA-256 of the octets: away from the main thread, for they may be many. */
const digest = (octets: Uint8Array) =>
  Effect.map(
    Effect.promise(() => webcrypto.subtle.digest("SHA-256", octets)),
    (hash) => Buffer.from(hash).toString("hex")
  )

/**
 * What says that a mail is one that was here before. A sender that did not hear our 250 tries again, and relays may
 * write on it anew what they write on the way. A mail without a `Message-ID` is the same only to the last octet: two
 * that say the same may well be two.
 */
const contentHash = (raw: Buffer, { messageId, untraced }: MailTrace): Effect.Effect<string> => {
  if (messageId === "") return digest(raw)
  const headers = untraced.slice(0, -1)
  const body = untraced.at(-1) ?? new Uint8Array()
  return Effect.map(Effect.all([digest(Buffer.concat(headers)), digest(body)]), (hashes) => hashes.join())
}

/** The fingerprint (SHA-256, base 16) of a mail for these recipients, in any order. */
const mailFingerprint = (content: string, { mailFrom, messageId, recipients }: Fingerprinted): string =>
  createHash("sha256")
    .update(JSON.stringify([mailFrom, recipients.map((address) => address.toLowerCase()).sort(), messageId, content]))
    .digest("hex")

/** RFC 5321 section 6.3: a mail that has passed so many hosts goes in circles. */
const maxHops = 50

/** Larger mails that are in memory at a time. */
const largeMails = 8

/** The envelope of a session, when its recipients have been found. */
export interface Envelope {
  readonly session: SMTPServerSession
  readonly recipients: ReadonlyArray<InboundRecipient | UnsubscribeRecipient>
}

/**
 * Takes mails from their first octet until they are stored and their unsubscribes are: then, and not before, they may be
 * answered with 250. A repeat changes nothing.
 */
export const makeReceiveMail = Effect.gen(function* () {
  const mails = yield* InboundMails
  const { unsubscribe } = yield* Unsubscribes
  const room = yield* Effect.makeSemaphore(largeMails)

  return Effect.fnUntraced(function* (stream: SMTPServerDataStream, { recipients, session }: Envelope) {
    const raw = yield* readOctets(stream, room)
    const trace = mailTrace(raw)
    if (trace.hops > maxHops) return yield* new MailRefused({ code: 554, message: "5.4.6 The mail goes in circles" })
    const content = yield* contentHash(raw, trace)
    const { envelope, hostNameAppearsAs, remoteAddress, secure } = session
    const mailFrom = envelope.mailFrom === false ? "" : asciiAddress(envelope.mailFrom.address)
    const [stored, unsubscribing] = Array.partition(recipients, isUnsubscribe)
    yield* Effect.forEach(unsubscribing, ({ kind }) => unsubscribe(kind.subject), { discard: true })
    const byOrganization = Object.values(Array.groupBy(stored, ({ organizationId }) => organizationId))
    yield* mails.store(
      yield* Effect.forEach(byOrganization, (own) =>
        Effect.map(
          newId(MessageId),
          ({ id, now }): ArrivedMail => ({
            id,
            organizationId: Array.headNonEmpty(own).organizationId,
            mailFrom,
            recipients: own.map(({ address, kind }) => ({ address, kind })),
            remoteAddress,
            helo: storableText(hostNameAppearsAs),
            tls: secure,
            raw,
            receivedAt: now,
            fingerprint: mailFingerprint(content, {
              mailFrom,
              messageId: trace.messageId,
              recipients: own.map(({ address }) => address)
            })
          })
        )
      )
    )
  }, Effect.scoped)
})
