import { MessageId } from "@switchboard/domain/messages/Message"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../SecretBox.js"

/** The message and the sending domain of a signed address. */
interface AddressedMessage {
  readonly messageId: MessageId
  readonly domain: string
}

const decodeId = Schema.decodeUnknownOption(MessageId)

/** Makes and parses addresses `<prefix>+<message>.<signature>@<subdomain><domain>`. Parsing ignores case. */
const signedAddress = (purpose: string, prefix: string, subdomain: string) => {
  const form = new RegExp(
    `^${prefix}\\+([0-9a-f-]{36})\\.([0-9a-f]{20})@${subdomain.replaceAll(".", "\\.")}([a-z0-9.-]+)$`
  )
  return {
    make: (signatures: Context.Tag.Service<Signatures>, { domain, messageId }: AddressedMessage): string =>
      `${prefix}+${messageId}.${signatures.sign(purpose, messageId)}@${subdomain}${domain}`,
    /** None if the signature is invalid. */
    parse: (signatures: Context.Tag.Service<Signatures>, address: string): Option.Option<AddressedMessage> => {
      const [, id = "", signature = "", domain = ""] = form.exec(address.toLowerCase()) ?? []
      return signatures.verify(purpose, id, signature)
        ? Option.map(decodeId(id), (messageId) => ({ messageId, domain }))
        : Option.none()
    }
  }
}

/** The Reply-To of a message. It identifies the message even if a mail client omits References and In-Reply-To. */
export const replyAddress = signedAddress("reply-address", "r", "")

/** The reverse-path of a message (RFC 5321 section 4.4), to which delivery status notifications are sent. */
export const returnPath = signedAddress("return-path", "b", "bounce.")
