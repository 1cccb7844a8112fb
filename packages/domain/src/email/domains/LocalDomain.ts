/**
 * The local domain of every installation, with the address of the first sender. The name is reserved (RFC 6761): it
 * can't be registered and does not resolve, so it counts as verified and has no DNS records.
 */
export const localDomain = "localhost.test"
