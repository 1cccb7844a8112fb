import { isIPv6 } from "node:net"
import { isLoopbackAddress } from "@switchboard/services/network/AddressNetwork"
import { Option, Redacted } from "effect"

/** Whether only this machine reaches an address or a host name (RFC 6761 section 6.3). */
export const isLoopback = (host: string): boolean => host === "localhost" || isLoopbackAddress(host)

/** The addresses of one interface for those of all interfaces, which clients can't connect to everywhere. */
const loopbackOf: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/** The URL of a listener for clients on the same machine. */
export const listenerUrl = (host: string, port: number): string => {
  const address = loopbackOf[host] ?? host
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
}

/** The host of a listener for clients on other machines: that of the base URL if it listens on all interfaces. */
export const publicHost = (host: string, url: string): string =>
  loopbackOf[host] === undefined ? host : new URL(url).hostname.replace(/^\[|\]$/g, "")

/** The base URL of the service, without a slash at the end: `PUBLIC_URL`, or that of its listener. */
export const baseUrl = ({
  host,
  port,
  publicUrl
}: {
  readonly host: string
  readonly port: number
  readonly publicUrl: Option.Option<Redacted.Redacted>
}): string =>
  Option.match(publicUrl, {
    onNone: () => listenerUrl(host, port),
    onSome: (url) => Redacted.value(url).replace(/\/+$/, "")
  })
