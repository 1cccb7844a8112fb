import { Option, Redacted } from "effect"

/** Hosts whose connections remain on this machine. */
const loopback = /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/i

/** Whether the relay's host is not loopback. */
export const isRemote = (smtpUrl: Redacted.Redacted<string>): boolean =>
  !loopback.test(new URL(Redacted.value(smtpUrl)).hostname)

/** Whether the relay's URL has a password, which leaves this machine. */
export const sendsPassword = (smtpUrl: Redacted.Redacted<string>): boolean =>
  new URL(Redacted.value(smtpUrl)).username !== "" && isRemote(smtpUrl)

/** `SMTP_TLS`; its default is `require` if a password leaves the machine. */
export const relayTls = (
  smtpTls: Option.Option<"opportunistic" | "require">,
  smtpUrl: Redacted.Redacted<string>
): "opportunistic" | "require" =>
  Option.getOrElse(smtpTls, () => (sendsPassword(smtpUrl) ? "require" : "opportunistic"))
