import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { type ArrivedOverSmtp, MailAuthenticator } from "@switchboard/services/email/receiving/MailAuthenticator"
import { Context, DateTime, type Duration, Effect, Layer } from "effect"
import { ownCopy } from "../reading/MailJobs.js"
import { MailThreads } from "../reading/MailThreads.js"
import type { DkimVerdict } from "./CheckDkim.js"
import type { DmarcQuestion, DmarcVerdict } from "./CheckDmarc.js"
import { dnsRounds } from "./DnsRounds.js"

const words: ReadonlyArray<string> = ["none", "neutral", "pass", "fail", "softfail", "policy", "temperror", "permerror"]

/** A word of RFC 8601 section 2.7. */
const word = (result: string): string => (words.includes(result) ? result : "neutral")

/** The timeout of each check, with all its look-ups. */
export class MailCheckTimeout extends Context.Reference<MailCheckTimeout>()("channels/MailCheckTimeout", {
  defaultValue: (): Duration.DurationInput => "10 seconds"
}) {}

/** Checks mails in threads, with the answers of name servers. */
export const MailAuthenticatorDns = Layer.effect(
  MailAuthenticator,
  Effect.gen(function* () {
    const settled = yield* dnsRounds(yield* MailCheckTimeout)
    const { run } = yield* MailThreads

    const dkimOf = ({ raw, receivedAt }: Pick<ArrivedOverSmtp, "raw" | "receivedAt">) =>
      settled(
        (known) =>
          Effect.suspend(() => run("dkim", { raw: ownCopy(raw), now: DateTime.toEpochMillis(receivedAt), known })),
        (result): DkimVerdict => ({ result, domains: [], from: null })
      )
    const spfOf = ({ helo, mailFrom, remoteAddress }: ArrivedOverSmtp) =>
      settled(
        (known) => run("spf", { helo, mailFrom, remoteAddress, known }),
        (result) => ({ result, domain: "" })
      )
    const dmarcOf = (question: Omit<DmarcQuestion, "known">) =>
      settled(
        (known) => run("dmarc", { ...question, known }),
        (result): DmarcVerdict => ({ result, policy: "unknown" })
      )

    const authenticate = Effect.fnUntraced(function* (mail: ArrivedOverSmtp) {
      const [dkim, spf] = yield* Effect.all([dkimOf(mail), spfOf(mail)], { concurrency: "unbounded" })
      const { domains: dkimDomains, from } = dkim
      const spfDomain = spf.result === "pass" ? spf.domain : null
      // DMARC needs one certain sender. If the DKIM check failed, the sender was not read.
      const dmarc =
        from === null
          ? dkim.result === "temperror"
            ? "temperror"
            : "permerror"
          : (yield* dmarcOf({ from, spfDomain, dkimDomains })).result
      return { spf: word(spf.result), dkim: word(dkim.result), dmarc: word(dmarc) } satisfies MailAuthentication
    })

    const senderPolicy = Effect.fnUntraced(function* (mail: Pick<ArrivedOverSmtp, "raw" | "receivedAt">) {
      const { from } = yield* dkimOf(mail)
      return from === null ? "unknown" : (yield* dmarcOf({ from, spfDomain: null, dkimDomains: [] })).policy
    })

    return { authenticate, senderPolicy }
  })
)
