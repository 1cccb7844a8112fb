import { MailTransport } from "@switchboard/services/messages/delivery/MailTransport"
import { Effect, Option, type Redacted } from "effect"
import { relayTls, sendsPassword } from "../settings/RelayTls.js"
import { Settings } from "../settings/Settings.js"
import type { Finding } from "./Doctor.js"

/** Whether the relay's password may leave the machine in clear. */
export const passwordFinding = (
  { smtpTls }: Pick<typeof Settings.Service, "smtpTls">,
  smtpUrl: Redacted.Redacted<string>
): ReadonlyArray<Finding> =>
  sendsPassword(smtpUrl)
    ? [
        {
          well: relayTls(smtpTls, smtpUrl) === "require",
          what: "the relay's password is sent over verified TLS alone",
          advice: "set SMTP_TLS=require: opportunistic TLS sends the password in clear to a relay that offers no TLS"
        }
      ]
    : []

/** Whether the relay of the settings can be used, and what it lacks. */
export const relayFindings = (smtpUrl: Redacted.Redacted<string>) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const transport = yield* MailTransport
    const password = passwordFinding(settings, smtpUrl)
    const probe = yield* Effect.either(transport.probe)
    if (probe._tag === "Left") {
      return [...password, { well: false, what: `the relay ${transport.relay} answers`, advice: probe.left.response }]
    }
    const { extensions } = probe.right
    const offers = (keyword: string) => extensions.some((extension) => extension.startsWith(keyword))
    const findings: Array<Finding> = [...password, { well: true, what: `the relay ${transport.relay} answers` }]
    const confirmation = Option.getOrElse(settings.smtpConfirmation, () => "dsn")
    if (confirmation === "dsn") {
      findings.push({
        well: offers("DSN"),
        what: "the relay offers delivery status notifications (RFC 3461)",
        advice: "messages stay at sent: if its 250 means delivered, set SMTP_CONFIRMATION=accept"
      })
    }
    return findings
  })
