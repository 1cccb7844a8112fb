/** NUL and lone surrogates, which PostgreSQL can't store, and every other control character except tab, CR and LF. */
const unstorable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\p{Surrogate}/gu

/** Truncates untrusted text to `maxLength` UTF-16 units and replaces each unstorable character with U+FFFD. */
export const storableText = (text: string, maxLength = Number.POSITIVE_INFINITY): string =>
  (text.length <= maxLength ? text : text.slice(0, maxLength)).replace(unstorable, "\uFFFD")
