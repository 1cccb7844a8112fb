import { RelayProbesSmtp } from "@switchboard/channels/messages/SmtpTransport"
import { relayName } from "@switchboard/channels/smtp/client/SmtpRelay"
import type { Finding } from "@switchboard/domain/system/SystemStatus"
import { RelayFaults, RelayProbes } from "@switchboard/services/messages/delivery/MailTransport"
import { Array, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { RelaySettingsOf, relayOf } from "../layers/RelayLive.js"
import { relayTls, sendsPassword } from "../settings/RelayTls.js"
import { Settings } from "../settings/Settings.js"
import { type RelayUrl, SmtpServers } from "../settings/SmtpServers.js"
import { directFindings } from "./DoctorDirect.js"
import { failedCheck } from "./FailedCheck.js"

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

/** Checks that a relay accepts a session, and that it offers delivery status notifications if they are required. */
const relayFindings = ({ probe: session, relay }: (typeof RelayProbes.Service)[number], isOnly: boolean) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const subject = `Relay ${relay}`
    const probe = yield* Effect.either(session)
    if (probe._tag === "Left") {
      const advice = [probe.left.response, "Check SMTP_URL, and that the relay accepts connections from this host."]
      return [{ level: "error" as const, subject, advice }]
    }
    const { extensions } = probe.right
    const offers = (keyword: string) => extensions.some((extension) => extension.startsWith(keyword))
    const findings: Array<Finding> = [{ level: "ok", subject }]
    const confirmation = Option.getOrElse(settings.smtpConfirmation, () => "dsn")
    if (confirmation === "dsn") {
      const extension = `Delivery status notifications of ${isOnly ? "the relay" : relay} (RFC 3461)`
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

/** How long a fault is reported: a worker that starts later tries the overlap again. */
const reportedFor = { days: 7 }

/** Reports a relay that replied out of order. */
const faultFindings = Effect.fnUntraced(function* ({ url }: RelayUrl) {
  const { find } = yield* RelayFaults
  const relay = relayName(relayOf(yield* Settings, url))
  const since = DateTime.subtract(yield* DateTime.now, reportedFor)
  const fault = Option.filter(yield* find(relay), DateTime.greaterThan(since))
  return Option.toArray(fault).map(
    (at): Finding => ({
      level: "warning",
      subject: `Replies of relay ${relay}: out of order at ${DateTime.formatIso(at)}`,
      advice: [
        "The relay offers PIPELINING, but replied to the next envelope before it replied to a mail (RFC 2920).",
        "The worker sends each envelope after that reply until it restarts: more round trips, no lost mail.",
        "Check the content filters between this host and the relay."
      ]
    })
  )
})

const relaysOf = ({ smtpUrl }: Pick<typeof Settings.Service, "smtpUrl">): ReadonlyArray<RelayUrl> =>
  Option.match(smtpUrl, {
    onNone: () => [],
    onSome: (servers) =>
      SmtpServers.$match(Redacted.value(servers), { Relays: ({ relays }) => relays, Direct: () => [] })
  })

/** Reports the relays that replied out of order. */
export const relayFaultFindings = Settings.pipe(
  Effect.flatMap((settings) => Effect.forEach(relaysOf(settings), faultFindings)),
  Effect.map(Array.flatten),
  Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck("Replies of the relay")(error)]))
)

/** Checks the relays, or what direct delivery needs. */
export const outgoingFindings = Effect.gen(function* () {
  const settings = yield* Settings
  if (Option.isNone(settings.smtpUrl)) {
    return [{ level: "ok" as const, subject: "Relay: the local mailbox, since SMTP_URL is not set" }]
  }
  const servers = Redacted.value(settings.smtpUrl.value)
  if (servers._tag === "Direct") return yield* directFindings
  const probed = Effect.flatMap(RelayProbes, (probes) =>
    Effect.forEach(probes, (probe) => relayFindings(probe, probes.length === 1), { concurrency: "unbounded" })
  )
  const passwords = servers.relays.flatMap(({ url }) => passwordFinding(settings, url))
  const findings = yield* Effect.provide(probed, Layer.provide(RelayProbesSmtp, RelaySettingsOf(servers.relays)))
  return [...passwords.slice(0, 1), ...findings.flat()]
})
