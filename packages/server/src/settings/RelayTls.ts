import { Option, Redacted } from "effect"

/** The hosts whose connections do not leave the machine. */
const loopback = /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/i

/** Whether a relay's URL has a password that leaves the machine. */
export const sendsPassword = (smtpUrl: Redacted.Redacted<string>): boolean => {
  const { hostname, username } = new URL(Redacted.value(smtpUrl))
  return username !== "" && !loopback.test(hostname)
}

/** How the relay is secured: as `SMTP_TLS` says, else with TLS alone where a password leaves the machine. */
export const relayTls = (
  smtpTls: Option.Option<"opportunistic" | "require">,
  smtpUrl: Redacted.Redacted<string>
): "opportunistic" | "require" =>
  Option.getOrElse(smtpTls, () => (sendsPassword(smtpUrl) ? "require" : "opportunistic"))
