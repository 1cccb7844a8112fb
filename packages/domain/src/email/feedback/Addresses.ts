const longestAddress = 320

/** The addresses in a text, as they are written there. Splits rather than searches: a text of strangers takes no longer than it is. */
export const addressesIn = (text: string): ReadonlyArray<string> =>
  text.split(/[\s<>()[\],;:"]+/).flatMap((word) => {
    const address = word.replace(/^[='`.]+/, "").replace(/['`.!?]+$/, "")
    const at = address.lastIndexOf("@")
    return at > 0 && at < address.length - 1 && address.length <= longestAddress ? [address] : []
  })

/** What an xtext (RFC 3461 section 4) stands for; some report it as they were given it. */
const fromXtext = (text: string): string =>
  text.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The address of a field like `rfc822; ada@example.com` (RFC 3464 section 2.1.2), in each way that it may be meant. */
export const typedAddresses = (value: string): ReadonlyArray<string> => {
  const [address] = addressesIn(value.slice(value.indexOf(";") + 1))
  if (address === undefined) return []
  const decoded = fromXtext(address)
  return decoded === address ? [address] : [address, decoded]
}
