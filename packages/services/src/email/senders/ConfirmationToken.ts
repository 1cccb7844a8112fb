import { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Option, Schema } from "effect"
import type { TakenMessage } from "../../messages/delivery/DeliveryQueue.js"
import type { Signatures } from "../../Signatures.js"

type Signs = Context.Tag.Service<typeof Signatures>

const purpose = "sender-confirmation"

const signed = (organization: string, sender: string, nonce: string) => `${organization}.${sender}.${nonce}`

/** The parsed token of a confirmation link. */
export interface ConfirmationToken {
  readonly organization: OrganizationId
  readonly sender: EmailSenderId
  readonly signature: string
}

const Parts = Schema.decodeUnknownOption(Schema.Tuple(OrganizationId, EmailSenderId, Schema.String))

/** Parses a token without verifying its signature; none if it is malformed. */
export const parseToken = (text: string): Option.Option<ConfirmationToken> =>
  Option.map(Parts(text.split(".")), ([organization, sender, signature]) => ({ organization, sender, signature }))

/** Whether a token was signed for this confirmation. */
export const isTokenOf = (signatures: Signs, { organization, sender, signature }: ConfirmationToken, nonce: string) =>
  signatures.verify(purpose, signed(organization, sender, nonce), signature)

/**
 * The placeholder of the signature in stored mail: the signature is added when the mail is sent, so that a reader of
 * messages can't confirm the address.
 */
const unsigned = "signed-when-sent"

/** An internal header of confirmation mails, which callers can't set. */
const header = "X-Switchboard-Confirmation"

/** The token with the placeholder, and the header by which it is signed when the mail is sent. */
export const unsignedToken = (organization: OrganizationId, sender: EmailSenderId, nonce: string) => ({
  token: `${organization}.${sender}.${unsigned}`,
  headers: { [header]: `${sender}.${nonce}` }
})

/** The content of a mail as it is stored, with the placeholder in a confirmation mail. */
export const unsignedContent = ({ addressing, content }: Pick<TakenMessage, "addressing" | "content">) => {
  const { [header]: _, ...headers } = addressing.headers
  return { html: content.html, text: content.text, headers }
}

/**
 * The content of a mail to send. The placeholder in a confirmation mail is replaced by its signature; other mail is
 * unchanged.
 */
export const signedContent = (
  signatures: Signs,
  { addressing, content, organizationId }: Pick<TakenMessage, "addressing" | "content" | "organizationId">
) => {
  const { headers, html, text } = unsignedContent({ addressing, content })
  const { [header]: confirmation } = addressing.headers
  if (confirmation === undefined) return { html, text, headers }
  const [sender = "", nonce = ""] = confirmation.split(".")
  const signature = signatures.sign(purpose, signed(organizationId, sender, nonce))
  return {
    html: html.replaceAll(unsigned, signature),
    text: text.replaceAll(unsigned, signature),
    headers
  }
}
