import { maxHeaderWord } from "../../messages/EmailHeaders.js"
import type { EmailMetadata } from "../../messages/Message.js"

/** The maximum number of ids in the `References` header of a reply. A longer list keeps the first and the latest. */
const maxReferences = 50

/** The message ids that a mail refers to, oldest first: its `References`, else its `In-Reply-To`. */
export const ancestorIds = ({ headers }: Pick<EmailMetadata, "headers">): ReadonlyArray<string> => {
  const header = (wanted: string) => Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
  const before = header("references") ?? header("in-reply-to") ?? ""
  return before.match(/<[^<>\s]+>/g) ?? []
}

/** Whether an id fits into a header: ids of other servers may be too long or contain non-ASCII characters. */
const isHeaderId = (id: string): boolean => id.length <= maxHeaderWord && /^<[!-~]+>$/.test(id)

/** The headers that relate a reply to its parent (RFC 5322 section 3.6.4). The parent may have no Message-ID. */
export const replyHeaders = (
  parent: Pick<EmailMetadata, "headers" | "messageId">
): { readonly "In-Reply-To"?: string; readonly References?: string } => {
  const { messageId } = parent
  const line = [...ancestorIds(parent), messageId].filter(isHeaderId)
  const [first, ...rest] = line
  return {
    ...(isHeaderId(messageId) ? { "In-Reply-To": messageId } : {}),
    ...(first === undefined ? {} : { References: [first, ...rest.slice(1 - maxReferences)].join(" ") })
  }
}
