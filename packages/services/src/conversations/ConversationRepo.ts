import type { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { ConversationFilters } from "@switchboard/domain/conversations/ConversationRequests"
import type {
  BadRequestError,
  ResourceNotFoundError,
  ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { Channel, ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Context, type Effect, type Option } from "effect"

/** The event types of conversations. */
export type ConversationEventType = Extract<EventType, `conversation.${string}`>

/** The result of a change to a conversation. */
export interface ChangedConversation {
  /** The conversation after the change. */
  readonly conversation: Conversation
  /** Empty if nothing changed: then nothing is written. */
  readonly eventTypes: ReadonlyArray<ConversationEventType>
}

/** Stores conversations. Their events are written in the same transaction. */
export class ConversationRepo extends Context.Tag("services/ConversationRepo")<
  ConversationRepo,
  {
    /** Stores a conversation with its participants. Fails if a participant or the parent does not exist. */
    readonly insert: (
      made: ChangedConversation,
      participants: ReadonlyArray<ParticipantId>
    ) => Effect.Effect<Conversation, ResourceNotFoundError | ServiceUnavailableError>
    /** Whether the organization has the conversation. */
    readonly exists: (
      organization: OrganizationId,
      id: ConversationId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** The newest open conversation over a channel with the participant that has an address of the channel. */
    readonly findOpen: (
      organization: OrganizationId,
      channel: Channel,
      address: string
    ) => Effect.Effect<Option.Option<ConversationId>, ServiceUnavailableError>
    /** A conversation of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: ConversationId
    ) => Effect.Effect<Option.Option<Conversation>, ServiceUnavailableError>
    /** The organization's conversations, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ConversationFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Conversation>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks a conversation, calls `decide`, and stores the result in one transaction. The parent must exist and must
     * not be a descendant. None if the organization has no such conversation.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: ConversationId,
      decide: (conversation: Conversation) => Effect.Effect<ChangedConversation, E>
    ) => Effect.Effect<
      Option.Option<Conversation>,
      E | ResourceNotFoundError | ValidationError | ServiceUnavailableError
    >
    /** Adds participants; existing ones stay unchanged. None if the organization has no such conversation. */
    readonly join: (
      organization: OrganizationId,
      id: ConversationId,
      participants: ReadonlyArray<ParticipantId>
    ) => Effect.Effect<Option.Option<Conversation>, ResourceNotFoundError | ServiceUnavailableError>
    /** Removes participants. None if the organization has no such conversation. */
    readonly leave: (
      organization: OrganizationId,
      id: ConversationId,
      participants: ReadonlyArray<ParticipantId>
    ) => Effect.Effect<Option.Option<Conversation>, ResourceNotFoundError | ServiceUnavailableError>
  }
>() {}
