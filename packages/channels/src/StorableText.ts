/** NUL and lone surrogates, which PostgreSQL can't hold, and all other control characters but tab and line ends. */
const unstorable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\p{Surrogate}/gu

/** Text from outside as it may be stored and shown: each unstorable character is replaced, and the length is bounded. */
export const storableText = (text: string, maxLength = Number.POSITIVE_INFINITY): string =>
  (text.length <= maxLength ? text : text.slice(0, maxLength)).replace(unstorable, "\uFFFD")
