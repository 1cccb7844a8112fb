import { Readable } from "node:stream"
import { arc, createSeal } from "mailauth/lib/arc/index.js"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"
import { type Checked, checkedWith, type DnsKnown } from "../receiving/authentication/DnsKnown.js"

/** A domain's signing key in a form that can be sent to a thread. */
export interface ThreadIdentity {
  readonly signingDomain: string
  readonly selector: string
  /** PEM. */
  readonly privateKey: string
}

export interface SealQuestion extends ThreadIdentity {
  readonly raw: ArrayBuffer
  /** When the mail came in, and when it is sealed. */
  readonly receivedAt: number
  readonly now: number
  /** The name of the server and the results of its checks (RFC 8601). */
  readonly authResults: string
  readonly known: ReadonlyArray<DnsKnown>
}

/** The highest instance of a chain (RFC 8617 section 4.2.1). */
const maxInstance = 50

/** Whether a seal says that the chain did not hold before it: the library verifies such a seal alone. */
const hasFailed = (chain: ReadonlyArray<object>): boolean =>
  chain.some((set) => Reflect.get(set, "arc-seal")?.parsed?.cv?.value === "fail")

/** The ARC set of a mail, with the keys that are known; empty if an earlier seal does not hold. */
export const sealArc = ({ known, now, raw, receivedAt, ...seal }: SealQuestion): Promise<Checked<string>> =>
  checkedWith(known, async (resolver) => {
    const whole = Readable.from([Buffer.from(raw)], { objectMode: true })
    const options = { signingDomain: seal.signingDomain, selector: seal.selector, privateKey: seal.privateKey }
    const verified = await dkimVerify(whole, { resolver, curTime: new Date(receivedAt), seal: options })
    const { chain, error, lastEntry } = verified.arc ?? { chain: false }
    const earlier = await arc(
      {
        chain: chain || [],
        ...(error === undefined ? {} : { error }),
        ...(lastEntry === undefined ? {} : { lastEntry })
      },
      { resolver }
    )
    const instance = Number(earlier.i) + 1
    const cv = earlier.status.result
    if ((cv !== "none" && cv !== "pass") || instance > maxInstance || hasFailed(chain || [])) return ""
    const { headers } = await createSeal(false, {
      headers: verified.headers,
      arc: verified.arc,
      seal: { ...verified.seal, i: instance, cv, authResults: seal.authResults, signTime: new Date(now) }
    })
    return headers.map((header) => `${header}\r\n`).join("")
  })
