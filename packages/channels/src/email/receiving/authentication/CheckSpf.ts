import { isIP } from "node:net"
import { spf } from "mailauth/lib/spf/index.js"
import { type CheckResult, checkWithAnswers, type DnsAnswer } from "./CheckWithDns.js"

export interface SpfInput {
  readonly remoteAddress: string
  readonly helo: string
  readonly mailFrom: string
  readonly answers: ReadonlyArray<DnsAnswer>
}

export interface SpfVerdict {
  readonly result: string
  /** The domain that was checked: of the reverse-path, or the HELO name if the reverse-path is null. */
  readonly domain: string
}

/** Evaluates SPF (RFC 7208) with the DNS answers so far. */
export const checkSpf = ({ answers, helo, mailFrom, remoteAddress }: SpfInput): Promise<CheckResult<SpfVerdict>> =>
  checkWithAnswers(answers, async (resolver) => {
    const ip = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, "")
    const path = mailFrom.replace(/^<|>$/g, "")
    const at = path.lastIndexOf("@")
    // A quoted local part may contain an @, which mailauth's macro expansion would split at.
    const sender = `${path.slice(0, Math.max(at, 0)).replaceAll("@", "=")}${path.slice(Math.max(at, 0))}`
    if (isIP(ip) === 0) return { result: "none", domain: "" }
    // The %{r} macro would send our host name to the owner of the record.
    const { domain, status } = await spf({ ip, helo, sender, mta: "unknown", resolver })
    return { result: status.result, domain }
  })
