import { Context, type Effect } from "effect"
import type { DkimIdentity } from "../../messages/delivery/MailTransport.js"
import type { ArrivedOverSmtp } from "../receiving/MailAuthenticator.js"

/** Seals or rewrites mail that is forwarded, with the key of the domain that forwards it. */
export class MailSealer extends Context.Tag("services/MailSealer")<
  MailSealer,
  {
    /**
     * The ARC set (RFC 8617): the next system sees which checks the mail passed when it came in. Header fields, each
     * with its line end, to go before the mail. Empty if the existing chain does not hold.
     */
    readonly seal: (mail: ArrivedOverSmtp, identity: DkimIdentity) => Effect.Effect<string>
    /**
     * The mail with `address` as its From, signed with DKIM. `Reply-To` is the original From unless the mail has one;
     * `X-Original-From` keeps it. Unchanged if the mail can't be processed.
     */
    readonly rewrite: (raw: Uint8Array, address: string, identity: DkimIdentity) => Effect.Effect<Uint8Array>
  }
>() {}
