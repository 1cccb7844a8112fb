/** What an address is looked for by on the list of blocks: itself, and its domain, but no domain above that one. */
export interface BlockKeys {
  readonly address: string
  readonly domain: string
}

/** The keys of a recipient's address: in lower case, as sends tell recipients apart. */
export const blockKeys = (address: string): BlockKeys => {
  const key = address.toLowerCase()
  return { address: key, domain: key.slice(key.lastIndexOf("@") + 1) }
}
