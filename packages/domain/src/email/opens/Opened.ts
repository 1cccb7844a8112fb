import { DateTime } from "effect"
import type { Delivery } from "../../messages/delivery/Delivery.js"
import { move } from "../../messages/state/MessageMoves.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import { canMove } from "../../messages/state/MessageStatus.js"

/** A request for an image in a mail. Header names are in lower case. */
export interface ImageRequest {
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
 * Programs that load the images of a mail before it is opened. Gmail's proxy (`GoogleImageProxy`) is not one of them:
 * it loads an image when the mail is opened.
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

/** Whether a program requested an image before the mail was opened. */
export const isAutomatic = ({ headers, method }: ImageRequest): boolean => {
  // Only a GET loads the bytes to display.
  if (method !== "GET") return true
  if (purposeHeaders.some((name) => prefetching.test(headers[name] ?? ""))) return true
  const userAgent = (headers["user-agent"] ?? "").trim()
  return automaticFetchers.some((fetcher) => fetcher.userAgent.test(userAgent))
}

const isReadable = ({ status }: Delivery): boolean => status === "sent" || status === "delivered"

/**
 * Marks a delivery as read, by its index among the message's deliveries. The first one moves the message to `read`. A
 * delivery that is not `sent` or `delivered` does not change.
 */
export const opened = (state: MessageState, index: number, at: DateTime.Utc): MessageState => {
  const reader = state.deliveries[index]
  if (reader === undefined || !isReadable(reader)) return state
  const deliveries = state.deliveries.map(
    (delivery): Delivery =>
      delivery === reader ? { ...delivery, status: "read", at: DateTime.formatIso(at) } : delivery
  )
  return canMove(state.status, "read")
    ? move({ ...state, deliveries }, "read", at)
    : { ...state, deliveries, updatedAt: at }
}
