import { probeServer } from "@switchboard/channels/messages/SmtpTransport"
import { reverseNamesOf, spfOfSource } from "@switchboard/channels/smtp/mx/SourceAddress"
import { isPublicHostname } from "@switchboard/domain/email/domains/DomainRecords"
import type { Finding } from "@switchboard/domain/system/SystemStatus"
import { MailRouting } from "@switchboard/services/email/domains/DomainRepo"
import { DnsResolver, type MailExchange } from "@switchboard/services/network/DnsResolver"
import { Array, Effect } from "effect"
import { mxOptions } from "../layers/RelayLive.js"
import { Settings } from "../settings/Settings.js"

/** A domain whose mail servers accept connections from everywhere: if they can't be reached, port 25 is blocked. */
const probedDomain = "gmail.com"

const ok = (subject: string): Finding => ({ level: "ok", subject })

const warning = (subject: string, ...advice: ReadonlyArray<string>): Finding => ({ level: "warning", subject, advice })

const error = (subject: string, ...advice: ReadonlyArray<string>): Finding => ({ level: "error", subject, advice })

/** The addresses of a host of both families; empty if there are none or no name server responds. */
const addressesOf = (host: string) =>
  Effect.flatMap(DnsResolver, ({ addresses }) =>
    Effect.map(
      Effect.forEach([4, 6] as const, (family) =>
        Effect.orElseSucceed(addresses(host, family), (): ReadonlyArray<string> => [])
      ),
      Array.flatten
    )
  )

/** Checks that the reverse name of an address is the EHLO name: many servers refuse mail of other addresses. */
const reverseFinding = (address: string, hostname: string) =>
  Effect.gen(function* () {
    const found = yield* Effect.orElseSucceed(reverseNamesOf(address), (): ReadonlyArray<string> => [])
    const subject = `Reverse name of ${address}`
    return found.includes(hostname)
      ? ok(subject)
      : error(
          subject,
          found.length === 0 ? "The address has no reverse name." : `It is ${found.join(", ")}.`,
          `Set it to ${hostname}, the EHLO name, at the provider of the address; or set MX_HOSTNAME.`
        )
  })

/** Checks that the SPF record of the domains allows an address. */
const spfFinding = (address: string, hostname: string) =>
  Effect.gen(function* () {
    const { mailHostname, spfInclude } = yield* MailRouting
    const subject = `SPF of ${address}`
    if (spfInclude !== null) {
      const result = yield* spfOfSource(address, spfInclude, hostname)
      return result === "pass"
        ? ok(subject)
        : error(
            subject,
            `The record of ${spfInclude} (SPF_INCLUDE) does not allow the address: the result is ${result}.`
          )
    }
    return (yield* addressesOf(mailHostname)).includes(address)
      ? ok(subject)
      : error(
          subject,
          `The domains allow the addresses of ${mailHostname} (MAIL_HOSTNAME), and this is not one of them.`,
          "Add it to the host's A or AAAA records, or set SPF_INCLUDE to a name whose SPF record lists all addresses."
        )
  })

/** Checks that mail servers can be connected to: many networks block port 25 outward. */
const portFinding = Effect.gen(function* () {
  const { session, sourceAddresses } = mxOptions(yield* Settings)
  const { mx } = yield* DnsResolver
  const subject = `Port ${session.port} outward`
  const [server] = yield* Effect.orElseSucceed(mx(probedDomain), (): ReadonlyArray<MailExchange> => [])
  if (server === undefined) return warning(subject, `No name server returned the mail servers of ${probedDomain}.`)
  const [address] = yield* addressesOf(server.exchange)
  return yield* Effect.match(
    probeServer({
      ...session,
      host: server.exchange,
      ...(address === undefined ? {} : { address }),
      localAddress: sourceAddresses[0]?.address,
      implicitTls: false,
      tls: "opportunistic",
      tlsa: [],
      credentials: null
    }),
    {
      onSuccess: () => ok(subject),
      onFailure: ({ response }) =>
        error(
          subject,
          `${server.exchange}: ${response}`,
          "Many networks block port 25 outward: ask the provider to open it, or set SMTP_URL to a relay."
        )
    }
  )
})

/** Checks what other mail servers expect of a host that delivers to them: names, addresses, SPF, and port 25. */
export const directFindings = Effect.gen(function* () {
  const { session, sourceAddresses } = mxOptions(yield* Settings)
  const { hostname } = session
  const subject = `EHLO name ${hostname}`
  const own = yield* addressesOf(hostname)
  const sources = sourceAddresses.length > 0 ? sourceAddresses.map(({ address }) => address) : own
  const name =
    isPublicHostname(hostname) && own.length > 0
      ? ok(subject)
      : error(subject, "The name has no public address.", "Set MX_HOSTNAME to the public name of this host.")
  const findings = yield* Effect.forEach(
    sources,
    (address) => Effect.all([reverseFinding(address, hostname), spfFinding(address, hostname)]),
    { concurrency: "unbounded" }
  )
  return [name, ...findings.flat(), yield* portFinding]
})
