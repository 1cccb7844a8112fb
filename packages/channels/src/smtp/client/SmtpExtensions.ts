/** The service extensions of an EHLO reply (RFC 5321 section 4.1.1.1): keyword to parameters, in upper case. */
export type SmtpExtensions = ReadonlyMap<string, string>

export const noExtensions: SmtpExtensions = new Map()

/** Parses the lines of an EHLO reply. The first line is the greeting. */
export const smtpExtensions = ([, ...lines]: ReadonlyArray<string>): SmtpExtensions =>
  new Map(
    lines.flatMap((line) => {
      const [keyword = "", ...parameters] = line.trim().toUpperCase().split(/[ =]+/)
      return keyword === "" ? [] : [[keyword, parameters.join(" ")] as const]
    })
  )
