/** A question of a check. */
export interface DnsQuestion {
  readonly name: string
  readonly type: string
}

/** Why there is no answer, as Node.js says it. */
export type DnsSilence = "ENOTFOUND" | "ENODATA" | "ETIMEOUT"

/** What DNS has said to a question: a list as JSON, or why there is none. */
export interface DnsKnown extends DnsQuestion {
  readonly answer: { readonly list: string } | { readonly silence: DnsSilence }
}

/** How far a check has come with what it knows: while something is missing, its verdict means nothing. */
export interface Checked<Verdict> {
  readonly missing: ReadonlyArray<DnsQuestion>
  readonly verdict: Verdict
}

/** More a check must not want to know: 10 look-ups (RFC 7208 section 4.6.4), each of which may lead to 10 hosts. */
const mostQuestions = 120

const silent = (code: DnsSilence) => Object.assign(new Error("No answer"), { code })

/**
 * Does a check with what is known. What it asks beyond that is noted, and it is told to wait: a thread that strangers'
 * mail is worked on in waits for no name server.
 */
export const checkedWith = async <Verdict>(
  known: ReadonlyArray<DnsKnown>,
  check: (resolver: (name: string, type: string) => Promise<string[][]>) => Promise<Verdict>
): Promise<Checked<Verdict>> => {
  const missing: Array<DnsQuestion> = []
  const verdict = await check(async (name, type) => {
    const found = known.find((one) => one.name === name && one.type === type)
    if (found !== undefined) {
      if ("silence" in found.answer) throw silent(found.answer.silence)
      // The library's types know texts alone, and it asks for hosts too.
      return JSON.parse(found.answer.list)
    }
    if (known.length + missing.length < mostQuestions) missing.push({ name, type })
    throw silent("ETIMEOUT")
  })
  return { missing, verdict }
}
