import type { EmailMetadata } from "../../messages/Message.js"

/** Ids that a reply names at most: of a longer line the first, which began it, and the latest. */
const longestLine = 50

/** What tells a mail reader which mail this one answers (RFC 5322 section 3.6.4). */
export const replyHeaders = ({ headers, messageId }: Pick<EmailMetadata, "headers" | "messageId">) => {
  const header = (wanted: string) => Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
  const before = header("references") ?? header("in-reply-to") ?? ""
  const [first, ...rest] = [...(before.match(/<[^<>\s]+>/g) ?? []), messageId]
  return {
    "In-Reply-To": messageId,
    References: [first, ...rest.slice(1 - longestLine)].join(" ")
  }
}
