import { MessageId } from "@switchboard/domain/messages/Message"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

/** A parsed unsubscribe address. The recipient is covered by the signature only. */
export interface UnsubscribeAddress {
  readonly messageId: MessageId
  readonly isFor: (recipient: string) => boolean
}

const purpose = "unsubscribe-address"
const form = /^u\+([0-9a-f-]{36})\.([0-9a-f]{20})@bounce\.[a-z0-9.-]+$/
const decodeId = Schema.decodeUnknownOption(MessageId)

const signedText = (messageId: MessageId, recipient: string): string => `${messageId}.${recipient}`

/**
 * Mail to `u+<message>.<signature>@bounce.<domain>` unsubscribes a recipient of the message. The recipient is part of
 * the signed text only, since a local part is limited to 64 octets (RFC 5321 section 4.5.3.1.1). Case does not matter.
 */
export const unsubscribeAddress = (
  signatures: Context.Tag.Service<Signatures>,
  messageId: MessageId,
  recipient: string,
  domain: string
): string => `u+${messageId}.${signatures.sign(purpose, signedText(messageId, recipient))}@bounce.${domain}`

/** None if the address has another form. `isFor` verifies its signature. */
export const parseUnsubscribeAddress = (
  signatures: Context.Tag.Service<Signatures>,
  address: string
): Option.Option<UnsubscribeAddress> => {
  const [, id = "", signature = ""] = form.exec(address.toLowerCase()) ?? []
  return Option.map(decodeId(id), (messageId) => ({
    messageId,
    isFor: (recipient) => signatures.verify(purpose, signedText(messageId, recipient), signature)
  }))
}
