import { InboundDestination } from "@switchboard/channels/mailbox/InboundDestination"
import { MailboxAddress, MailboxServer, MailboxSettings } from "@switchboard/channels/mailbox/MailboxServer"
import { WayInSmtp } from "@switchboard/channels/mailbox/WayInSmtp"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type ComplaintOutcome, Complaints } from "@switchboard/services/email/feedback/Complaints"
import { ForwardingOwner } from "@switchboard/services/email/forwarding/ForwardingOwner"
import { MailboxRepo, type RawMail } from "@switchboard/services/mailbox/MailboxRepo"
import type { FeedbackId } from "@switchboard/services/messages/delivery/FeedbackId"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Context, Effect, Layer, Option, Queue, Redacted } from "effect"
import { transportTo } from "../Fixtures.js"

/** The store can't be reached. */
export const away = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })

/** A mailbox over real SMTP, with a store in memory: the real one belongs to another package. */
export const mailboxHouse = (
  options: {
    readonly port?: number
    readonly complaints?: ReadonlyArray<ComplaintOutcome | typeof away>
    /** Who has forwarded what, by its return path. */
    readonly forwarders?: ReadonlyMap<string, OrganizationId>
    /** Where mail comes in, asked anew for each mail. */
    readonly inbound?: () => number | undefined
  } = {}
) =>
  Effect.gen(function* () {
    const kept: Array<RawMail> = []
    const storage = { away: false }
    const complaints = yield* Queue.unbounded<{ readonly feedback: FeedbackId; readonly recipient: string }>()
    const outcomes = [...(options.complaints ?? [])]
    const repo = Layer.succeed(MailboxRepo, {
      insert: (mail) => (storage.away ? away : Effect.sync(() => void kept.push(mail))),
      list: () => Effect.dieMessage("nobody lists here"),
      find: () => Effect.dieMessage("nobody looks here")
    })
    const desk = Layer.succeed(
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
            desk,
            forwarding,
            WayInSmtp.pipe(Layer.provide(Layer.succeed(InboundDestination, destination)))
          )
        ),
        Layer.provideMerge(Signatures.Live),
        Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32))))
      )
    )
    const { port } = Context.get(context, MailboxAddress)
    return {
      port,
      kept,
      storage,
      complaints,
      signatures: Context.get(context, Signatures),
      transport: yield* transportTo(port)
    }
  })
