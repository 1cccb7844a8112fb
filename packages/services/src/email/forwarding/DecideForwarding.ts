import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { addressDomain, addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { matchesPattern } from "@switchboard/domain/email/forwarding/AddressPattern"
import type { ForwardingRule, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { type InboundMail, isSigned } from "../receiving/InboundMail.js"
import type { ReadMail } from "../receiving/ReadMail.js"
import type { DecidedForwarding, ForwardingPlan, NewForwarding } from "./ForwardingRepo.js"
import type { ForwardedBy } from "./ForwardMark.js"

type Recipient = InboundMail["recipients"][number]

/** The targets that a rule or a catch-all forwards a mail to, and the recipients that it does so for. */
export interface Forwarded extends Pick<NewForwarding, "recipients" | "keepCopy" | "viaDomain"> {
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
