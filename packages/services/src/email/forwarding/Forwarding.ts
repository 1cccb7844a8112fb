import { readReport } from "@switchboard/domain/email/feedback/ReadReport"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { Effect } from "effect"
import { newId } from "../../NewId.js"
import { Signatures } from "../../Signatures.js"
import { reportMail } from "../feedback/Feedback.js"
import type { InboundMail } from "../receiving/InboundMail.js"
import type { ReadMail } from "../receiving/ReadMail.js"
import { type Forwarded, forwardingOf, recipientsToReceive } from "./DecideForwarding.js"
import { ForwardingRepo, type NewForwarding } from "./ForwardingRepo.js"
import { loopReason } from "./ForwardMark.js"

/** Decides on the forwarding of received mail. */
export class Forwarding extends Effect.Service<Forwarding>()("services/Forwarding", {
  effect: Effect.gen(function* () {
    const repo = yield* ForwardingRepo
    const signatures = yield* Signatures

    const toEach = (read: ReadMail) => (way: Forwarded) => {
      const loop = loopReason(signatures, read, way.by)
      return Effect.forEach(way.forwardTo, (forwardTo) =>
        Effect.map(
          newId(ForwardingId),
          ({ id, now }): NewForwarding => ({ ...way, id, forwardTo, loop, createdAt: now })
        )
      )
    }

    const decide = Effect.fnUntraced(function* (mail: InboundMail, read: ReadMail) {
      const { id, organizationId } = mail
      const before = yield* repo.decided(organizationId, id)
      if (before.length > 0) return before
      const caught = mail.recipients.flatMap(({ kind }) => (kind._tag === "CatchAll" ? [kind.domainId] : []))
      const ways = forwardingOf(mail, read, yield* repo.plan(organizationId, caught))
      if (ways.length === 0) return []
      const forwardings = yield* Effect.forEach(ways, toEach(read))
      return yield* repo.decide(organizationId, id, forwardings.flat())
    })

    /** Decides once on the forwarding of a mail and queues it. Returns the recipients that the mail is received for. */
    const process = Effect.fnUntraced(function* (mail: InboundMail, read: ReadMail) {
      return recipientsToReceive(mail.recipients, yield* decide(mail, read))
    })

    /**
     * Stores that forwarded mail bounced. Only a failure report at the signed return path counts; other mail to that
     * address is dropped. Returns `tooEarly` if the forwarding can't be updated yet.
     */
    const processBounce = Effect.fnUntraced(function* (mail: InboundMail, read: ReadMail) {
      const ids = mail.recipients.flatMap(({ kind }) => (kind._tag === "Forwarded" ? [kind.forwardingId] : []))
      if (ids.length === 0) return "done" as const
      const failure = readReport(reportMail(mail, read), []).find(({ action }) => action === "failed")
      if (failure === undefined) return "done" as const
      const stored = yield* Effect.forEach(new Set(ids), (id) =>
        repo.fail(mail.organizationId, id, failure.response === "" ? "The mail bounced" : failure.response)
      )
      return stored.includes(false) ? ("tooEarly" as const) : ("done" as const)
    })

    return { process, processBounce } as const
  })
}) {}
