import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { type ArrivedOverSmtp, MailAuthenticator } from "@switchboard/services/email/receiving/MailAuthenticator"
import type { DnsResolver } from "@switchboard/services/network/DnsResolver"
import { DateTime, type Duration, Effect, Layer } from "effect"
import { dnsRounds } from "./DnsRounds.js"
import { ownCopy } from "./MailJobs.js"
import { MailThreads } from "./MailThreads.js"

export interface MailAuthenticatorOptions {
  /** For each of the checks, with all that it asks. */
  readonly patience?: Duration.DurationInput
}

const words: ReadonlyArray<string> = ["none", "neutral", "pass", "fail", "softfail", "policy", "temperror", "permerror"]

/** A word of RFC 8601 section 2.7. */
const word = (result: string): string => (words.includes(result) ? result : "neutral")

/** Checks mails in threads, and asks the name servers of the settings for them. */
export const MailAuthenticatorDns = ({
  patience = "10 seconds"
}: MailAuthenticatorOptions = {}): Layer.Layer<MailAuthenticator, never, DnsResolver | MailThreads> =>
  Layer.effect(
    MailAuthenticator,
    Effect.gen(function* () {
      const settled = yield* dnsRounds(patience)
      const { run } = yield* MailThreads

      const authenticate = Effect.fnUntraced(function* ({
        helo,
        mailFrom,
        raw,
        receivedAt,
        remoteAddress
      }: ArrivedOverSmtp) {
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
