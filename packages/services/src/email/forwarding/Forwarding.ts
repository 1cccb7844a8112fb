import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { addressDomain, addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { readReport } from "@switchboard/domain/email/feedback/ReadReport"
import {
  ForwardingId,
  type ForwardingRule,
  type ForwardingRuleId,
  matchesPattern
} from "@switchboard/domain/email/forwarding/ForwardingRule"
import { Effect } from "effect"
import { newId } from "../../NewId.js"
import { Signatures } from "../../SecretBox.js"
import { reportMail } from "../feedback/Feedback.js"
import { type InboundMail, isSigned } from "../receiving/InboundMail.js"
import type { ReadMail } from "../receiving/ReadMail.js"
import { type DecidedForwarding, type ForwardingPlan, ForwardingRepo, type NewForwarding } from "./ForwardingRepo.js"
import { type ForwardedBy, loopReason } from "./ForwardMark.js"

type Recipient = InboundMail["recipients"][number]

/** The targets that a rule or a catch-all forwards a mail to, and the recipients that it does so for. */
interface Forwarded extends Pick<NewForwarding, "recipients" | "keepCopy" | "viaDomain"> {
  readonly ruleId: ForwardingRuleId | null
  readonly domainId: EmailDomainId | null
  readonly by: ForwardedBy
  readonly forwardTo: ReadonlyArray<EmailAddress>
}

/** The author's address, or the reverse-path if the From header has no valid address. In lower case. */
const senderOf = ({ mailFrom }: InboundMail, { from }: ReadMail): string =>
  (from.address.includes("@") ? from.address : mailFrom).toLowerCase()

const holds = ({ match }: ForwardingRule, recipient: string, sender: string, subject: string): boolean =>
  (match.recipient === undefined || matchesPattern(match.recipient, recipient)) &&
  (match.sender === undefined || matchesPattern(match.sender, sender)) &&
  (match.subjectContains === undefined || subject.includes(match.subjectContains.toLowerCase()))

/**
 * Selects the forwarding of each recipient: the first rule that matches, otherwise the catch-all that accepted the
 * address. Mail to a reply address or a catch-all is also received, even if the rule keeps no copy.
 */
export const forwardingOf = (mail: InboundMail, read: ReadMail, plan: ForwardingPlan): ReadonlyArray<Forwarded> => {
  const sender = senderOf(mail, read)
  const subject = read.subject.toLowerCase()
  const found = new Map<string, Forwarded>()

  const add = (key: string, { address, kind }: Recipient, way: Omit<Forwarded, "recipients" | "viaDomain">) => {
    const { recipients = [], viaDomain = addressDomain(address) } = found.get(key) ?? {}
    const named = kind._tag === "Reply" ? recipients : [...recipients, addressKey(address)]
    found.set(key, { ...way, viaDomain, recipients: named })
  }

  for (const recipient of mail.recipients) {
    const { address, kind } = recipient
    if (kind._tag === "Bounce" || kind._tag === "Forwarded") continue
    const rule = plan.rules.find((one) => holds(one, addressKey(address), sender, subject))
    if (rule !== undefined) {
      const { forwardTo, id, keepCopy } = rule
      add(id, recipient, { ruleId: id, domainId: null, by: id, forwardTo, keepCopy })
    } else if (kind._tag === "CatchAll") {
      const forwardTo = plan.catchAlls.get(kind.domainId) ?? []
      const { domainId } = kind
      add(domainId, recipient, { ruleId: null, domainId, by: domainId, forwardTo, keepCopy: true })
    }
  }
  return [...found.values()].filter(({ forwardTo }) => forwardTo.length > 0)
}

/**
 * The recipients that a mail is received for: all except those with a rule that forwards without a copy. A failed
 * forwarding keeps the mail.
 */
export const recipientsToReceive = (
  recipients: InboundMail["recipients"],
  decided: ReadonlyArray<DecidedForwarding>
): InboundMail["recipients"] => {
  const isOngoing = (of: string) =>
    decided.some(
      ({ keepCopy, recipients, status }) =>
        !keepCopy && recipients.includes(of) && (status === "waiting" || status === "forwarded")
    )
  return recipients.filter(({ address, kind }) => isSigned(kind) || !isOngoing(addressKey(address)))
}

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
