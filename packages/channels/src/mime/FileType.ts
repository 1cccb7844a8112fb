const lineLimit = 998
const CR = 13
const LF = 10

/** Whether SMTP carries these octets as they are: seven bits, lines of at most 998 octets, each ended by CR LF. */
const passesPlain = (content: Uint8Array): boolean => {
  let line = 0
  for (let at = 0; at < content.length; at++) {
    const octet = content[at] ?? 0
    if (octet === CR && content[at + 1] === LF) {
      at++
      line = 0
    } else if (octet === 0 || octet === CR || octet === LF || octet > 127 || ++line > lineLimit) {
      return false
    }
  }
  return true
}

/**
 * The type that a file goes out with. Whatever is a mail (RFC 2046, 5.2.1) or consists of parts (5.1) must not be encoded
 * on its way, so what could not pass unencoded is brought as octets, which its name still tells apart.
 */
export const fileType = (contentType: string, content: Uint8Array): string => {
  const isMail = /^message\//i.test(contentType)
  const isParts = /^multipart\//i.test(contentType)
  return isParts || (isMail && !passesPlain(content)) ? "application/octet-stream" : contentType
}
