/** An address with an optional display name. */
export interface Mailbox {
  readonly address: string
  readonly name?: string
}

/** Parses `ada@example.com`, or an address with a name: `Ada <ada@example.com>`. */
export const parseMailbox = (text: string): Mailbox => {
  const [, name = "", address = text.trim()] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? []
  return name === "" ? { address } : { address, name: name.replace(/^"(.*)"$/, "$1") }
}

/** The text that `parseMailbox` parses. */
export const mailboxText = (address: string, name: string | undefined): string =>
  name === undefined || name === "" ? address : `${name} <${address}>`
