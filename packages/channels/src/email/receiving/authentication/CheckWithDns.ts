import { type DnsAbsent, type DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { type Duration, Effect } from "effect"
import type { MailJobFailed } from "../reading/MimeWorkerPool.js"

/** A DNS query of a check: a name and a record type. */
interface DnsQuestion {
  readonly name: string
  readonly type: string
}

/** The reason for a missing answer, as a Node.js error code. */
type DnsErrorCode = "ENOTFOUND" | "ENODATA" | "ETIMEOUT"

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

/** Each round resolves the questions of the previous one. SPF needs fewer, even with 10 nested includes. */
const maxRounds = 20

/** In characters (RFC 1035 section 2.3.4). */
const maxNameLength = 253

const errorCodeOf = (absent: DnsAbsent | DnsFailed): DnsErrorCode => {
  if (absent._tag === "DnsFailed") return "ETIMEOUT"
  return absent.reason === "NoSuchName" ? "ENOTFOUND" : "ENODATA"
}

/** Makes a function that repeats a check of a worker thread and resolves its missing questions in between. */
export const makeCheckWithDns = Effect.fnUntraced(function* (timeout: Duration.DurationInput) {
  const dns = yield* DnsResolver

  const query = ({ name, type }: DnsQuestion): Effect.Effect<ReadonlyArray<unknown>, DnsAbsent | DnsFailed> => {
    switch (type) {
      case "TXT":
        return Effect.map(dns.txt(name), (texts) => texts.map((text) => [text]))
      case "MX":
        return dns.mx(name)
      case "A":
        return dns.addresses(name, 4)
      case "AAAA":
        return dns.addresses(name, 6)
      case "PTR":
        return dns.names(name)
      default:
        return Effect.succeed([])
    }
  }

  const resolve = (question: DnsQuestion): Effect.Effect<DnsAnswer> =>
    question.name.length > maxNameLength
      ? Effect.succeed({ ...question, answer: { error: "ENOTFOUND" } })
      : Effect.match(query(question), {
          onSuccess: (records) => ({ ...question, answer: { records: JSON.stringify(records) } }),
          onFailure: (absent) => ({ ...question, answer: { error: errorCodeOf(absent) } })
        })

  /** Repeats a check until no answer is missing. `undecided` makes the verdict of a failed or timed-out check. */
  const checkWithDns = <Verdict>(
    check: (answers: ReadonlyArray<DnsAnswer>) => Effect.Effect<CheckResult<Verdict>, MailJobFailed>,
    undecided: (result: "temperror" | "permerror") => Verdict
  ): Effect.Effect<Verdict> => {
    const repeat = (answers: ReadonlyArray<DnsAnswer>, rounds: number): Effect.Effect<Verdict, MailJobFailed> =>
      Effect.flatMap(check(answers), ({ missing, verdict }) => {
        if (missing.length === 0) return Effect.succeed(verdict)
        if (rounds === 0) return Effect.succeed(undecided("permerror"))
        return Effect.flatMap(Effect.forEach(missing, resolve, { concurrency: 8 }), (more) =>
          repeat([...answers, ...more], rounds - 1)
        )
      })
    return repeat([], maxRounds).pipe(
      // A mail that crashes its worker would crash it again.
      Effect.orElseSucceed(() => undecided("permerror")),
      Effect.timeoutTo({
        duration: timeout,
        onSuccess: (verdict) => verdict,
        onTimeout: () => undecided("temperror")
      })
    )
  }

  return checkWithDns
})
