import { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import { Complaints } from "@switchboard/services/mailbox/Complaints"
import { MailboxRepo } from "@switchboard/services/mailbox/MailboxRepo"
import { type FeedbackId, parseFeedbackId } from "@switchboard/services/messages/FeedbackId"
import { newId } from "@switchboard/services/NewId"
import { Signatures } from "@switchboard/services/Signatures"
import { Context, Data, Effect, FiberSet, Layer, Option, Runtime, Schedule } from "effect"
import { SMTPServer, type SMTPServerSession } from "smtp-server"
import { headerValue } from "./RawHeader.js"

/** Where the local mailbox listens. */
export class MailboxAddress extends Context.Tag("channels/MailboxAddress")<
  MailboxAddress,
  { readonly host: string; readonly port: number }
>() {}

/** The local mailbox can't listen; the message says where. */
export class MailboxServerError extends Data.TaggedError("MailboxServerError")<{ readonly message: string }> {}

const mostRecipients = 100
const largestMail = 35 * 1024 * 1024

/** How an address asks the mailbox to behave: the part of its local part after the last plus sign. */
const wishOf = (address: string) => /\+(bounce|defer|complain)@/i.exec(address)?.[1]?.toLowerCase()

/** What the server answers instead of 250. */
const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** A report of an unwanted mail comes after the mail: until its message is known to be sent, it is told again. */
const untilKnown = Schedule.intersect(Schedule.spaced("200 millis"), Schedule.recurs(150))

/**
 * A real SMTP server that keeps what it gets, for everyone who has no relay yet. `+bounce` in an address makes it
 * answer 550, `+defer` 451 once for each message, `+complain` report the mail as unwanted.
 */
export const MailboxServer = (options: { readonly host: string; readonly port: number }) =>
  Layer.scoped(
    MailboxAddress,
    Effect.gen(function* () {
      const repo = yield* MailboxRepo
      const signatures = yield* Signatures
      const complaints = yield* Complaints
      const runtime = yield* Effect.runtime<never>()
      const reports = yield* FiberSet.make<void>()
      const deferred = new Set<string>()

      const judge = (address: string, session: SMTPServerSession): Error | null => {
        if (session.envelope.rcptTo.length >= mostRecipients) return refusal(452, "4.5.3 Too many recipients")
        const wish = wishOf(address)
        if (wish === "bounce") return refusal(550, "5.1.1 No such mailbox here")
        if (wish !== "defer") return null
        const mailFrom = session.envelope.mailFrom
        // The envelope id names the message; a client that gives none is known by its sender.
        const mail = session.envelope.dsn?.envid ?? (mailFrom ? mailFrom.address : "")
        const key = `${mail} ${address}`
        if (deferred.delete(key)) return null
        deferred.add(key)
        return refusal(451, "4.7.1 Please try again later")
      }

      const complain = (feedback: FeedbackId, recipient: string) =>
        complaints.report(feedback, recipient).pipe(
          Effect.filterOrFail((outcome) => outcome !== "tooEarly"),
          Effect.retry(untilKnown),
          Effect.catchAll((error) => Effect.logWarning("The local mailbox's complaint was not recorded", error)),
          Effect.asVoid
        )

      const keep = Effect.fnUntraced(function* (raw: Buffer, session: SMTPServerSession) {
        const { id, now } = yield* newId(MailboxMailId)
        const feedback = parseFeedbackId(signatures, headerValue(raw, "feedback-id"))
        const rcptTo = session.envelope.rcptTo.map(({ address }) => address)
        const mailFrom = session.envelope.mailFrom
        yield* repo.insert({
          id,
          organizationId: Option.getOrNull(Option.map(feedback, ({ organizationId }) => organizationId)),
          messageId: headerValue(raw, "message-id"),
          mailFrom: mailFrom ? mailFrom.address : "",
          rcptTo,
          raw,
          receivedAt: now
        })
        if (Option.isSome(feedback)) {
          const unwanted = rcptTo.filter((address) => wishOf(address) === "complain")
          yield* Effect.forEach(unwanted, (address) => FiberSet.run(reports, complain(feedback.value, address)))
        }
      })

      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ["AUTH", "STARTTLS"],
        hideDSN: false,
        size: largestMail,
        banner: "Switchboard local mailbox",
        logger: false,
        closeTimeout: 2_000,
        onRcptTo: ({ address }, session, callback) => callback(judge(address, session)),
        onData: (stream, session, callback) => {
          const chunks: Array<Buffer> = []
          stream.on("data", (chunk: Buffer) => chunks.push(chunk))
          stream.on("end", () => {
            if (stream.sizeExceeded) return callback(refusal(552, "5.3.4 The mail is too large"))
            Runtime.runCallback(runtime)(keep(Buffer.concat(chunks), session), {
              onExit: (exit) =>
                exit._tag === "Success" ? callback(null) : callback(refusal(451, "4.3.0 The mail can't be kept now"))
            })
          })
        }
      })

      yield* Effect.acquireRelease(
        Effect.async<void, MailboxServerError>((resume) => {
          server.once("error", (error: Error) =>
            resume(
              new MailboxServerError({
                message: `The local mailbox can't listen on ${options.host}:${options.port} (${error.message}): set MAILBOX_SMTP_PORT to a free port`
              })
            )
          )
          server.listen(options.port, options.host, () => resume(Effect.void))
        }),
        () => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
      )
      // A client that hangs up in the middle is its own affair.
      server.on("error", (error: Error) => Runtime.runFork(runtime)(Effect.logDebug("SMTP session failed", error)))

      const address = server.server.address()
      return { host: options.host, port: typeof address === "object" && address !== null ? address.port : options.port }
    })
  )
