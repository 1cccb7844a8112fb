import { isIP } from "node:net"
import { Context, Data, type Duration, Either } from "effect"
import ipaddr from "ipaddr.js"
import type { HostLookup } from "./HostLookup.js"

type Address = ReturnType<typeof ipaddr.parse>

/** A CIDR block. */
export type Network = readonly [first: Address, bits: number]

/** Whether an address may be called: `Public`, `Opened` by NETWORK_ALLOW, or `Forbidden` with the kind of address. */
export type Verdict = Data.TaggedEnum<{
  Public: object
  Opened: object
  Forbidden: { readonly kind: string }
}>

const Verdict = Data.taggedEnum<Verdict>()

/** The settings of a network policy. */
export interface NetworkPolicyOptions {
  /** The blocks of `NETWORK_ALLOW`. */
  readonly allow: ReadonlyArray<Network>
  /** The addresses of this machine. A public one is forbidden too: the connection would bypass the firewall. */
  readonly ownAddresses: () => ReadonlyArray<string>
}

/** Decides which addresses may be called. */
export interface NetworkPolicy {
  readonly verdict: (address: string) => Verdict
  /** Whether NETWORK_ALLOW has any block. */
  readonly opensAny: boolean
}

/** Texts by the ranges of ipaddr.js, which follow the IANA special-purpose address registries. */
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

/** Azure's platform service address, which is in a public range but reachable only by virtual machines. */
const cloudPlatform = "168.63.129.16"

/** The IPv6 global unicast block. The rest is reserved, and includes the IPv4-compatible `::/96`. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

const isWithin = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

const kindOf = (address: Address): string | null => {
  const range: string = address.range()
  if (range !== "unicast") return kinds[range] ?? reserved
  if (address.toString() === cloudPlatform) return "an address of the cloud platform"
  return address instanceof ipaddr.IPv6 && !isWithin(address, globalUnicast) ? reserved : null
}

/** Parses an address. A dotted IPv6 address is normalized first: ipaddr.js parses ::10.0.0.1 as IPv4-mapped. */
const addressOf = (text: string): Address => {
  const [address = text] = text.split("%")
  const folded = isIP(address) === 6 && address.includes(".")
  return ipaddr.parse(folded ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address)
}

/** Parses a CIDR block; an address without a prefix length is an error. */
export const parseNetwork = (text: string): Either.Either<Network, string> => {
  const [address = "", bits = ""] = text.split("/")
  return isIP(address) > 0 && ipaddr.isValidCIDR(text)
    ? Either.right([addressOf(address), Number(bits)])
    : Either.left(`must be a CIDR such as 127.0.0.0/8, got ${JSON.stringify(text)}`)
}

/** Allows public unicast addresses and the blocks of NETWORK_ALLOW, and forbids everything else. */
export const networkPolicy = ({ allow, ownAddresses }: NetworkPolicyOptions): NetworkPolicy => {
  const isOpened = (address: Address): boolean =>
    allow.some((network) => isWithin(address, network)) ||
    (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && isOpened(address.toIPv4Address()))

  const isOwn = (address: Address) =>
    ownAddresses().some((own) => isIP(own) > 0 && addressOf(own).toString() === address.toString())

  const verdict = (text: string): Verdict => {
    // ipaddr.js also parses 127.1 and 0x7f000001, which Node.js treats as names.
    if (isIP(text) === 0) return Verdict.Forbidden({ kind: "an unknown kind of address" })
    const address = addressOf(text)
    if (isOpened(address)) return Verdict.Opened()
    const kind = kindOf(address) ?? (isOwn(address) ? "an address of this machine" : null)
    return kind === null ? Verdict.Public() : Verdict.Forbidden({ kind })
  }

  return { verdict, opensAny: allow.length > 0 }
}

/** The name servers, and the networks that may be called. */
export class NetworkSettings extends Context.Tag("channels/NetworkSettings")<
  NetworkSettings,
  {
    /** `DNS_SERVERS`, such as `192.0.2.53:53`. Default: the name servers of this machine. */
    readonly dnsServers: ReadonlyArray<string>
    /** The timeout of one query, over all servers and aliases. Default: 10 seconds. */
    readonly dnsTimeout?: Duration.DurationInput
    /** `NETWORK_ALLOW` */
    readonly allow: ReadonlyArray<Network>
    /** Replaces the resolver of host names; for tests. */
    readonly hostLookup?: HostLookup
    /** The addresses of this machine. Default: those of its interfaces. */
    readonly ownAddresses?: () => ReadonlyArray<string>
  }
>() {}
