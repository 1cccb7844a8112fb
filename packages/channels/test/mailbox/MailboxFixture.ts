import { MailboxAddress, MailboxServer, MailboxSettings } from "@switchboard/channels/mailbox/MailboxServer"
import { InboundDestination, SmtpInjectorNode } from "@switchboard/channels/mailbox/SmtpInjectorNode"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type ComplaintOutcome, Complaints } from "@switchboard/services/email/feedback/Feedback"
import { ForwardingOwner } from "@switchboard/services/email/forwarding/ForwardPath"
import { MailboxComplaints } from "@switchboard/services/mailbox/MailboxComplaints"
import { MailboxRepo, type RawMail } from "@switchboard/services/mailbox/MailboxRepo"
import { type FeedbackId, formatFeedbackId } from "@switchboard/services/messages/delivery/SignedReferences"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { Context, Effect, Layer, Option, Queue, Redacted } from "effect"
import { messageId, organizationId, transportTo } from "../Fixtures.js"

export const feedback: FeedbackId = { messageId, organizationId }

/** The error of an unreachable database. */
export const unavailable = new ServiceUnavailableError({
  message: "The database can't be reached",
  retryAfterSeconds: 1
})

/** The local mailbox over real SMTP, with repositories in memory. */
export const mailboxFixture = (
  options: {
    readonly port?: number
    readonly complaints?: ReadonlyArray<ComplaintOutcome | typeof unavailable>
    /** The forwarding organizations by return path. */
    readonly forwarders?: ReadonlyMap<string, OrganizationId>
    /** The port of the inbound SMTP server; called for each mail. */
    readonly inbound?: () => number | undefined
  } = {}
) =>
  Effect.gen(function* () {
    const stored: Array<RawMail> = []
    const storage = { isDown: false }
    const complaints = yield* Queue.unbounded<{ readonly feedback: FeedbackId; readonly recipient: string }>()
    const outcomes = [...(options.complaints ?? [])]
    const repo = Layer.succeed(MailboxRepo, {
      insert: (mail) => (storage.isDown ? unavailable : Effect.sync(() => void stored.push(mail))),
      list: () => Effect.dieMessage("list is not used"),
      find: () => Effect.dieMessage("find is not used")
    })
    const complaintsLayer = Layer.succeed(
      Complaints,
      new Complaints({
        report: (feedback, [recipient = ""]) => {
          const outcome = outcomes.shift() ?? "recorded"
          return Effect.zipRight(
            complaints.offer({ feedback, recipient }),
            typeof outcome === "string" ? Effect.succeed(outcome) : outcome
          )
        }
      })
    )
    const forwarding = Layer.succeed(
      ForwardingOwner,
      new ForwardingOwner({
        find: (mailFrom) => Effect.succeed(Option.fromNullable(options.forwarders?.get(mailFrom)))
      })
    )
    const destination = {
      get: Effect.sync(() =>
        Option.map(Option.fromNullable(options.inbound?.()), (port) => ({ host: "0.0.0.0", port }))
      ),
      set: () => Effect.void
    }
    const context = yield* Layer.build(
      MailboxServer.pipe(
        Layer.provide(
          Layer.mergeAll(
            Layer.succeed(MailboxSettings, { host: "127.0.0.1", port: options.port ?? 0 }),
            repo,
            forwarding,
            MailboxComplaints.Default.pipe(
              Layer.provide(complaintsLayer),
              Layer.provide(SmtpInjectorNode.pipe(Layer.provide(Layer.succeed(InboundDestination, destination))))
            )
          )
        ),
        Layer.provideMerge(Signatures.Live),
        Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32))))
      )
    )
    const { port } = Context.get(context, MailboxAddress)
    const signatures = Context.get(context, Signatures)
    return {
      port,
      stored,
      storage,
      complaints,
      signatures,
      /** The headers of a mail of `feedback`. */
      headers: { "Feedback-ID": formatFeedbackId(signatures, feedback) },
      transport: yield* transportTo(port)
    }
  })
