import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { MailSealer } from "@switchboard/services/email/forwarding/MailSealer"
import { MailAuthenticator } from "@switchboard/services/email/receiving/MailAuthenticator"
import type { DkimIdentity } from "@switchboard/services/messages/delivery/MailTransport"
import { DateTime, Effect, Layer } from "effect"
import { dnsRounds } from "../receiving/authentication/DnsRounds.js"
import { ownCopy } from "../receiving/reading/MailJobs.js"
import { MailThreads } from "../receiving/reading/MailThreads.js"
import type { ThreadIdentity } from "./SealArc.js"

const timeout = "10 seconds"

/** The domain of a reverse-path, as far as it may stand in a header. */
const domainOf = (mailFrom: string): string => mailFrom.slice(mailFrom.lastIndexOf("@") + 1).replace(/[^\w.-]/g, "")

const threadIdentity = ({ domain, privateKey, selector }: DkimIdentity): ThreadIdentity => ({
  signingDomain: domain,
  selector,
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
})

/** Seals and rewrites mail in threads, with the checks of the authenticator under the name of this server. */
export const MailSealerArc = Layer.effect(
  MailSealer,
  Effect.gen(function* () {
    const { mailHostname } = yield* MailRouting
    const settled = yield* dnsRounds(timeout)
    const { run } = yield* MailThreads
    const { authenticate } = yield* MailAuthenticator

    return {
      seal: Effect.fnUntraced(function* (mail, identity) {
        const { dkim, dmarc, spf } = yield* authenticate(mail)
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        const from = domainOf(mail.mailFrom)
        const authResults = `${mailHostname};\r\n spf=${spf}${from === "" ? "" : ` smtp.mailfrom=${from}`};\r\n dkim=${dkim};\r\n dmarc=${dmarc}`
        const question = {
          receivedAt: DateTime.toEpochMillis(mail.receivedAt),
          now,
          ...threadIdentity(identity),
          authResults
        }
        return yield* settled(
          (known) => Effect.suspend(() => run("seal", { ...question, raw: ownCopy(mail.raw), known })),
          () => ""
        )
      }),
      rewrite: (raw, address, identity) =>
        Effect.suspend(() => run("rewrite", { raw: ownCopy(raw), address, ...threadIdentity(identity) })).pipe(
          Effect.map(({ raw }) => raw),
          // A mail that ends its thread is forwarded unchanged.
          Effect.orElseSucceed(() => raw)
        )
    }
  })
)
