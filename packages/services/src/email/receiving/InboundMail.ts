import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"
import type { Unsubscribe } from "../send/Unsubscribes.js"

/** The kind of an address that accepts mail. Mail to other addresses is rejected in the SMTP session. */
export type RecipientKind =
  /** A receiving address of a domain. `isForReports`: the address of its DMARC and TLS reports. */
  | { readonly _tag: "Address"; readonly domainId: EmailDomainId; readonly isForReports?: boolean | undefined }
  /** An address that only the domain's catch-all accepts. */
  | { readonly _tag: "CatchAll"; readonly domainId: EmailDomainId }
  /** A signed reply address: `r+<message>.<signature>@<domain>`. */
  | { readonly _tag: "Reply"; readonly messageId: MessageId }
  /** A signed return path: `b+<message>.<signature>@bounce.<domain>`. */
  | { readonly _tag: "Bounce"; readonly messageId: MessageId }
  /** A signed return path of forwarded mail: `f+<forwarding>.<signature>@bounce.<domain>`. */
  | { readonly _tag: "Forwarded"; readonly forwardingId: ForwardingId }

/** Whether the address is a return path. A report to it is not received. */
export const isReturnPath = ({ _tag }: RecipientKind): boolean => _tag === "Bounce" || _tag === "Forwarded"

/** Whether the address is that of a domain's reports. A report to it is not received. */
export const isReportAddress = (kind: RecipientKind): boolean => kind._tag === "Address" && kind.isForReports === true

/** Whether the address is signed for one message. */
export const isSigned = (kind: RecipientKind): kind is Extract<RecipientKind, { readonly messageId: MessageId }> =>
  kind._tag === "Reply" || kind._tag === "Bounce"

/** An address that accepts mail, with its organization. */
export interface InboundRecipient<Kind = RecipientKind> {
  readonly organizationId: OrganizationId
  readonly address: EmailAddress
  readonly kind: Kind
}

/** A signed unsubscribe address: `u+<message>.<signature>@bounce.<domain>`. Mail to it is not stored. */
export type UnsubscribeRecipient = InboundRecipient<{ readonly _tag: "Unsubscribe"; readonly subject: Unsubscribe }>

/** Whether the address is a signed unsubscribe address. */
export const isUnsubscribe = (recipient: InboundRecipient | UnsubscribeRecipient): recipient is UnsubscribeRecipient =>
  recipient.kind._tag === "Unsubscribe"

/** A mail received over SMTP, with its recipients of one organization. */
export interface InboundMail {
  /** Also the id of the message made from the mail. */
  readonly id: MessageId
  readonly organizationId: OrganizationId
  /** The reverse-path (RFC 5321), empty for a notification. */
  readonly mailFrom: string
  readonly recipients: ReadonlyArray<Omit<InboundRecipient, "organizationId">>
  /** The client's IP address and HELO name, for SPF. */
  readonly remoteAddress: string
  readonly helo: string
  readonly tls: boolean
  readonly raw: Uint8Array
  readonly receivedAt: DateTime.Utc
}

/** A mail with its fingerprint. Within an organization, mails with the same fingerprint are duplicates. */
export interface ArrivedMail extends InboundMail {
  readonly fingerprint: string
}

/** Stores raw mail before the SMTP session acknowledges it. */
export class InboundMails extends Context.Tag("services/InboundMails")<
  InboundMails,
  {
    /** Stores a mail once for each organization, with a queue entry for each, in one transaction. Skips duplicates. */
    readonly store: (mails: ReadonlyArray<ArrivedMail>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
