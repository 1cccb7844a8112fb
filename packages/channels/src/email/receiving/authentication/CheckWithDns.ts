import { type DnsAbsent, type DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { type Duration, Effect } from "effect"
import type { MailJobFailed } from "../reading/MimeWorkerPool.js"
import type { CheckResult, DnsAnswer, DnsErrorCode, DnsQuestion } from "./DnsAnswers.js"

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
