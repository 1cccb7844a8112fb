/**
 * The local domain of every installation, with the address of the first sender. The name is reserved (RFC 6761): it
 * can't be registered and does not resolve, so it counts as verified and has no DNS records.
 */
export const localDomain = "localhost.test"

/** Whether a domain is the local domain, or one below it, as in the first senders of later organizations. */
export const isLocalDomain = (domain: string): boolean => domain === localDomain || domain.endsWith(`.${localDomain}`)
