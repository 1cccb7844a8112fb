import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Duration, type Effect, type Option } from "effect"

/** Whom is to be forgotten, and where: by one organization, or by all. */
export interface Erasure {
  readonly address: EmailAddress
  readonly organization: Option.Option<OrganizationId>
}

/** A message that names the address. */
export interface NamingMessage {
  readonly organizationId: OrganizationId
  readonly id: MessageId
  /** Whether it is to the address alone, or from it. */
  readonly isTheirs: boolean
}

/** How much there was, of some kind. */
export interface Counted {
  readonly what: string
  readonly count: number
}

type Work<A> = Effect.Effect<A, ServiceUnavailableError>

/** Where an address may be kept. Everything can be done again, and then finds nothing. */
export class ErasureRepo extends Context.Tag("services/ErasureRepo")<
  ErasureRepo,
  {
    /** What organizations themselves send from and receive at under this address. */
    readonly ownUses: (erasure: Erasure) => Work<ReadonlyArray<Counted>>
    readonly messages: (erasure: Erasure) => Work<ReadonlyArray<NamingMessage>>
    /** Takes the address from the recipients of a message that others have too; it goes on for them. */
    readonly loseRecipient: (message: NamingMessage, address: EmailAddress) => Work<void>
    /** Participants with this address: it, and their names, places and metadata. */
    readonly eraseParticipants: (erasure: Erasure) => Work<number>
    /** Recipients of drafts. */
    readonly eraseFromDrafts: (erasure: Erasure) => Work<number>
    /** Mails by the person that nobody has read yet, or that are to go on: they are withdrawn. */
    readonly withdrawMails: (erasure: Erasure) => Work<number>
    /** What still would be forwarded to the address: it goes nowhere, and is received where no copy was to be kept. */
    readonly stopForwarding: (erasure: Erasure) => Work<number>
    /**
     * Counts other mails that name the address, or would go on to it, and are still to be read or to go on; with
     * `within` those of them alone that are due in this time.
     */
    readonly onTheWay: (erasure: Erasure, within?: Duration.Duration) => Work<number>
    /** Mails as they came in, once nobody reads or forwards them any more, or went into the local mailbox. */
    readonly eraseMails: (erasure: Erasure) => Work<number>
    /** Wherever else the address is written, by table. */
    readonly eraseMentions: (erasure: Erasure) => Work<ReadonlyArray<Counted>>
    /** What stays: blocks, which protect the person, and what operators have set up, by table. */
    readonly left: (erasure: Erasure) => Work<ReadonlyArray<Counted>>
  }
>() {}
