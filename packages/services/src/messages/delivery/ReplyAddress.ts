import { MessageId } from "@switchboard/domain/messages/Message"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

const purpose = "reply-address"
const form = /^r\+([0-9a-f-]{36})\.([0-9a-f]{20})@([a-z0-9.-]+)$/
const decodeId = Schema.decodeUnknownOption(MessageId)

/**
 * Where answers to a message go: `r+<message>.<signature>@<domain>`. Whatever a mail reader makes of the headers, it
 * answers to this address, which says what is answered. Nobody else can make one, and it means the same in whatever
 * case it returns.
 */
export const replyAddress = (
  signatures: Context.Tag.Service<Signatures>,
  messageId: MessageId,
  domain: string
): string => `r+${messageId}.${signatures.sign(purpose, messageId)}@${domain}`

/** The message that a reply address answers, and the domain that it was sent from; none if the address is not ours. */
export const parseReplyAddress = (
  signatures: Context.Tag.Service<Signatures>,
  address: string
): Option.Option<{ readonly messageId: MessageId; readonly domain: string }> => {
  const [, id = "", signature = "", domain = ""] = form.exec(address.toLowerCase()) ?? []
  return signatures.verify(purpose, id, signature)
    ? Option.map(decodeId(id), (messageId) => ({ messageId, domain }))
    : Option.none()
}
