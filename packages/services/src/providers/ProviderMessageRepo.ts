import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, type Option } from "effect"
import type { Receipt } from "./ProviderEvent.js"

/** A segment of a message for one recipient, by the provider's id. */
export interface ProviderMessage {
  readonly channel: Receipt["channel"]
  readonly providerMessageId: string
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly recipient: string
}

/** The provider's ids of sent messages. */
export class ProviderMessageRepo extends Context.Tag("services/ProviderMessageRepo")<
  ProviderMessageRepo,
  {
    /** The segment that a receipt is about: the first of its ids that is known. */
    readonly find: (
      receipt: Pick<Receipt, "channel" | "providerMessageIds">
    ) => Effect.Effect<Option.Option<ProviderMessage>, ServiceUnavailableError>
    /** Marks a segment as delivered. Returns whether all segments for the recipient are. */
    readonly confirm: (segment: ProviderMessage) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
