import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { addressDomain, addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { matchesPattern } from "@switchboard/domain/email/forwarding/AddressPattern"
import type { ForwardingRule, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { InboundMail } from "../receiving/InboundMail.js"
import type { ReadMail } from "../receiving/ReadMail.js"
import type { DecidedForwarding, ForwardingPlan, NewForwarding } from "./ForwardingRepo.js"
import type { ForwardedBy } from "./ForwardMark.js"

type Recipient = InboundMail["recipients"][number]

/** Where mail goes on to for some of its recipients, and why. */
export interface Forwarded extends Pick<NewForwarding, "recipients" | "keepCopy" | "viaDomain"> {
  readonly ruleId: ForwardingRuleId | null
  readonly domainId: EmailDomainId | null
  readonly by: ForwardedBy
  readonly forwardTo: ReadonlyArray<EmailAddress>
}

/** Who wrote a mail, as people see it; where that is nobody's address, whoever handed it in. */
const senderOf = ({ mailFrom }: InboundMail, { from }: ReadMail): string =>
  (from.address.includes("@") ? from.address : mailFrom).toLowerCase()

const holds = ({ match }: ForwardingRule, recipient: string, sender: string, subject: string): boolean =>
  (match.recipient === undefined || matchesPattern(match.recipient, recipient)) &&
  (match.sender === undefined || matchesPattern(match.sender, sender)) &&
  (match.subjectContains === undefined || subject.includes(match.subjectContains.toLowerCase()))

/**
 * Where a mail goes on to: for each recipient by the first rule that matches, or else by the catch-all that took it. What
 * answers a message of ours is received whatever a rule says, and so is what a catch-all takes.
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

/** Those that a mail is received for: not where it went on and no copy was to be kept, unless it reached nobody. */
export const keptFor = (
  recipients: InboundMail["recipients"],
  decided: ReadonlyArray<DecidedForwarding>
): InboundMail["recipients"] => {
  const goesOn = (of: string) =>
    decided.some(
      ({ keepCopy, recipients, status }) =>
        !keepCopy && recipients.includes(of) && (status === "waiting" || status === "forwarded")
    )
  return recipients.filter(({ address, kind }) => kind._tag === "Reply" || !goesOn(addressKey(address)))
}
