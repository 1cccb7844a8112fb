/** The headers of a mail with their names, unfolded (RFC 5322 section 2.2.3). */
export const parseHeaders = (mail: string): ReadonlyArray<readonly [string, string]> => {
  const [header = ""] = mail.split(/\r?\n\r?\n/, 1)
  return header
    .replace(/\r?\n(?=[ \t])/g, "")
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(":")
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const]
    })
}
