/*
 * Forms of addresses as sources of regular expressions, for patterns of JSON Schema. A domain can have any characters
 * beyond ASCII: IDNA decides whether they form a domain (RFC 5891).
 */

/** The characters of an atom (RFC 5322 section 3.2.3). */
export const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"

// ASCII letters, digits and hyphens, each by the rest of ASCII: characters beyond ASCII match too.
const letter = "[^\\x00-@[-`{-\\x7f]"
const letterOrDigit = "[^\\x00-/:-@[-`{-\\x7f]"
const letterDigitOrHyphen = "[^\\x00-,./:-@[-`{-\\x7f]"

const label = `${letterOrDigit}(?:${letterDigitOrHyphen}{0,61}${letterOrDigit})?`

/** At least two labels, of which the last has a letter. */
export const domainForm = `(?:${label}\\.)+(?=[0-9-]*${letter})${label}`

/** The part before the `@`: 1 to 64 characters. */
export const localPartForm = `(?=[^@]{1,64}(?:@|$))${atom}(?:\\.${atom})*`

/** An address: `local@domain`. */
export const addressForm = `${localPartForm}@${domainForm}`
