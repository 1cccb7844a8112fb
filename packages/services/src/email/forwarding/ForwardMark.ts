import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import type { ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { Context } from "effect"
import type { Signatures } from "../../Signatures.js"
import type { ReadMail } from "../receiving/ReadMail.js"

/** Tells that a mail was forwarded, once for each time. */
export const forwardedHeader = "X-Switchboard-Forwarded"

/** What forwards a mail: a rule, or the catch-all of a domain. */
export type ForwardedBy = ForwardingRuleId | EmailDomainId

/** How often a mail may be forwarded: more often, and it goes in circles, whoever else forwards it. */
const mostForwards = 3

const purpose = "forwarded-by"
const form = /^([0-9a-f-]{36})\.([0-9a-f]{20})$/

const signed = (id: string, by: ForwardedBy) => `${id} by ${by}`

/** What the header says: which forwarding it was, and, to us alone, what forwarded it. */
export const forwardMark = (signatures: Context.Tag.Service<Signatures>, id: ForwardingId, by: ForwardedBy): string =>
  `${id}.${signatures.sign(purpose, signed(id, by))}`

/**
 * Why a mail is forwarded no further; null if it may be. What had forwarded it before gets its own mail back, and would
 * again. An answer to a forwarded mail is another mail, which has no such header.
 */
export const loopOf = (
  signatures: Context.Tag.Service<Signatures>,
  { headers }: ReadMail,
  by: ForwardedBy
): string | null => {
  const marks = headers.filter(({ name }) => name === forwardedHeader.toLowerCase())
  if (marks.length >= mostForwards) return "The mail was forwarded too often"
  const isBack = marks.some(({ value }) => {
    const [, id = "", signature = ""] = form.exec(value.trim()) ?? []
    return signatures.verify(purpose, signed(id, by), signature)
  })
  return isBack ? "The mail came back to what had forwarded it" : null
}
