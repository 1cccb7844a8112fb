import { BlockList, isIP } from "node:net"
import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import { Option } from "effect"
import { pathOf, queryOf } from "./RequestTarget.js"

/** Whatever proves who somebody is stays out of what is stored. */
const secret = /key|auth|cookie|token|secret|csrf|password|signature/i

const longestValue = 500

/** Whether an address is one of the trusted proxies. */
export const trustedBy = (cidrs: ReadonlyArray<string>) => {
  if (cidrs.length === 0) return () => false
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = "", bits] = cidr.split("/")
    const family = isIP(network) === 6 ? "ipv6" : "ipv4"
    list.addSubnet(network, Number(bits ?? (family === "ipv6" ? 128 : 32)), family)
  }
  return (address: string) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")
}

/** A request, as far as something of it is kept. */
interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly remoteAddress: Option.Option<string>
}

const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, "")

/** The nearest address that is not one of our own proxies'. */
const callerAddress = (request: Asked, isTrusted: (address: string) => boolean) => {
  const socket = plain(Option.getOrElse(request.remoteAddress, () => ""))
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map((part) => plain(part.trim()))
  const hops = [...forwarded.filter((part) => isIP(part) !== 0), socket]
  return hops.reverse().find((hop) => !isTrusted(hop)) ?? socket
}

const cut = (entries: Iterable<readonly [string, string]>) =>
  Object.fromEntries(
    [...entries].filter(([name]) => !secret.test(name)).map(([name, value]) => [name, value.slice(0, longestValue)])
  )

/** What is kept of the request that made a message. */
export const requestMetadata = (request: Asked, isTrusted: (address: string) => boolean): ApiRequestMetadata => ({
  method: request.method,
  endpoint: pathOf(request.url),
  ipAddress: callerAddress(request, isTrusted),
  userAgent: (request.headers["user-agent"] ?? "").slice(0, longestValue),
  headers: cut(Object.entries(request.headers)),
  query: cut(queryOf(request.url))
})
