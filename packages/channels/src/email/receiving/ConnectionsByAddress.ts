import ipaddr from "ipaddr.js"

/** Whoever has one IPv6 address has at least 2^64 of them: those count as one. */
const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === "ipv6" ? ipaddr.parseCIDR(`${parsed.toString()}/64`).join() : parsed.toString()
}

/** How many of these connections come from where this one comes from. */
export const connectionsFrom = (address: string, connections: Iterable<{ readonly remoteAddress: string }>): number => {
  const network = networkOf(address)
  let count = 0
  for (const { remoteAddress } of connections) if (networkOf(remoteAddress) === network) count += 1
  return count
}
