import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { Effect, Option } from "effect"
import { newId } from "../../NewId.js"
import { Signatures } from "../../Signatures.js"
import { deliveryReport } from "../feedback/Feedback.js"
import type { InboundMail } from "../receiving/InboundMail.js"
import type { ReadMail } from "../receiving/ReadMail.js"
import { type Forwarded, forwardingOf, keptFor } from "./DecideForwarding.js"
import { ForwardingRepo, type NewForwarding } from "./ForwardingRepo.js"
import { loopOf } from "./ForwardMark.js"

/** Mail that goes on to other addresses. */
export class Forwarding extends Effect.Service<Forwarding>()("services/Forwarding", {
  effect: Effect.gen(function* () {
    const repo = yield* ForwardingRepo
    const signatures = yield* Signatures

    const toEach = (read: ReadMail) => (way: Forwarded) => {
      const loop = loopOf(signatures, read, way.by)
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

    /**
     * Has a mail go on where its rules say, once, however often it is looked at, and tells which of its recipients it is
     * received for.
     */
    const consider = Effect.fnUntraced(function* (mail: InboundMail, read: ReadMail) {
      return keptFor(mail.recipients, yield* decide(mail, read))
    })

    /**
     * Stores that what went on came back. Only a report of a failure counts, at the return path that we signed for it:
     * what people and programs answer there is for nobody. Whether it is stored, or comes too early.
     */
    const returned = Effect.fnUntraced(function* (mail: InboundMail, read: ReadMail) {
      const ids = mail.recipients.flatMap(({ kind }) => (kind._tag === "Forwarded" ? [kind.forwardingId] : []))
      if (ids.length === 0) return "done" as const
      const report = Option.getOrElse(deliveryReport(mail, read), () => [])
      const failure = report.find(({ action }) => action === "failed")
      if (failure === undefined) return "done" as const
      const stored = yield* Effect.forEach(new Set(ids), (id) =>
        repo.fail(mail.organizationId, id, failure.response === "" ? "It came back" : failure.response)
      )
      return stored.includes(false) ? ("tooEarly" as const) : ("done" as const)
    })

    return { consider, returned } as const
  })
}) {}
