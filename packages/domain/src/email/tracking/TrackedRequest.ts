/** A request for the tracking image or a tracked link of a mail. Header names are in lower case. */
export interface TrackedRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

interface AutomaticFetcher {
  readonly name: string
  /** Matches the header `User-Agent`. */
  readonly userAgent: RegExp
  /** How its requests are recognized as automatic. */
  readonly reason: string
}

/**
 * Programs that load the images of a mail before it is opened, or follow its links. Gmail's proxy (`GoogleImageProxy`)
 * is not one of them: it loads an image when the mail is opened.
 */
const automaticFetchers: ReadonlyArray<AutomaticFetcher> = [
  {
    name: "Apple Mail Privacy Protection",
    userAgent: /^Mozilla\/5\.0$/,
    reason: "loads every image soon after delivery with this user agent"
  },
  {
    name: "Yahoo",
    userAgent: /YahooMailProxy|Yahoo! Slurp/i,
    reason: "the proxy loads images before the mail is opened"
  },
  {
    name: "Outlook and Teams",
    userAgent: /BingPreview|SkypeUriPreview|Microsoft[ -]?(?:Preview|SafeLinks|Defender)/i,
    reason: "scan the links of a mail before it is shown"
  },
  {
    name: "security gateways",
    userAgent:
      /barracuda|proofpoint|mimecast|messagelabs|symantec|trendmicro|trend micro|ironport|fortiguard|fortimail|sophos|zscaler|fireeye|trellix|forcepoint|websense|checkpoint|kaspersky|virustotal|urlscan/i,
    reason: "scan incoming mail before it is delivered"
  },
  {
    name: "bots",
    userAgent: /bot(?:[/;)]|-|$)|crawler|spider|scanner|link ?preview|prefetch|headlesschrome|phantomjs/i,
    reason: "the user agent names an automatic client"
  }
]

/** Headers by which browsers announce prefetching. */
const purposeHeaders = ["purpose", "sec-purpose", "x-purpose", "x-moz"] as const
const prefetching = /prefetch|prerender|preview/i

/** The user agent of the local mailbox, which simulates a reader. */
export const mailboxUserAgent = "Switchboard-Local-Mailbox/1"

/** The client of a request, as far as its header fields show. */
export type RequestClient = "automatic" | "mailbox" | "other"

/** Recognizes programs that request images and links without a reader. */
export const requestClient = ({ headers, method }: TrackedRequest): RequestClient => {
  // Only a GET loads the bytes to display.
  if (method !== "GET") return "automatic"
  if (purposeHeaders.some((name) => prefetching.test(headers[name] ?? ""))) return "automatic"
  const userAgent = (headers["user-agent"] ?? "").trim()
  if (userAgent === mailboxUserAgent) return "mailbox"
  return automaticFetchers.some((fetcher) => fetcher.userAgent.test(userAgent)) ? "automatic" : "other"
}
