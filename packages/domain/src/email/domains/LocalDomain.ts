/**
 * The domain of every installation's own, at which its first sender is. The name is reserved (RFC 6761): nobody can own
 * it, and no name server knows it. So the operator vouches for it, and no record of it is asked for.
 */
export const localDomain = "localhost.test"
