import { Readable } from "node:stream"
import { arc, createSeal } from "mailauth/lib/arc/index.js"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"
import { type CheckResult, checkWithAnswers, type DnsAnswer } from "../receiving/authentication/DnsAnswers.js"

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
