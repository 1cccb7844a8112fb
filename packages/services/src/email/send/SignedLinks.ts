import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Context } from "effect"
import type { TakenOf } from "../../messages/delivery/DeliveryQueue.js"
import type { Signatures } from "../../SecretBox.js"

type Signs = Context.Tag.Service<typeof Signatures>

const purpose = "sender-confirmation"

const signed = (organization: string, subject: string, nonce: string) => `${organization}.${subject}.${nonce}`

/**
 * The placeholder of the signature in stored mail: the signature is added when the mail is sent, so that a reader of
 * messages can't follow the link.
 */
const unsigned = "signed-when-sent"

/** An internal header of mails with a signed link, which callers can't set. */
const header = "X-Switchboard-Confirmation"

/**
 * The token with the placeholder, and the header by which it is signed when the mail is sent. The subject is the id of the
 * sender, invitation or password reset that the link is for.
 */
export const unsignedToken = (organization: OrganizationId, subject: string, nonce: string) => ({
  token: `${organization}.${subject}.${unsigned}`,
  headers: { [header]: `${subject}.${nonce}` }
})

/** The token as it is sent. */
export const signedToken = (signatures: Signs, organization: OrganizationId, subject: string, nonce: string) =>
  `${organization}.${subject}.${signatures.sign(purpose, signed(organization, subject, nonce))}`

/** Whether a signature is that of a token. */
export const isSignatureOf = (
  signatures: Signs,
  organization: OrganizationId,
  subject: string,
  nonce: string,
  signature: string
) => signatures.verify(purpose, signed(organization, subject, nonce), signature)

/** The content of a mail as it is stored, with the placeholder in a signed link. */
export const unsignedContent = ({ addressing, content }: Pick<TakenOf<"email">, "addressing" | "content">) => {
  const { [header]: _, ...headers } = addressing.headers
  return { html: content.html, text: content.text, headers }
}

/** The content of a mail to send. The placeholder in a signed link is replaced; other mail is unchanged. */
export const signedContent = (
  signatures: Signs,
  { addressing, content, organizationId }: Pick<TakenOf<"email">, "addressing" | "content" | "organizationId">
) => {
  const { headers, html, text } = unsignedContent({ addressing, content })
  const { [header]: link } = addressing.headers
  if (link === undefined) return { html, text, headers }
  const [subject = "", nonce = ""] = link.split(".")
  const signature = signatures.sign(purpose, signed(organizationId, subject, nonce))
  return {
    html: html.replaceAll(unsigned, signature),
    text: text.replaceAll(unsigned, signature),
    headers
  }
}

/** A soft line break of quoted-printable (RFC 2045 section 6.7), which can be anywhere in a token. */
const softBreak = "(?:=\\r?\\n)?"

const hexadecimal = (digits: number) => `(?:[0-9a-f]${softBreak}){${digits}}`

const uuid = [8, 4, 4, 4, 12].map(hexadecimal).join(`-${softBreak}`)

/** A token with its signature, also in quoted-printable. */
const signedForm = new RegExp(`(${uuid}\\.${softBreak}${uuid}\\.${softBreak})${hexadecimal(20)}`, "g")

const softBreaks = /=\r?\n/g

/** The maximum number of characters of a link before its token. */
const maxLinkStart = 400

/** Replaces the signatures in the signed links of a host by the placeholder, in text or in a mail. */
export const unsignedLinks = (host: string) => (text: string) => {
  const isNamedIn = (part: string) => part.replaceAll(softBreaks, "").includes(host)
  if (!isNamedIn(text)) return text
  return text.replace(signedForm, (token: string, before: string, at: number) =>
    isNamedIn(text.slice(Math.max(0, at - maxLinkStart), at)) ? `${before}${unsigned}` : token
  )
}
