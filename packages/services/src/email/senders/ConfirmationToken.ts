import { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Context } from "effect"
import { Option, Schema } from "effect"
import type { TakenMessage } from "../../messages/delivery/DeliveryQueue.js"
import type { Signatures } from "../../Signatures.js"

type Signs = Context.Tag.Service<typeof Signatures>

const purpose = "sender-confirmation"

const signed = (organization: string, sender: string, nonce: string) => `${organization}.${sender}.${nonce}`

/** What a confirmation's link names. */
export interface ConfirmationToken {
  readonly organization: OrganizationId
  readonly sender: EmailSenderId
  readonly signature: string
}

const Parts = Schema.decodeUnknownOption(Schema.Tuple(OrganizationId, EmailSenderId, Schema.String))

/** Takes a token apart; none if it can't be one. */
export const parseToken = (text: string): Option.Option<ConfirmationToken> =>
  Option.map(Parts(text.split(".")), ([organization, sender, signature]) => ({ organization, sender, signature }))

/** Whether a token was made for this confirmation. */
export const isTokenOf = (signatures: Signs, { organization, sender, signature }: ConfirmationToken, nonce: string) =>
  signatures.verify(purpose, signed(organization, sender, nonce), signature)

/** Stands in a stored mail where its token has the signature: who may read messages may not confirm by that. */
const unsigned = "signed-when-sent"

/** Callers can't set it: it says that a mail is a confirmation, and of what. */
const header = "X-Switchboard-Confirmation"

/** The token that is stored, and the header that has it signed when the mail goes out. */
export const unsignedToken = (organization: OrganizationId, sender: EmailSenderId, nonce: string) => ({
  token: `${organization}.${sender}.${unsigned}`,
  headers: { [header]: `${sender}.${nonce}` }
})

/** What a mail says as it goes out: a confirmation's link gets its signature, any other mail stays as it is. */
export const signedContent = (
  signatures: Signs,
  { addressing, content, organizationId }: Pick<TakenMessage, "addressing" | "content" | "organizationId">
) => {
  const { [header]: confirmation, ...headers } = addressing.headers
  if (confirmation === undefined) return { html: content.html, text: content.text, headers }
  const [sender = "", nonce = ""] = confirmation.split(".")
  const signature = signatures.sign(purpose, signed(organizationId, sender, nonce))
  return {
    html: content.html.replaceAll(unsigned, signature),
    text: content.text.replaceAll(unsigned, signature),
    headers
  }
}
