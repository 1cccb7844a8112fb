import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { Context, type Effect } from "effect"
import type { InboundMail } from "./InboundMail.js"

/** A mail with the facts of its SMTP session that checks need. */
export type ArrivedOverSmtp = Pick<InboundMail, "helo" | "mailFrom" | "raw" | "receivedAt" | "remoteAddress">

/** The policy that a domain publishes for mail that fails DMARC (RFC 7489); `none` also without a record. */
export type DmarcPolicy = "none" | "quarantine" | "reject" | "unknown"

/** Checks the sender of a mail in DNS: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489). */
export class MailAuthenticator extends Context.Tag("services/MailAuthenticator")<
  MailAuthenticator,
  {
    /** The results of the checks. A failed look-up is the result `temperror`. */
    readonly authenticate: (mail: ArrivedOverSmtp) => Effect.Effect<MailAuthentication>
    /** The DMARC policy of the From domain. `unknown` if the look-up fails or From is not one address. */
    readonly senderPolicy: (mail: Pick<ArrivedOverSmtp, "raw" | "receivedAt">) => Effect.Effect<DmarcPolicy>
  }
>() {}
