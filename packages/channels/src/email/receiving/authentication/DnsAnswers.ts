/** A DNS query of a check: a name and a record type. */
export interface DnsQuestion {
  readonly name: string
  readonly type: string
}

/** The reason for a missing answer, as a Node.js error code. */
export type DnsErrorCode = "ENOTFOUND" | "ENODATA" | "ETIMEOUT"

/** The answer to a question: its records as JSON, or the error code. */
export interface DnsAnswer extends DnsQuestion {
  readonly answer: { readonly records: string } | { readonly error: DnsErrorCode }
}

/** The result of a check, and the questions without an answer. While any is missing, the verdict is meaningless. */
export interface CheckResult<Verdict> {
  readonly missing: ReadonlyArray<DnsQuestion>
  readonly verdict: Verdict
}

/** SPF allows 10 lookups (RFC 7208 section 4.6.4), each of which may return 10 hosts. */
const maxQueries = 120

const dnsError = (code: DnsErrorCode) => Object.assign(new Error("No answer"), { code })

/**
 * Runs a check with the answers so far. A question without an answer is recorded as missing and fails with ETIMEOUT, so
 * that a worker thread never waits for a name server.
 */
export const checkWithAnswers = async <Verdict>(
  answers: ReadonlyArray<DnsAnswer>,
  check: (resolver: (name: string, type: string) => Promise<string[][]>) => Promise<Verdict>
): Promise<CheckResult<Verdict>> => {
  const missing: Array<DnsQuestion> = []
  const verdict = await check(async (name, type) => {
    const found = answers.find((one) => one.name === name && one.type === type)
    if (found !== undefined) {
      if ("error" in found.answer) throw dnsError(found.answer.error)
      // The library declares TXT records only, and queries MX and other types too.
      return JSON.parse(found.answer.records)
    }
    if (answers.length + missing.length < maxQueries) missing.push({ name, type })
    throw dnsError("ETIMEOUT")
  })
  return { missing, verdict }
}
