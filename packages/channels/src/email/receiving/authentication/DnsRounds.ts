import { type DnsAbsent, type DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { type Duration, Effect } from "effect"
import type { MailJobFailed } from "../reading/MailThreads.js"
import type { Checked, DnsKnown, DnsQuestion, DnsSilence } from "./DnsKnown.js"

/** Each round brings what the last has asked; SPF with all its includes has fewer. */
const maxRounds = 20

/** The longest name there can be. */
const maxNameLength = 253

const silenceOf = (absent: DnsAbsent | DnsFailed): DnsSilence => {
  if (absent._tag === "DnsFailed") return "ETIMEOUT"
  return absent.reason === "NoSuchName" ? "ENOTFOUND" : "ENODATA"
}

/** Makes the checks of threads, which wait for no name server, with the answers of the resolver. */
export const dnsRounds = Effect.fnUntraced(function* (patience: Duration.DurationInput) {
  const dns = yield* DnsResolver

  const listed = ({ name, type }: DnsQuestion): Effect.Effect<ReadonlyArray<unknown>, DnsAbsent | DnsFailed> => {
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

  const answered = (question: DnsQuestion): Effect.Effect<DnsKnown> =>
    question.name.length > maxNameLength
      ? Effect.succeed({ ...question, answer: { silence: "ENOTFOUND" } })
      : Effect.match(listed(question), {
          onSuccess: (list) => ({ ...question, answer: { list: JSON.stringify(list) } }),
          onFailure: (absent) => ({ ...question, answer: { silence: silenceOf(absent) } })
        })

  /** Does a check again with what it has asked, until it asks no more. */
  const settled = <Verdict>(
    check: (known: ReadonlyArray<DnsKnown>) => Effect.Effect<Checked<Verdict>, MailJobFailed>,
    undecided: (result: "temperror" | "permerror") => Verdict
  ): Effect.Effect<Verdict> => {
    const from = (known: ReadonlyArray<DnsKnown>, rounds: number): Effect.Effect<Verdict, MailJobFailed> =>
      Effect.flatMap(check(known), ({ missing, verdict }) => {
        if (missing.length === 0) return Effect.succeed(verdict)
        if (rounds === 0) return Effect.succeed(undecided("permerror"))
        return Effect.flatMap(Effect.forEach(missing, answered, { concurrency: 8 }), (more) =>
          from([...known, ...more], rounds - 1)
        )
      })
    return from([], maxRounds).pipe(
      // A mail that ends its thread would end it again.
      Effect.orElseSucceed(() => undecided("permerror")),
      Effect.timeoutTo({
        duration: patience,
        onSuccess: (verdict) => verdict,
        onTimeout: () => undecided("temperror")
      })
    )
  }

  return settled
})
