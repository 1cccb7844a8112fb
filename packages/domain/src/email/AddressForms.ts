/*
 * Forms of addresses as sources of regular expressions, for patterns of JSON Schema. They have no look-around, which RE2
 * and Rust lack. A domain can have any characters beyond ASCII: IDNA decides whether they form a domain (RFC 5891).
 */

/** The characters of an atom (RFC 5322 section 3.2.3). */
export const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"

// ASCII letters, digits and hyphens, each by the rest of ASCII: characters beyond ASCII match too.
const letter = "[^\\x00-@\\[-`{-\\x7f]"
const letterOrDigit = "[^\\x00-/:-@\\[-`{-\\x7f]"
const letterDigitOrHyphen = "[^\\x00-,./:-@\\[-`{-\\x7f]"

const label = `${letterOrDigit}(?:${letterDigitOrHyphen}{0,61}${letterOrDigit})?`

/** The characters up to the end of a label with a letter before them. */
const rest = (max: number) => `(?:${letterDigitOrHyphen}{0,${max}}${letterOrDigit})?`

/** A label with a letter: a first letter, or digits and hyphens before it. */
const labelWithLetter = `(?:${letter}${rest(61)}|[0-9][0-9-]{0,20}${letter}${rest(39)})`

/** At least two labels, of which the last has a letter. */
export const domainForm = `(?:${label}\\.)+${labelWithLetter}`

/** The part before the `@`. */
export const localPartForm = `${atom}(?:\\.${atom})*`

/** A further pattern of an address: 1 to 64 characters before the `@`. */
export const localPartLength = "^[^@]{1,64}@"

/** An address: `local@domain`. */
export const addressForm = `${localPartForm}@${domainForm}`
