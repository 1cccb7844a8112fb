import { MessageId } from "@switchboard/domain/messages/Message"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

const purpose = "return-path"
const form = /^b\+([0-9a-f-]{36})\.([0-9a-f]{20})@bounce\.([a-z0-9.-]+)$/
const decodeId = Schema.decodeUnknownOption(MessageId)

/**
 * Where what can't be delivered comes back: `b+<message>.<signature>@bounce.<domain>`. Nobody else can make such an
 * address, and it means the same in whatever case it returns.
 */
export const returnPath = (signatures: Context.Tag.Service<Signatures>, messageId: MessageId, domain: string): string =>
  `b+${messageId}.${signatures.sign(purpose, messageId)}@bounce.${domain}`

/** The message of a return path, and the domain that it was sent from; none if the address is not ours. */
export const parseReturnPath = (
  signatures: Context.Tag.Service<Signatures>,
  address: string
): Option.Option<{ readonly messageId: MessageId; readonly domain: string }> => {
  const [, id = "", signature = "", domain = ""] = form.exec(address.toLowerCase()) ?? []
  return signatures.verify(purpose, id, signature)
    ? Option.map(decodeId(id), (messageId) => ({ messageId, domain }))
    : Option.none()
}
