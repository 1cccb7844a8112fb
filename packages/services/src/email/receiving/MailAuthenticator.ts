import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { Context, type Effect } from "effect"
import type { InboundMail } from "./InboundMail.js"

/** A mail with the facts of its session that a check needs. */
export type ArrivedOverSmtp = Pick<InboundMail, "helo" | "mailFrom" | "raw" | "receivedAt" | "remoteAddress">

/** Asks DNS whether a mail is from whom it says: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489). A look-up that fails is a result too (`temperror`). */
export class MailAuthenticator extends Context.Tag("services/MailAuthenticator")<
  MailAuthenticator,
  { readonly authenticate: (mail: ArrivedOverSmtp) => Effect.Effect<MailAuthentication> }
>() {}
