import { MessageId } from "@switchboard/domain/messages/Message"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

/** A message that an address names, and the domain that it was sent from. */
interface AddressedMessage {
  readonly messageId: MessageId
  readonly domain: string
}

const decodeId = Schema.decodeUnknownOption(MessageId)

/** Addresses `<prefix>+<message>.<signature>@<subdomain><domain>`. Case does not matter when one is parsed. */
const signedAddress = (purpose: string, prefix: string, subdomain: string) => {
  const form = new RegExp(
    `^${prefix}\\+([0-9a-f-]{36})\\.([0-9a-f]{20})@${subdomain.replaceAll(".", "\\.")}([a-z0-9.-]+)$`
  )
  return {
    make: (signatures: Context.Tag.Service<Signatures>, { domain, messageId }: AddressedMessage): string =>
      `${prefix}+${messageId}.${signatures.sign(purpose, messageId)}@${subdomain}${domain}`,
    /** None if the service has not made the address. */
    parse: (signatures: Context.Tag.Service<Signatures>, address: string): Option.Option<AddressedMessage> => {
      const [, id = "", signature = "", domain = ""] = form.exec(address.toLowerCase()) ?? []
      return signatures.verify(purpose, id, signature)
        ? Option.map(decodeId(id), (messageId) => ({ messageId, domain }))
        : Option.none()
    }
  }
}

/** The Reply-To of a message. It names the message even if a mail reader leaves out References and In-Reply-To. */
export const replyAddress = signedAddress("reply-address", "r", "")

/** The reverse-path of a message (RFC 5321 section 4.4), to which delivery status notifications come. */
export const returnPath = signedAddress("return-path", "b", "bounce.")
