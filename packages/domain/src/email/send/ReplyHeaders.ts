import { maxHeaderWord } from "../../messages/EmailHeaders.js"
import type { EmailMetadata } from "../../messages/Message.js"

/** Ids that a reply names at most: of a longer line the first, which began it, and the latest. */
const longestLine = 50

/** The ids of what a mail refers to, the first one first; of what it answers, where it names nothing else. */
export const idsBefore = ({ headers }: Pick<EmailMetadata, "headers">): ReadonlyArray<string> => {
  const header = (wanted: string) => Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
  const before = header("references") ?? header("in-reply-to") ?? ""
  return before.match(/<[^<>\s]+>/g) ?? []
}

/** Whether a header can have an id: other mail servers' ids may be of any length and of other characters than ASCII. */
const canStand = (id: string): boolean => id.length <= maxHeaderWord && /^<[!-~]+>$/.test(id)

/** What tells a mail reader which mail this one answers (RFC 5322 section 3.6.4); a mail may have no Message-ID. */
export const replyHeaders = (
  answered: Pick<EmailMetadata, "headers" | "messageId">
): { readonly "In-Reply-To"?: string; readonly References?: string } => {
  const { messageId } = answered
  const line = [...idsBefore(answered), messageId].filter(canStand)
  const [first, ...rest] = line
  return {
    ...(canStand(messageId) ? { "In-Reply-To": messageId } : {}),
    ...(first === undefined ? {} : { References: [first, ...rest.slice(1 - longestLine)].join(" ") })
  }
}
