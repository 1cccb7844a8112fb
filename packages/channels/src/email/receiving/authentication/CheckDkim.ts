import { Readable } from "node:stream"
import type { DKIMResult } from "mailauth"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"
import { addressParser } from "postal-mime"
import { type Checked, checkedWith, type DnsKnown } from "./DnsKnown.js"

export interface DkimQuestion {
  readonly raw: ArrayBuffer
  readonly now: number
  readonly known: ReadonlyArray<DnsKnown>
}

export interface DkimVerdict {
  readonly result: string
  /** The domains whose signatures hold. */
  readonly domains: ReadonlyArray<string>
  /** The one address that the mail says it is from; null if that is not certain. */
  readonly from: string | null
}

const field = (result: object, name: string): unknown =>
  Object.entries(result).find(([key]): boolean => key === name)?.[1]

const signedHeaders = (result: DKIMResult): string => {
  const signing = field(result, "signingHeaders")
  return typeof signing === "object" && signing !== null ? String(field(signing, "keys")) : ""
}

/** Comments of the library on what it calls neutral, of which RFC 8601 section 2.7.1 speaks more clearly. */
const clearer: Readonly<Record<string, string>> = {
  "body hash did not verify": "fail",
  "no key": "permerror",
  "unknown key version": "permerror",
  "unknown key type": "permerror",
  "invalid public key": "permerror"
}

/** What one signature is worth: one that leaves open what the mail says, or who says it, is not acceptable. */
const resultOf = (signature: DKIMResult): string => {
  const { comment = "", result, underSized } = signature.status
  if (result === "neutral") return clearer[comment] ?? result
  if (result !== "pass") return result
  const isWeak = underSized || String(field(signature, "algo")).toLowerCase().endsWith("sha1")
  return isWeak || !/(?:^|: )from(?::|$)/i.test(signedHeaders(signature)) ? "policy" : result
}

/** The best of several signatures speaks for the mail. */
const ranking = ["pass", "temperror", "policy", "fail", "permerror", "neutral", "none"]
const best = (results: ReadonlyArray<string>): string => ranking.find((result) => results.includes(result)) ?? "none"

/** The sender, if there is one alone, whoever reads the header. */
const certainFrom = (lines: ReadonlyArray<string>, read: ReadonlyArray<string>): string | null => {
  const [line = ""] = lines
  const ours = addressParser(line.slice(line.indexOf(":") + 1).replace(/[\r\n]+/g, ""), { flatten: true })
  const [address = ""] = ours.map((one) => one.address ?? "")
  const isOne = lines.length === 1 && ours.length === 1 && read.length === 1
  return isOne && read[0]?.toLowerCase() === address.toLowerCase() && /^[^@\s"]+@[^@\s"]+$/.test(address)
    ? address
    : null
}

/** DKIM (RFC 6376) with the keys that are known. */
export const checkDkim = ({ known, now, raw }: DkimQuestion): Promise<Checked<DkimVerdict>> =>
  checkedWith(known, async (resolver) => {
    // In one piece: the library puts a line together anew with each piece that it gets.
    const whole = Readable.from([Buffer.from(raw)], { objectMode: true })
    const { headerFrom, headers, results } = await dkimVerify(whole, { resolver, curTime: now })
    const parsed = headers?.parsed ?? []
    const linesOf = (name: string) => parsed.flatMap(({ key, line }) => (key === name ? [String(line)] : []))
    const judged = results.map((signature) => ({ domain: signature.signingDomain, result: resultOf(signature) }))
    const result = best(judged.map((one) => one.result))
    return {
      // A signature that the library passes over can't be understood.
      result: result === "none" && linesOf("dkim-signature").length > 0 ? "neutral" : result,
      domains: judged.flatMap((one) => (one.result === "pass" ? [one.domain] : [])),
      from: certainFrom(linesOf("from"), headerFrom)
    }
  })
