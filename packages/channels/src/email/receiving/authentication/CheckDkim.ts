import { Readable } from "node:stream"
import type { DKIMResult } from "mailauth"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"
import { addressList } from "../reading/AddressList.js"
import { type CheckResult, checkWithAnswers, type DnsAnswer } from "./CheckWithDns.js"

export interface DkimInput {
  readonly raw: ArrayBuffer
  readonly now: number
  readonly answers: ReadonlyArray<DnsAnswer>
}

export interface DkimVerdict {
  readonly result: string
  /** The signing domains (d=) of valid signatures. */
  readonly domains: ReadonlyArray<string>
  /** The From address; null unless the mail has exactly one. */
  readonly from: string | null
}

const field = (result: object, name: string): unknown =>
  Object.entries(result).find(([key]): boolean => key === name)?.[1]

const signedHeaders = (result: DKIMResult): string => {
  const signing = field(result, "signingHeaders")
  return typeof signing === "object" && signing !== null ? String(field(signing, "keys")) : ""
}

/** Comments of mailauth's neutral results that RFC 8601 section 2.7.1 classifies as fail or permerror. */
const neutralComments: Readonly<Record<string, string>> = {
  "body hash did not verify": "fail",
  "no key": "permerror",
  "unknown key version": "permerror",
  "unknown key type": "permerror",
  "invalid public key": "permerror"
}

/** The result of one signature. A valid signature that does not cover From or the complete body, or uses SHA-1, is `policy`. */
const resultOf = (signature: DKIMResult): string => {
  const { comment = "", result, underSized } = signature.status
  if (result === "neutral") return neutralComments[comment] ?? result
  if (result !== "pass") return result
  const isWeak = underSized || String(field(signature, "algo")).toLowerCase().endsWith("sha1")
  return isWeak || !/(?:^|: )from(?::|$)/i.test(signedHeaders(signature)) ? "policy" : result
}

/** The best result of several signatures is the result of the mail. */
const ranking = ["pass", "temperror", "policy", "fail", "permerror", "neutral", "none"]
const bestResult = (results: ReadonlyArray<string>): string =>
  ranking.find((result) => results.includes(result)) ?? "none"

/** The From address if both parsers find the same single address. */
const singleFrom = (lines: ReadonlyArray<string>, headerFrom: ReadonlyArray<string>): string | null => {
  const [line = ""] = lines
  const addresses = addressList(line.slice(line.indexOf(":") + 1).replace(/[\r\n]+/g, ""))
  const [{ address } = { address: "" }] = addresses
  const isSingle = lines.length === 1 && addresses.length === 1 && headerFrom.length === 1
  return isSingle && headerFrom[0]?.toLowerCase() === address.toLowerCase() && /^[^@\s"]+@[^@\s"]+$/.test(address)
    ? address
    : null
}

/** Verifies the DKIM signatures of a mail (RFC 6376) with the DNS answers so far. */
export const checkDkim = ({ answers, now, raw }: DkimInput): Promise<CheckResult<DkimVerdict>> =>
  checkWithAnswers(answers, async (resolver) => {
    // One chunk: mailauth reassembles the current line with every chunk, which is quadratic.
    const message = Readable.from([Buffer.from(raw)], { objectMode: true })
    const { headerFrom, headers, results } = await dkimVerify(message, { resolver, curTime: now })
    const parsed = headers?.parsed ?? []
    const linesOf = (name: string) => parsed.flatMap(({ key, line }) => (key === name ? [String(line)] : []))
    const signatures = results.map((signature) => ({ domain: signature.signingDomain, result: resultOf(signature) }))
    const result = bestResult(signatures.map((one) => one.result))
    return {
      // mailauth skips a signature that it can't parse.
      result: result === "none" && linesOf("dkim-signature").length > 0 ? "neutral" : result,
      domains: signatures.flatMap((one) => (one.result === "pass" ? [one.domain] : [])),
      from: singleFrom(linesOf("from"), headerFrom)
    }
  })
