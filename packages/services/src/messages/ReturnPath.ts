import type { MessageId } from "@switchboard/domain/messages/Message"
import type { Context } from "effect"
import type { Signatures } from "../Signatures.js"

/**
 * Where what can't be delivered comes back: `b+<message>.<signature>@bounce.<domain>`. Nobody else can make such an
 * address, and it means the same in whatever case it returns.
 */
export const returnPath = (signatures: Context.Tag.Service<Signatures>, messageId: MessageId, domain: string): string =>
  `b+${messageId}.${signatures.sign("return-path", messageId)}@bounce.${domain}`
