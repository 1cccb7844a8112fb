import type { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { ConversationFilters } from "@switchboard/domain/conversations/ConversationRequests"
import type { ResourceNotFoundError, ServiceUnavailableError, ValidationError } from "@switchboard/domain/Errors"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Context, type Effect, type Option } from "effect"

/** What can be told of a conversation. */
export type ConversationNews = Extract<EventType, `conversation.${string}`>

/** What becomes of a conversation. */
export interface ChangedConversation {
  /** As it is from now on. */
  readonly conversation: Conversation
  /** Nothing is written where nothing is told. */
  readonly news: ReadonlyArray<ConversationNews>
}

/** Where conversations are kept. What is told of them is written in the transaction of what happened. */
export class ConversationRepo extends Context.Tag("services/ConversationRepo")<
  ConversationRepo,
  {
    /** Stores a conversation with its participants; neither they nor its parent may be unknown. */
    readonly insert: (
      made: ChangedConversation,
      participants: ReadonlyArray<ParticipantId>
    ) => Effect.Effect<Conversation, ResourceNotFoundError | ServiceUnavailableError>
    readonly exists: (
      organization: OrganizationId,
      id: ConversationId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: ConversationId
    ) => Effect.Effect<Option.Option<Conversation>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ConversationFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Conversation>, ServiceUnavailableError>
    /**
     * Decides what becomes of a conversation while nobody else changes it, and writes that, or nothing. Its parent must
     * be known, and above it. None if the organization has no such conversation.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: ConversationId,
      decide: (conversation: Conversation) => Effect.Effect<ChangedConversation, E>
    ) => Effect.Effect<
      Option.Option<Conversation>,
      E | ResourceNotFoundError | ValidationError | ServiceUnavailableError
    >
    /** Has participants join; who takes part already does so once. None if there is no such conversation. */
    readonly join: (
      organization: OrganizationId,
      id: ConversationId,
      participants: ReadonlyArray<ParticipantId>
    ) => Effect.Effect<Option.Option<Conversation>, ResourceNotFoundError | ServiceUnavailableError>
    /** Has participants leave who take part. None if there is no such conversation. */
    readonly leave: (
      organization: OrganizationId,
      id: ConversationId,
      participants: ReadonlyArray<ParticipantId>
    ) => Effect.Effect<Option.Option<Conversation>, ResourceNotFoundError | ServiceUnavailableError>
  }
>() {}
