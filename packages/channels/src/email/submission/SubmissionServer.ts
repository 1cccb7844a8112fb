import { webcrypto } from "node:crypto"
import type { ForbiddenError, RateLimitedError, ValidationError } from "@switchboard/domain/Errors"
import { addressKey, EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { recipientLimit } from "@switchboard/domain/messages/SendRequest"
import { MailReader } from "@switchboard/services/email/receiving/ReadMail"
import { Submissions, type Submitter } from "@switchboard/services/email/submission/Submissions"
import { plainAddress } from "@switchboard/services/network/AddressNetwork"
import { Cause, Clock, Context, Data, DateTime, Effect, Exit, FiberSet, Layer, Option, Redacted, Schema } from "effect"
import type { SMTPServerDataStream, SMTPServerSession } from "smtp-server"
import { storableText } from "../../StorableText.js"
import { smtpListener, smtpRefusal, tryAgain } from "../../smtp/SmtpListener.js"
import { type CertificateFiles, respondWith, type SessionTimeouts, strictServer } from "../../smtp/StrictServer.js"
import { maxHops, maxLargeMails } from "../receiving/ReceiveMail.js"
import { readOctets, SendRefused } from "../receiving/reading/ReadOctets.js"
import { submittedHeader } from "./SubmittedHeader.js"

/** The ports for submission (RFC 6409, RFC 8314); none without a listener. Port 0 selects a free port. */
export class SubmissionSettings extends Context.Tag("channels/SubmissionSettings")<
  SubmissionSettings,
  {
    readonly host: string
    readonly hostname: string
    /** With STARTTLS if there is a certificate. */
    readonly port: Option.Option<number>
    /** With implicit TLS. */
    readonly tlsPort: Option.Option<number>
    readonly certificate: Option.Option<CertificateFiles>
  } & SessionTimeouts
>() {}

/** The ports that the submission servers listen on. */
export class SubmissionPorts extends Context.Tag("channels/SubmissionPorts")<
  SubmissionPorts,
  { readonly host: string; readonly port: Option.Option<number>; readonly tlsPort: Option.Option<number> }
>() {}

/** A submission server can't listen; the message has the reason. */
export class SubmissionServerError extends Data.TaggedError("SubmissionServerError")<{ readonly message: string }> {}

const decodeAddress = Schema.decodeOption(EmailAddress)

const authenticationRequired = smtpRefusal(530, "5.7.0 Authentication is required: use an API key as the password")

const nonAscii = "must have only ASCII letters before the @"

/** Whether the local part has characters beyond ASCII: no address of a message has (RFC 6531). */
const hasUtf8LocalPart = (address: string): boolean => /[^\p{ASCII}].*@/su.test(address)

const invalidReply = ({ fields = {}, message }: ValidationError) => {
  const [field = "", [problem = message] = []] = Object.entries(fields)[0] ?? []
  if (field === "email.from") return smtpRefusal(550, `5.7.1 The address in From ${problem}`)
  return smtpRefusal(550, `5.6.0 ${field} ${problem}`)
}

/** The replies to the errors of any command. */
const replies = {
  RateLimitedError: ({ message }: RateLimitedError) => Effect.fail(smtpRefusal(451, `4.7.1 ${message}`)),
  ServiceUnavailableError: () => Effect.fail(tryAgain)
}

/** The replies to the errors of a key. */
const keyReplies = {
  ...replies,
  UnauthorizedError: () => Effect.fail(smtpRefusal(535, "5.7.8 The API key is invalid")),
  ForbiddenError: ({ message }: ForbiddenError) => Effect.fail(smtpRefusal(535, `5.7.8 ${message}`))
}

/** The code of the reply to a mail. */
const codeOf = (exit: Exit.Exit<string, ReturnType<typeof smtpRefusal>>): number =>
  Exit.isSuccess(exit) ? 250 : Option.getOrElse(Cause.failureOption(exit.cause), () => tryAgain).responseCode

const asReply = (error: unknown): Error => (error instanceof Error ? error : tryAgain)

/** SHA-256 (base 16), computed off the main thread because a mail can have 35 MiB. */
const sha256 = (octets: Uint8Array) =>
  Effect.map(
    Effect.promise(() => webcrypto.subtle.digest("SHA-256", octets)),
    (hash) => Buffer.from(hash).toString("hex")
  )

/**
 * The SMTP servers for mail of programs (RFC 6409). AUTH takes an API key as the password, with any user name. The 250
 * follows the commit, and has the id of the message.
 */
export const SubmissionServer = Layer.scoped(
  SubmissionPorts,
  Effect.gen(function* () {
    const { certificate, host, hostname, port, tlsPort, ...timeouts } = yield* SubmissionSettings
    const submissions = yield* Submissions
    const reader = yield* MailReader
    const largeMailSlots = yield* Effect.makeSemaphore(maxLargeMails)
    const run = yield* FiberSet.makeRuntime<never>()
    /** The key of each session. It is checked again for each mail: it may have been removed. */
    const keys = new WeakMap<SMTPServerSession, Redacted.Redacted<string>>()

    const authenticate = (session: SMTPServerSession, password: string) =>
      Effect.gen(function* () {
        const key = Redacted.make(password)
        yield* submissions.authenticate(key, plainAddress(session.remoteAddress))
        keys.set(session, key)
        return session.remoteAddress
      }).pipe(Effect.catchTags(keyReplies))

    /** Accepts the mail of a session that has authenticated; returns the reply. */
    const accept = (stream: SMTPServerDataStream, session: SMTPServerSession, submitter: Submitter) =>
      Effect.gen(function* () {
        const raw = yield* readOctets(stream, largeMailSlots)
        const { envelope, hostNameAppearsAs, remoteAddress } = session
        const header = submittedHeader(raw)
        if (header.hops > maxHops) return yield* new SendRefused({ code: 554, message: "5.4.6 Mail loop detected" })
        if (header.authors.some(({ address }) => hasUtf8LocalPart(address))) {
          return yield* new SendRefused({ code: 550, message: `5.6.7 The address in From ${nonAscii}` })
        }
        const read = yield* reader.read(raw)
        const { octets, messageId } = header.complete(DateTime.toDateUtc(yield* DateTime.now))
        const recipients = new Map(
          envelope.rcptTo.flatMap(({ address }) =>
            Option.toArray(Option.map(decodeAddress(address), (found) => [addressKey(found), found] as const))
          )
        )
        const { id } = yield* submissions.accept({
          caller: {
            ...submitter,
            request: {
              method: "SMTP",
              endpoint: "submission",
              ipAddress: plainAddress(remoteAddress),
              userAgent: storableText(hostNameAppearsAs, 255),
              headers: {},
              query: {}
            },
            traceParent: null
          },
          recipients: [...recipients.values()],
          read,
          authors: header.authors,
          own: header.own,
          hasMessageId: header.messageId !== null,
          messageId,
          needsSmtpUtf8: envelope.smtpUtf8 === true && header.hasEighthBit,
          octets,
          hash: yield* sha256(raw)
        })
        return `2.0.0 Accepted as ${id}`
      }).pipe(
        Effect.scoped,
        Effect.catchTags({
          ...replies,
          SessionLost: () => Effect.fail(tryAgain),
          SendRefused: ({ code, message }) => Effect.fail(smtpRefusal(code, message)),
          UnreadableMail: ({ message }) => Effect.fail(smtpRefusal(554, `5.6.0 The mail can't be read: ${message}`)),
          PaymentRequiredError: ({ message }) => Effect.fail(smtpRefusal(452, `4.2.2 ${message}`)),
          // The message that the mail replies to was just deleted.
          ResourceNotFoundError: () => Effect.fail(tryAgain),
          ValidationError: (error) => Effect.fail(invalidReply(error)),
          ConflictError: ({ message }) =>
            Effect.fail(smtpRefusal(550, `5.6.0 X-Switchboard-Idempotency-Key: ${message}`))
        }),
        Effect.tapDefect((cause) => Effect.logError("Receiving a submitted mail failed", cause))
      )

    const receive = Effect.fnUntraced(function* (stream: SMTPServerDataStream, session: SMTPServerSession) {
      const key = keys.get(session)
      if (key === undefined) return yield* Effect.fail(authenticationRequired)
      const at = yield* Clock.currentTimeMillis
      const ipAddress = plainAddress(session.remoteAddress)
      const submitter = yield* submissions.authenticate(key, ipAddress)
      return yield* Effect.onExit(accept(stream, session, submitter), (exit) =>
        submissions.record(submitter, { status: codeOf(exit), ipAddress, at })
      )
    }, Effect.catchTags(keyReplies))

    const listener = Effect.fnUntraced(function* (secure: boolean, wanted: number) {
      const server = yield* strictServer({
        certificate,
        timeouts,
        name: hostname,
        secure,
        authOptional: true,
        authMethods: ["PLAIN", "LOGIN"],
        // `StrictConnection` offers AUTH over TLS and on loopback only.
        allowInsecureAuth: true,
        hideSMTPUTF8: false,
        maxRecipients: recipientLimit,
        onAuth: ({ password }, session, callback) =>
          run(authenticate(session, password ?? "")).addObserver(
            respondWith(
              (error, user) => callback(error, { user }),
              asReply,
              (user) => user
            )
          ),
        // Authentication before TLS does not count after it (RFC 3207 section 4.2).
        onSecure: (_, session, callback) => {
          keys.delete(session)
          callback()
        },
        onMailFrom: ({ address }, session, callback) => {
          if (!keys.has(session)) return callback(authenticationRequired)
          callback(hasUtf8LocalPart(address) ? smtpRefusal(553, `5.6.7 The sender ${nonAscii}`) : null)
        },
        onRcptTo: ({ address }, _, callback) => {
          if (hasUtf8LocalPart(address)) return callback(smtpRefusal(553, `5.6.7 The recipient ${nonAscii}`))
          callback(Option.isSome(decodeAddress(address)) ? null : smtpRefusal(553, "5.1.3 The address is invalid"))
        },
        onData: (stream, session, callback) =>
          run(receive(stream, session)).addObserver(respondWith(callback, asReply, (reply) => reply))
      })
      return yield* smtpListener(server, {
        host,
        port: wanted,
        failed: (message) =>
          new SubmissionServerError({
            message: `The submission server can't listen on ${host}:${wanted} (${message}): set ${secure ? "SUBMISSIONS_PORT" : "SUBMISSION_PORT"} to a free port, or to 0 for none`
          }),
        sessionFailed: (error) => run(Effect.logDebug("SMTP session failed", error))
      })
    })

    return {
      host,
      port: yield* Effect.transposeMapOption(port, (wanted) => listener(false, wanted)),
      tlsPort: yield* Effect.transposeMapOption(tlsPort, (wanted) => listener(true, wanted))
    }
  })
)
