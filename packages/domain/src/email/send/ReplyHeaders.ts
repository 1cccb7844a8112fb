import { maxHeaderWord } from "../../messages/EmailHeaders.js"
import type { EmailMetadata } from "../../messages/Message.js"
import type { ThreadHints } from "../threads/ThreadMatching.js"

/** The maximum number of ids in the `References` header of a reply. A longer list keeps the first and the latest. */
const maxReferences = 50

type Headers = EmailMetadata["headers"]

const header = (headers: Headers, wanted: string): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]

const idsIn = (value = ""): ReadonlyArray<string> => value.match(/<[^<>\s]+>/g) ?? []

/** The message ids that a mail refers to, oldest first: its `References`, else its `In-Reply-To`. */
export const ancestorIds = ({ headers }: Pick<EmailMetadata, "headers">): ReadonlyArray<string> =>
  idsIn(header(headers, "references") ?? header(headers, "in-reply-to"))

/** The message ids by which the headers of a send name its parent. */
export const parentIds = (headers: Headers): Pick<ThreadHints, "inReplyTo" | "references"> => ({
  inReplyTo: idsIn(header(headers, "in-reply-to")),
  references: idsIn(header(headers, "references"))
})

/** Whether an id fits into a header: ids of other servers may be too long or contain non-ASCII characters. */
const isHeaderId = (id: string): boolean => id.length <= maxHeaderWord && /^<[!-~]+>$/.test(id)

/**
 * The headers that relate a reply to its parent (RFC 5322 section 3.6.4), without those of the request. The parent may
 * have no Message-ID.
 */
export const replyHeaders = (
  parent: Pick<EmailMetadata, "headers" | "messageId">,
  own: Headers = {}
): { readonly "In-Reply-To"?: string; readonly References?: string } => {
  const { messageId } = parent
  const line = [...ancestorIds(parent), messageId].filter(isHeaderId)
  const [first, ...rest] = line
  return {
    ...(isHeaderId(messageId) && header(own, "in-reply-to") === undefined ? { "In-Reply-To": messageId } : {}),
    ...(first === undefined || header(own, "references") !== undefined
      ? {}
      : { References: [first, ...rest.slice(1 - maxReferences)].join(" ") })
  }
}
