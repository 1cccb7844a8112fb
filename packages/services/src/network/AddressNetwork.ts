/** Converts an IPv4-mapped IPv6 address to IPv4 (RFC 4291 section 2.5.5.2). */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, "")

const groupsOf = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)))

/** The key of rate limits: an IPv4 address, or the /64 network of an IPv6 address, because a host can use all of it. */
export const addressNetwork = (address: string): string => {
  const plain = plainAddress(address)
  if (!plain.includes(":")) return plain
  const [head = "", tail = ""] = plain.replace(/%.*$/, "").split("::")
  const [left, right] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => 0)
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")
}

/** Whether an address is one of this machine only (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3). */
export const isLoopbackAddress = (address: string): boolean => {
  const plain = plainAddress(address)
  return plain === "::1" || /^127(?:\.\d{1,3}){3}$/.test(plain)
}
