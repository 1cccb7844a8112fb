/** What is known of a request for an image in a mail. Names of headers are in lower case. */
export interface ImageRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

interface Automaton {
  readonly name: string
  /** What it calls itself in `User-Agent`. */
  readonly userAgent: RegExp
  readonly why: string
}

/**
 * Who is known to load the images of mail that nobody reads at that moment. Gmail's proxy (`GoogleImageProxy`) is not
 * among them: it asks when the mail is opened. Nor are programs in general: who reads mail with one reads it.
 */
export const automata: ReadonlyArray<Automaton> = [
  {
    name: "Apple Mail Privacy Protection",
    userAgent: /^Mozilla\/5\.0$/,
    why: "loads every image soon after the mail has come, whether it is ever read, and calls itself nothing else"
  },
  {
    name: "Yahoo",
    userAgent: /YahooMailProxy|Yahoo! Slurp/i,
    why: "its proxy loads images ahead, to have them when somebody reads"
  },
  {
    name: "Outlook and Teams",
    userAgent: /BingPreview|SkypeUriPreview|Microsoft[ -]?(?:Preview|SafeLinks|Defender)/i,
    why: "they look at what a mail leads to before it is shown, to warn of it"
  },
  {
    name: "security gateways",
    userAgent:
      /barracuda|proofpoint|mimecast|messagelabs|symantec|trendmicro|trend micro|ironport|fortiguard|fortimail|sophos|zscaler|fireeye|trellix|forcepoint|websense|checkpoint|kaspersky|virustotal|urlscan/i,
    why: "they examine what comes in before anybody may read it"
  },
  {
    name: "bots",
    userAgent: /bot(?:[/;)]|-|$)|crawler|spider|scanner|link ?preview|prefetch|headlesschrome|phantomjs/i,
    why: "they say themselves that nobody looks"
  }
]

/** Browsers say by these that they load something which may never be looked at. */
const purposes = ["purpose", "sec-purpose", "x-purpose", "x-moz"] as const
const ahead = /prefetch|prerender|preview/i

/** Whether an image was asked for by a program ahead of its reader, or to examine the mail. */
export const isAutomatic = ({ headers, method }: ImageRequest): boolean => {
  // To show an image takes its bytes.
  if (method !== "GET") return true
  if (purposes.some((name) => ahead.test(headers[name] ?? ""))) return true
  const userAgent = (headers["user-agent"] ?? "").trim()
  return automata.some((automaton) => automaton.userAgent.test(userAgent))
}
