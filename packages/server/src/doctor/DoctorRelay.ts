import type { Finding } from "@switchboard/domain/system/Finding"
import { MailTransport } from "@switchboard/services/messages/delivery/MailTransport"
import { Effect, Option, type Redacted } from "effect"
import { relayTls, sendsPassword } from "../settings/RelayTls.js"
import { Settings } from "../settings/Settings.js"

/** Checks that the relay's password is never sent in clear text beyond this host. */
export const passwordFinding = (
  { smtpTls }: Pick<typeof Settings.Service, "smtpTls">,
  smtpUrl: Redacted.Redacted<string>
): ReadonlyArray<Finding> => {
  const subject = "TLS for the relay's password"
  if (!sendsPassword(smtpUrl)) return []
  if (relayTls(smtpTls, smtpUrl) === "require") return [{ level: "ok", subject }]
  const advice = ["Set SMTP_TLS=require: opportunistic TLS sends the password in clear text if the relay offers no TLS"]
  return [{ level: "error", subject, advice }]
}

/** Checks that the relay accepts a session, and that it offers delivery status notifications if they are required. */
export const relayFindings = (smtpUrl: Redacted.Redacted<string>) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const transport = yield* MailTransport
    const password = passwordFinding(settings, smtpUrl)
    const subject = `Relay ${transport.relay}`
    const probe = yield* Effect.either(transport.probe)
    if (probe._tag === "Left") {
      const advice = [probe.left.response, "Check SMTP_URL, and that the relay accepts connections from this host."]
      return [...password, { level: "error" as const, subject, advice }]
    }
    const { extensions } = probe.right
    const offers = (keyword: string) => extensions.some((extension) => extension.startsWith(keyword))
    const findings: Array<Finding> = [...password, { level: "ok", subject }]
    const confirmation = Option.getOrElse(settings.smtpConfirmation, () => "dsn")
    if (confirmation === "dsn") {
      const extension = "Delivery status notifications of the relay (RFC 3461)"
      findings.push(
        offers("DSN")
          ? { level: "ok", subject: extension }
          : {
              level: "error",
              subject: extension,
              advice: [
                "The relay does not offer them: messages remain at sent.",
                "If the relay's 250 means delivered, set SMTP_CONFIRMATION=accept."
              ]
            }
      )
    }
    return findings
  })
