/** The limits of a parsed mail. A mail beyond a limit is refused, or truncated if the limit is marked so. */
export const mailLimits = {
  /** Entities of the MIME tree. */
  parts: 1_000,
  depth: 32,
  /** Fields of the header of an entity. */
  headers: 1_000,
  /** The total of all parts, in bytes. */
  headerBytes: 128 * 1024,
  /** Characters of a text or HTML body; truncates. The raw mail has the rest. */
  body: 2_000_000,
  /** Addresses of a header field; truncates after the first ones. */
  addresses: 1_000,
  /** Message-IDs of References and In-Reply-To; the last ones are used, which are the nearest ancestors. */
  ids: 100
} as const

/** The mail exceeds a limit. */
export class MailLimitExceeded extends Error {}
