import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { MailSealer } from "@switchboard/services/email/forwarding/MailSealer"
import { MailAuthenticator } from "@switchboard/services/email/receiving/MailAuthenticator"
import type { DkimIdentity } from "@switchboard/services/messages/delivery/MailTransport"
import { DateTime, Effect, Layer } from "effect"
import { makeCheckWithDns } from "../receiving/authentication/CheckWithDns.js"
import { transferableCopy } from "../receiving/reading/MailJobs.js"
import { MimeWorkerPool } from "../receiving/reading/MimeWorkerPool.js"
import type { SigningKeyPem } from "./SealArc.js"

const sealTimeout = "10 seconds"

/** The domain of a reverse-path, without characters that a header field can't hold. */
const senderDomain = (mailFrom: string): string => mailFrom.slice(mailFrom.lastIndexOf("@") + 1).replace(/[^\w.-]/g, "")

const signingKeyPem = ({ domain, privateKey, selector }: DkimIdentity): SigningKeyPem => ({
  signingDomain: domain,
  selector,
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
})

/** ARC-seals (RFC 8617) and rewrites mail in worker threads. The seal records this server's SPF, DKIM and DMARC results. */
export const MailSealerArc = Layer.effect(
  MailSealer,
  Effect.gen(function* () {
    const { mailHostname } = yield* MailRouting
    const checkWithDns = yield* makeCheckWithDns(sealTimeout)
    const { run } = yield* MimeWorkerPool
    const { authenticate } = yield* MailAuthenticator

    return {
      seal: Effect.fnUntraced(function* (mail, identity) {
        const { dkim, dmarc, spf } = yield* authenticate(mail)
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        const from = senderDomain(mail.mailFrom)
        const authResults = `${mailHostname};\r\n spf=${spf}${from === "" ? "" : ` smtp.mailfrom=${from}`};\r\n dkim=${dkim};\r\n dmarc=${dmarc}`
        const input = {
          receivedAt: DateTime.toEpochMillis(mail.receivedAt),
          now,
          ...signingKeyPem(identity),
          authResults
        }
        return yield* checkWithDns(
          (answers) => Effect.suspend(() => run("seal", { ...input, raw: transferableCopy(mail.raw), answers })),
          () => ""
        )
      }),
      rewrite: (raw, address, identity) =>
        Effect.suspend(() => run("rewrite", { raw: transferableCopy(raw), address, ...signingKeyPem(identity) })).pipe(
          Effect.map(({ raw }) => raw),
          // A mail that crashes its worker is forwarded unchanged.
          Effect.orElseSucceed(() => raw)
        )
    }
  })
)
