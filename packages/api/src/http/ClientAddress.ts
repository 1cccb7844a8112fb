import { BlockList, isIP } from "node:net"
import { Option } from "effect"

/** Returns a predicate: whether an address is in one of the networks (CIDR notation). */
export const isWithin = (cidrs: ReadonlyArray<string>) => {
  if (cidrs.length === 0) return () => false
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = "", bits] = cidr.split("/")
    const family = isIP(network) === 6 ? "ipv6" : "ipv4"
    list.addSubnet(network, Number(bits ?? (family === "ipv6" ? 128 : 32)), family)
  }
  return (address: string) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")
}

/** The parts of a request that determine its client address. */
export interface AddressedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly remoteAddress: Option.Option<string>
}

/** Converts an IPv4-mapped IPv6 address to IPv4 (RFC 4291 section 2.5.5.2). */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, "")

/** The address of a hop, which some proxies write with its port, and IPv6 in brackets. */
const hopAddress = (hop: string): string => {
  const [, bracketed, ipv4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop) ?? []
  return plainAddress(bracketed ?? ipv4 ?? hop)
}

/** The hops of `Forwarded` (RFC 7239): the parameter `for` of each element. */
const forwardedHops = (header: string): ReadonlyArray<string> =>
  header.split(",").flatMap((element) => {
    const [, quoted, token] = /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^;"\s]*))/i.exec(element) ?? []
    return quoted ?? token ?? []
  })

/**
 * The last address of `X-Forwarded-For`, or else of `Forwarded`, and the connection that is not a trusted proxy. A proxy
 * must replace or remove the header that it does not set.
 */
export const clientAddress = (request: AddressedRequest, isTrusted: (address: string) => boolean): string => {
  const socket = plainAddress(Option.getOrElse(request.remoteAddress, () => ""))
  const { forwarded = "", "x-forwarded-for": header } = request.headers
  const named = header === undefined ? forwardedHops(forwarded) : header.split(",")
  const hops = [...named.map((hop) => hopAddress(hop.trim())).filter((hop) => isIP(hop) !== 0), socket]
  return hops.reverse().find((hop) => !isTrusted(hop)) ?? socket
}

const groupsOf = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)))

/** The key of rate limits: an IPv4 address, or the /64 network of an IPv6 address, because a host can use all of it. */
export const addressNetwork = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = "", tail = ""] = address.replace(/%.*$/, "").split("::")
  const [left, right] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => 0)
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")
}
