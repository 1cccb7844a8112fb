import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { type ArrivedOverSmtp, MailAuthenticator } from "@switchboard/services/email/receiving/ReadMail"
import { Context, DateTime, type Duration, Effect, Layer } from "effect"
import { transferableCopy } from "../reading/MailJobs.js"
import { MimeWorkerPool } from "../reading/MimeWorkerPool.js"
import type { DkimVerdict } from "./CheckDkim.js"
import type { DmarcInput, DmarcVerdict } from "./CheckDmarc.js"
import { makeCheckWithDns } from "./CheckWithDns.js"

const results: ReadonlyArray<string> = [
  "none",
  "neutral",
  "pass",
  "fail",
  "softfail",
  "policy",
  "temperror",
  "permerror"
]

/** A result of RFC 8601 section 2.7; anything else becomes neutral. */
const standardResult = (result: string): string => (results.includes(result) ? result : "neutral")

/** The timeout of each check, DNS lookups included. */
export class MailCheckTimeout extends Context.Reference<MailCheckTimeout>()("channels/MailCheckTimeout", {
  defaultValue: (): Duration.DurationInput => "10 seconds"
}) {}

/** Evaluates SPF, DKIM and DMARC in worker threads; the DNS lookups happen in the main thread. */
export const MailAuthenticatorDns = Layer.effect(
  MailAuthenticator,
  Effect.gen(function* () {
    const checkWithDns = yield* makeCheckWithDns(yield* MailCheckTimeout)
    const { run } = yield* MimeWorkerPool

    const dkimOf = ({ raw, receivedAt }: Pick<ArrivedOverSmtp, "raw" | "receivedAt">) =>
      checkWithDns(
        (answers) =>
          Effect.suspend(() =>
            run("dkim", { raw: transferableCopy(raw), now: DateTime.toEpochMillis(receivedAt), answers })
          ),
        (result): DkimVerdict => ({ result, domains: [], from: null })
      )
    const spfOf = ({ helo, mailFrom, remoteAddress }: ArrivedOverSmtp) =>
      checkWithDns(
        (answers) => run("spf", { helo, mailFrom, remoteAddress, answers }),
        (result) => ({ result, domain: "" })
      )
    const dmarcOf = (input: Omit<DmarcInput, "answers">) =>
      checkWithDns(
        (answers) => run("dmarc", { ...input, answers }),
        (result): DmarcVerdict => ({ result, policy: "unknown" })
      )

    const authenticate = Effect.fnUntraced(function* (mail: ArrivedOverSmtp) {
      const [dkim, spf] = yield* Effect.all([dkimOf(mail), spfOf(mail)], { concurrency: "unbounded" })
      const { domains: dkimDomains, from } = dkim
      const spfDomain = spf.result === "pass" ? spf.domain : null
      // DMARC requires exactly one From address. If the DKIM check timed out, From was not parsed.
      const dmarc =
        from === null
          ? dkim.result === "temperror"
            ? "temperror"
            : "permerror"
          : (yield* dmarcOf({ from, spfDomain, dkimDomains })).result
      return {
        spf: standardResult(spf.result),
        dkim: standardResult(dkim.result),
        dmarc: standardResult(dmarc)
      } satisfies MailAuthentication
    })

    const senderPolicy = Effect.fnUntraced(function* (mail: Pick<ArrivedOverSmtp, "raw" | "receivedAt">) {
      const { from } = yield* dkimOf(mail)
      return from === null ? "unknown" : (yield* dmarcOf({ from, spfDomain: null, dkimDomains: [] })).policy
    })

    return { authenticate, senderPolicy }
  })
)
