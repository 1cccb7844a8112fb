const maxAddressLength = 320

/** The addresses in a text. The text is split rather than searched: untrusted input can't cause backtracking. */
export const addressesIn = (text: string): ReadonlyArray<string> =>
  text.split(/[\s<>()[\],;:"]+/).flatMap((word) => {
    const address = word.replace(/^[='`.]+/, "").replace(/['`.!?]+$/, "")
    const at = address.lastIndexOf("@")
    return at > 0 && at < address.length - 1 && address.length <= maxAddressLength ? [address] : []
  })

/** Decodes xtext (RFC 3461 section 4). Some servers report an address without decoding it. */
const fromXtext = (text: string): string =>
  text.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The address of a field like `rfc822; ada@example.com` (RFC 3464 section 2.1.2), as written and decoded. */
export const typedAddresses = (value: string): ReadonlyArray<string> => {
  const [address] = addressesIn(value.slice(value.indexOf(";") + 1))
  if (address === undefined) return []
  const decoded = fromXtext(address)
  return decoded === address ? [address] : [address, decoded]
}
