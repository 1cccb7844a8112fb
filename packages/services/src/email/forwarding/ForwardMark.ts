import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { ForwardingId, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { Context } from "effect"
import type { Signatures } from "../../SecretBox.js"
import type { ReadMail } from "../receiving/ReadMail.js"

/** The header of forwarded mail, one field for each forwarding. */
export const forwardedHeader = "X-Switchboard-Forwarded"

/** The origin of a forwarding: a rule, or the catch-all of a domain. */
export type ForwardedBy = ForwardingRuleId | EmailDomainId

/** Mail with this many forwarding headers is not forwarded: it is in a loop, possibly through other systems. */
const maxForwards = 3

const markPurpose = "forwarded-by"
const form = /^([0-9a-f-]{36})\.([0-9a-f]{20})$/

const signed = (id: string, by: ForwardedBy) => `${id} by ${by}`

/** The header's value: the forwarding's id, and a signature over the rule or catch-all that forwarded it. */
export const forwardMark = (signatures: Context.Tag.Service<Signatures>, id: ForwardingId, by: ForwardedBy): string =>
  `${id}.${signatures.sign(markPurpose, signed(id, by))}`

/**
 * The reason not to forward a mail that loops; null if it may be forwarded. A mail that a rule has forwarded before is
 * not forwarded by the same rule again. A reply to forwarded mail is a new mail without the header.
 */
export const loopReason = (
  signatures: Context.Tag.Service<Signatures>,
  { headers }: ReadMail,
  by: ForwardedBy
): string | null => {
  const marks = headers.filter(({ name }) => name === forwardedHeader.toLowerCase())
  if (marks.length >= maxForwards) return "The mail was forwarded too often"
  const isBack = marks.some(({ value }) => {
    const [, id = "", signature = ""] = form.exec(value.trim()) ?? []
    return signatures.verify(markPurpose, signed(id, by), signature)
  })
  return isBack ? "The mail was forwarded by the same rule or catch-all before" : null
}
