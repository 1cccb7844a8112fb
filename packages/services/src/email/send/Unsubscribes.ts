import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { unsubscribedCategories } from "@switchboard/domain/email/blocks/Suppression"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { marketing } from "@switchboard/domain/messages/Categories"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Effect, Option, Schema } from "effect"
import { isMarketing, type TakenMessage } from "../../messages/delivery/DeliveryQueue.js"
import { Messages } from "../../messages/Messages.js"
import { Signatures } from "../../SecretBox.js"
import { Blocks } from "../blocks/Blocks.js"

/** A recipient of a message to unsubscribe. */
export interface Unsubscribe {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly recipient: string
}

/** The path of the unsubscribe page. */
export const unsubscribePath = "/v1/email/unsubscribe"

const linkPurpose = "unsubscribe"

/** A signed token, safe in a URL. */
export const unsubscribeToken = (
  signatures: Context.Tag.Service<Signatures>,
  { messageId, organizationId, recipient }: Unsubscribe
): string => {
  const subject = `${messageId}.${organizationId}.${Buffer.from(recipient).toString("base64url")}`
  return `${subject}.${signatures.sign(linkPurpose, subject)}`
}

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ messageId: MessageId, organizationId: OrganizationId, recipient: EmailAddress })
)

/** None if the signature is invalid. */
export const parseUnsubscribeToken = (
  signatures: Context.Tag.Service<Signatures>,
  token: string
): Option.Option<Unsubscribe> => {
  const [messageId = "", organizationId = "", recipient = "", signature = "", ...rest] = token.split(".")
  return rest.length === 0 && signatures.verify(linkPurpose, `${messageId}.${organizationId}.${recipient}`, signature)
    ? decode({ messageId, organizationId, recipient: Buffer.from(recipient, "base64url").toString() })
    : Option.none()
}

/** A parsed unsubscribe address. The recipient is covered by the signature only. */
interface UnsubscribeAddress {
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

/** Unsubscribes recipients of marketing mail by link or by mail. */
export class Unsubscribes extends Effect.Service<Unsubscribes>()("services/Unsubscribes", {
  effect: Effect.gen(function* () {
    const blocks = yield* Blocks
    const messages = yield* Messages
    const signatures = yield* Signatures

    /** The message and recipient of an unsubscribe link. */
    const find = (token: string) =>
      Effect.mapError(
        parseUnsubscribeToken(signatures, token),
        () => new ResourceNotFoundError({ resource: "unsubscribe link", id: token })
      )

    /** The categories of the message. A deleted message counts as marketing, since only marketing mail has the link. */
    const categoriesOf = ({ messageId, organizationId }: Unsubscribe) =>
      messages.get(organizationId, messageId).pipe(
        Effect.map(({ categories }) => categories),
        Effect.catchTag("ResourceNotFoundError", () => Effect.succeed([marketing]))
      )

    /**
     * The recipient, and the categories that it would unsubscribe from. Changes nothing, since mail scanners follow
     * links.
     */
    const look = (subject: Unsubscribe) =>
      Effect.map(categoriesOf(subject), (categories) => ({
        recipient: subject.recipient,
        categories: unsubscribedCategories(categories)
      }))

    /** Blocks the recipient for mail of the message's categories. A repeat changes nothing. */
    const unsubscribe = Effect.fn("Unsubscribes.unsubscribe")(function* (subject: Unsubscribe) {
      const { messageId, organizationId, recipient } = subject
      const categories = yield* categoriesOf(subject)
      yield* blocks.unsubscribe(organizationId, recipient, categories, messageId)
      return { recipient, categories: unsubscribedCategories(categories) }
    })

    return { find, look, unsubscribe } as const
  })
}) {}

interface SendingMail {
  /** The domain of From. */
  readonly domain: string
  /** Whether this service receives mail to its return path. */
  readonly hasReturnPath: boolean
  /** The headers of the request. */
  readonly headers: Readonly<Record<string, string>>
}

const hasListId = (headers: SendingMail["headers"]) =>
  Object.keys(headers).some((name) => name.toLowerCase() === "list-id")

/**
 * The list headers of a marketing mail: List-Id (RFC 2919) if the request has none, and List-Unsubscribe with a one-click link (RFC 8058) and,
 * if the domain has a return path, a mail address (RFC 2369).
 */
export const unsubscribeHeaders = (
  signatures: Context.Tag.Service<Signatures>,
  publicUrl: string,
  { categories, messageId, organizationId }: Pick<TakenMessage, "categories" | "messageId" | "organizationId">,
  [recipient, ...others]: ReadonlyArray<string>,
  { domain, hasReturnPath, headers }: SendingMail
): Readonly<Record<string, string>> => {
  if (!isMarketing({ categories }) || recipient === undefined || others.length > 0) return {}
  const link = `${publicUrl}${unsubscribePath}?token=${unsubscribeToken(signatures, { messageId, organizationId, recipient })}`
  const uris = hasReturnPath ? [link, `mailto:${unsubscribeAddress(signatures, messageId, recipient, domain)}`] : [link]
  return {
    ...(hasListId(headers) ? {} : { "List-Id": `<${marketing}.${domain}>` }),
    "List-Unsubscribe": uris.map((uri) => `<${uri}>`).join(", "),
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
  }
}
