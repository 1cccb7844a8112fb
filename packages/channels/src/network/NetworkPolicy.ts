import { isIP } from "node:net"
import { Data, Either } from "effect"
import ipaddr from "ipaddr.js"

type Address = ReturnType<typeof ipaddr.parse>

/** A block of addresses, as a CIDR names it. */
export type Network = readonly [first: Address, bits: number]

/** Whether an address may be dialled: it is public, the operator opened it, or it may not, being of some other kind. */
export type Verdict = Data.TaggedEnum<{
  Public: object
  Opened: object
  Forbidden: { readonly kind: string }
}>

const Verdict = Data.taggedEnum<Verdict>()

/** What decides which addresses may be dialled. */
export interface NetworkPolicyOptions {
  /** `NETWORK_ALLOW` */
  readonly allow: ReadonlyArray<Network>
  /** The addresses of this machine: even a public one leads behind what guards it from outside. */
  readonly ownAddresses: () => ReadonlyArray<string>
}

/** Says of addresses whether they may be dialled. */
export interface NetworkPolicy {
  readonly verdict: (address: string) => Verdict
  /** Whether the operator opened anything at all. */
  readonly opensAny: boolean
}

/** What people call the ranges of the registries of special-purpose addresses. */
const kinds: Readonly<Record<string, string>> = {
  unspecified: "an unspecified address",
  broadcast: "the broadcast address",
  multicast: "a multicast address",
  linkLocal: "a link-local address",
  loopback: "a loopback address",
  carrierGradeNat: "a carrier-grade NAT address",
  private: "a private address",
  uniqueLocal: "a unique local address",
  deprecatedSiteLocal: "a site-local address",
  ipv4Mapped: "an IPv4-mapped address",
  rfc6145: "an IPv4-translated address",
  rfc6052: "a NAT64 address",
  "6to4": "a 6to4 address",
  teredo: "a Teredo address",
  discard: "a discard-only address",
  benchmarking: "a benchmarking address",
  amt: "an AMT address",
  as112: "an AS112 address",
  as112v6: "an AS112 address",
  deprecatedOrchid: "an ORCHID address",
  orchid2: "an ORCHID address",
  droneRemoteIdProtocolEntityTags: "a drone's remote id",
  segmentRouting: "a segment routing address"
}

const reserved = "a reserved address"

/** Where a cloud answers its own virtual machines, on an address that is public by its number. */
const cloudPlatform = "168.63.129.16"

/** All that IANA has given out for unicast so far; the rest holds `::/96` and whatever is invented next. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

const within = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

const kindOf = (address: Address): string | null => {
  const range: string = address.range()
  if (range !== "unicast") return kinds[range] ?? reserved
  if (address.toString() === cloudPlatform) return "an address of the cloud platform"
  return address instanceof ipaddr.IPv6 && !within(address, globalUnicast) ? reserved : null
}

/** Reads an address; the dotted end of an IPv6 one is folded first, for the library takes ::10.0.0.1 to be mapped. */
const addressOf = (text: string): Address => {
  const [address = text] = text.split("%")
  const folded = isIP(address) === 6 && address.includes(".")
  return ipaddr.parse(folded ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address)
}

/** Reads a CIDR; an address alone is none. */
export const parseNetwork = (text: string): Either.Either<Network, string> => {
  const [address = "", bits = ""] = text.split("/")
  return isIP(address) > 0 && ipaddr.isValidCIDR(text)
    ? Either.right([addressOf(address), Number(bits)])
    : Either.left(`must be a CIDR such as 127.0.0.0/8, got ${JSON.stringify(text)}`)
}

/** Public unicast addresses may be dialled, and what the operator opened; everything else is somebody's inside. */
export const networkPolicy = ({ allow, ownAddresses }: NetworkPolicyOptions): NetworkPolicy => {
  const opened = (address: Address): boolean =>
    allow.some((network) => within(address, network)) ||
    (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && opened(address.toIPv4Address()))

  const isOwn = (address: Address) =>
    ownAddresses().some((own) => isIP(own) > 0 && addressOf(own).toString() === address.toString())

  const verdict = (text: string): Verdict => {
    // The library would also read 127.1 and 0x7f000001: what a dialler takes for a name is none of an address.
    if (isIP(text) === 0) return Verdict.Forbidden({ kind: "an unknown kind of address" })
    const address = addressOf(text)
    if (opened(address)) return Verdict.Opened()
    const kind = kindOf(address) ?? (isOwn(address) ? "an address of this machine" : null)
    return kind === null ? Verdict.Public() : Verdict.Forbidden({ kind })
  }

  return { verdict, opensAny: allow.length > 0 }
}
