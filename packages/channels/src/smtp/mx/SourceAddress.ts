import { DnsResolver } from "@switchboard/services/network/DnsResolver"
import { Effect } from "effect"
import ipaddr from "ipaddr.js"
import { checkSpf } from "../../email/receiving/authentication/CheckSpf.js"
import { makeCheckWithDns } from "../../email/receiving/authentication/CheckWithDns.js"

/** The name of the reverse record of an address (RFC 1035 section 3.5, RFC 3596 section 2.5). */
const reverseName = (address: string): string => {
  const parsed = ipaddr.parse(address)
  const octets = parsed.toByteArray()
  if (!(parsed instanceof ipaddr.IPv6)) return `${octets.reverse().join(".")}.in-addr.arpa`
  const digits = octets.flatMap((octet) => [octet >> 4, octet & 15]).map((digit) => digit.toString(16))
  return `${digits.reverse().join(".")}.ip6.arpa`
}

/** The reverse names of an address. */
export const reverseNamesOf = (address: string) =>
  Effect.flatMap(DnsResolver, ({ names }) => names(reverseName(address)))

const timeout = "10 seconds"

/** The SPF result (RFC 7208 section 2.6) of mail from an address, with a domain in its reverse-path. */
export const spfOfSource = Effect.fnUntraced(function* (remoteAddress: string, domain: string, helo: string) {
  const checkWithDns = yield* makeCheckWithDns(timeout)
  const { result } = yield* checkWithDns(
    (answers) => Effect.promise(() => checkSpf({ helo, mailFrom: `postmaster@${domain}`, remoteAddress, answers })),
    (result) => ({ result, domain })
  )
  return result
})
