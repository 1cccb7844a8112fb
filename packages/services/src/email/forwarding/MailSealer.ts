import { Context, type Effect } from "effect"
import type { DkimIdentity } from "../../messages/MailTransport.js"
import type { ArrivedOverSmtp } from "../receiving/MailAuthenticator.js"

/** Seals mail that is forwarded (ARC, RFC 8617): the next system sees which checks it passed when it came in. */
export class MailSealer extends Context.Tag("services/MailSealer")<
  MailSealer,
  {
    /** The header fields of the seal, each with its line end, to go before the mail. Empty if its chain does not hold. */
    readonly seal: (mail: ArrivedOverSmtp, identity: DkimIdentity) => Effect.Effect<string>
  }
>() {}
