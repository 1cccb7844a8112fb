import ipaddr from "ipaddr.js"

/** The address of an IPv4 client, the /64 of an IPv6 client: one host can use every address of its /64. */
const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === "ipv6" ? ipaddr.parseCIDR(`${parsed.toString()}/64`).join() : parsed.toString()
}

/** Counts the connections from the same IPv4 address or IPv6 /64 as `address`. */
export const countConnections = (
  address: string,
  connections: Iterable<{ readonly remoteAddress: string }>
): number => {
  const network = networkOf(address)
  let count = 0
  for (const { remoteAddress } of connections) if (networkOf(remoteAddress) === network) count += 1
  return count
}
