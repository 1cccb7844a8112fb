import { Readable } from "node:stream"
import { MailRouting } from "@switchboard/services/email/domains/DomainRepo"
import { MailSealer } from "@switchboard/services/email/forwarding/RawRelay"
import { MailAuthenticator } from "@switchboard/services/email/receiving/ReadMail"
import type { DkimIdentity } from "@switchboard/services/messages/delivery/MailTransport"
import { DateTime, Effect, Layer } from "effect"
import { arc, createSeal } from "mailauth/lib/arc/index.js"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"
import {
  type CheckResult,
  checkWithAnswers,
  type DnsAnswer,
  makeCheckWithDns
} from "../receiving/authentication/CheckWithDns.js"
import { transferableCopy } from "../receiving/reading/MailJobs.js"
import { MimeWorkerPool } from "../receiving/reading/MimeWorkerPool.js"

/** A domain's DKIM signing key in a form that can be posted to a worker thread. */
export interface SigningKeyPem {
  readonly signingDomain: string
  readonly selector: string
  /** PEM. */
  readonly privateKey: string
}

export interface SealInput extends SigningKeyPem {
  readonly raw: ArrayBuffer
  /** When the mail was received, in epoch milliseconds. */
  readonly receivedAt: number
  /** When the mail is sealed, in epoch milliseconds. */
  readonly now: number
  /** The value of ARC-Authentication-Results: the authserv-id and the results (RFC 8601). */
  readonly authResults: string
  readonly answers: ReadonlyArray<DnsAnswer>
}

/** The maximum instance of an ARC chain (RFC 8617 section 4.2.1). */
const maxInstance = 50

/** Whether a seal of the chain has cv=fail: mailauth verifies only that seal's own signature. */
const hasFailed = (chain: ReadonlyArray<object>): boolean =>
  chain.some((set) => Reflect.get(set, "arc-seal")?.parsed?.cv?.value === "fail")

/** The new ARC set of a mail as header fields; empty if the chain is not valid or has 50 instances. */
export const sealArc = ({ answers, now, raw, receivedAt, ...seal }: SealInput): Promise<CheckResult<string>> =>
  checkWithAnswers(answers, async (resolver) => {
    const message = Readable.from([Buffer.from(raw)], { objectMode: true })
    const options = { signingDomain: seal.signingDomain, selector: seal.selector, privateKey: seal.privateKey }
    const verified = await dkimVerify(message, { resolver, curTime: new Date(receivedAt), seal: options })
    const { chain, error, lastEntry } = verified.arc ?? { chain: false }
    const previous = await arc(
      {
        chain: chain || [],
        ...(error === undefined ? {} : { error }),
        ...(lastEntry === undefined ? {} : { lastEntry })
      },
      { resolver }
    )
    const instance = Number(previous.i) + 1
    const cv = previous.status.result
    if ((cv !== "none" && cv !== "pass") || instance > maxInstance || hasFailed(chain || [])) return ""
    const { headers } = await createSeal(false, {
      headers: verified.headers,
      arc: verified.arc,
      seal: { ...verified.seal, i: instance, cv, authResults: seal.authResults, signTime: new Date(now) }
    })
    return headers.map((header) => `${header}\r\n`).join("")
  })

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
