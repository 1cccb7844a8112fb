import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import { MailAuthenticator } from "@switchboard/services/email/receiving/MailAuthenticator"
import { type DnsAbsent, type DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { DateTime, type Duration, Effect, Layer } from "effect"
import type { Checked, DnsKnown, DnsQuestion, DnsSilence } from "./DnsKnown.js"
import { ownCopy } from "./MailJobs.js"
import { type MailJobFailed, MailThreads } from "./MailThreads.js"

export interface MailAuthenticatorOptions {
  /** For each of the checks, with all that it asks. */
  readonly patience?: Duration.DurationInput
}

/** Each round brings what the last has asked; SPF with all its includes has fewer. */
const mostRounds = 20

/** The longest name there can be. */
const longestName = 253

const words: ReadonlyArray<string> = ["none", "neutral", "pass", "fail", "softfail", "policy", "temperror", "permerror"]

/** A word of RFC 8601 section 2.7. */
const word = (result: string): string => (words.includes(result) ? result : "neutral")

const silenceOf = (absent: DnsAbsent | DnsFailed): DnsSilence => {
  if (absent._tag === "DnsFailed") return "ETIMEOUT"
  return absent.reason === "NoSuchName" ? "ENOTFOUND" : "ENODATA"
}

/** Checks mails in threads, and asks the name servers of the settings for them. */
export const MailAuthenticatorDns = ({
  patience = "10 seconds"
}: MailAuthenticatorOptions = {}): Layer.Layer<MailAuthenticator, never, DnsResolver | MailThreads> =>
  Layer.effect(
    MailAuthenticator,
    Effect.gen(function* () {
      const dns = yield* DnsResolver
      const { run } = yield* MailThreads

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
        question.name.length > longestName
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
        return from([], mostRounds).pipe(
          // A mail that ends its thread would end it again.
          Effect.orElseSucceed(() => undecided("permerror")),
          Effect.timeoutTo({
            duration: patience,
            onSuccess: (verdict) => verdict,
            onTimeout: () => undecided("temperror")
          })
        )
      }

      const authenticate = Effect.fnUntraced(function* ({
        helo,
        mailFrom,
        raw,
        receivedAt,
        remoteAddress
      }: InboundMail) {
        const now = DateTime.toEpochMillis(receivedAt)
        const [dkim, spf] = yield* Effect.all(
          [
            settled(
              (known) => Effect.suspend(() => run("dkim", { raw: ownCopy(raw), now, known })),
              (result) => ({ result, domains: [], from: null })
            ),
            settled(
              (known) => run("spf", { helo, mailFrom, remoteAddress, known }),
              (result) => ({ result, domain: "" })
            )
          ],
          { concurrency: "unbounded" }
        )
        const { domains: dkimDomains, from } = dkim
        const spfDomain = spf.result === "pass" ? spf.domain : null
        // Without one sender nobody's policy is known; where DKIM could not be checked, nobody has looked for one.
        const dmarc =
          from === null
            ? dkim.result === "temperror"
              ? "temperror"
              : "permerror"
            : yield* settled(
                (known) => run("dmarc", { from, spfDomain, dkimDomains, known }),
                (result): string => result
              )
        return { spf: word(spf.result), dkim: word(dkim.result), dmarc: word(dmarc) } satisfies MailAuthentication
      })

      return { authenticate }
    })
  )
