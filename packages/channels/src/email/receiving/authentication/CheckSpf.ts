import { isIP } from "node:net"
import { spf } from "mailauth/lib/spf/index.js"
import { type Checked, checkedWith, type DnsKnown } from "./DnsKnown.js"

export interface SpfQuestion {
  readonly remoteAddress: string
  readonly helo: string
  readonly mailFrom: string
  readonly known: ReadonlyArray<DnsKnown>
}

export interface SpfVerdict {
  readonly result: string
  /** The domain that was asked: of the reverse-path, or without one, what the client called itself. */
  readonly domain: string
}

/** SPF (RFC 7208) with the records that are known. */
export const checkSpf = ({ helo, known, mailFrom, remoteAddress }: SpfQuestion): Promise<Checked<SpfVerdict>> =>
  checkedWith(known, async (resolver) => {
    const ip = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, "")
    const path = mailFrom.replace(/^<|>$/g, "")
    const at = path.lastIndexOf("@")
    // A quoted local part may hold an @, which the macros of the library take for that before the domain.
    const sender = `${path.slice(0, Math.max(at, 0)).replaceAll("@", "=")}${path.slice(Math.max(at, 0))}`
    if (isIP(ip) === 0) return { result: "none", domain: "" }
    // Whoever writes a record may have our name put into it, and learns nothing by that.
    const { domain, status } = await spf({ ip, helo, sender, mta: "unknown", resolver })
    return { result: status.result, domain }
  })
