import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { applyStatusChange, Conversation, statusEvents } from "@switchboard/domain/conversations/Conversation"
import type { CreateConversation, UpdateConversation } from "@switchboard/domain/conversations/ConversationRequests"
import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { afterUpdate } from "@switchboard/domain/Fields"
import { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { DateTime, Effect, type Option } from "effect"
import { newId } from "../NewId.js"
import { type ChangedConversation, ConversationRepo } from "./ConversationRepo.js"

/** Makes an active conversation without messages. Participant counts and metrics are computed by reads. */
export const newConversation = (
  organizationId: OrganizationId,
  given: Omit<CreateConversation, "participantIds"> & { readonly startedAt?: DateTime.Utc },
  createdBy?: string
): Effect.Effect<Conversation> =>
  Effect.map(newId(ConversationId), ({ id, now }) => {
    const { channels, description, externalId, metadata, context, parentConversationId, title } = given
    return new Conversation(
      {
        id,
        organizationId,
        title,
        description,
        externalId,
        parentConversationId,
        channels,
        primaryChannel: given.primaryChannel ?? channels[0],
        priority: given.priority ?? 2,
        urgency: given.urgency ?? "low",
        complexity: given.complexity ?? "simple",
        metadata,
        participantTracking: "{}",
        metrics: "{}",
        context,
        tags: given.tags ?? [],
        categories: given.categories ?? [],
        isTest: given.isTest ?? false,
        isInternal: given.isInternal ?? false,
        isPrivate: given.isPrivate ?? false,
        ...applyStatusChange({ status: "active" }, given, createdBy, now),
        startedAt: given.startedAt ?? now,
        createdBy,
        createdAt: now,
        updatedAt: now
      },
      { disableValidation: true }
    )
  })

const encoded = (conversation: Conversation) => JSON.stringify(conversation)

/** Applies an update to a conversation. An update without effect has no events. */
const changedConversation = (
  before: Conversation,
  changes: UpdateConversation,
  by: string,
  now: DateTime.Utc
): ChangedConversation => {
  const { channels = before.channels } = changes
  const primaryChannel = afterUpdate(changes.primaryChannel, before.primaryChannel, channels[0])
  const after = new Conversation(
    {
      ...before,
      title: afterUpdate(changes.title, before.title, undefined),
      description: afterUpdate(changes.description, before.description, undefined),
      externalId: afterUpdate(changes.externalId, before.externalId, undefined),
      parentConversationId: afterUpdate(changes.parentConversationId, before.parentConversationId, undefined),
      channels,
      // A primary channel that the request sets must be one of the channels; an earlier one that was removed is
      // replaced.
      primaryChannel:
        changes.primaryChannel === undefined && primaryChannel !== undefined && !channels.includes(primaryChannel)
          ? channels[0]
          : primaryChannel,
      priority: afterUpdate(changes.priority, before.priority, 2),
      urgency: afterUpdate(changes.urgency, before.urgency, "low"),
      complexity: afterUpdate(changes.complexity, before.complexity, "simple"),
      metadata: afterUpdate(changes.metadata, before.metadata, undefined),
      context: afterUpdate(changes.context, before.context, undefined),
      tags: afterUpdate(changes.tags, before.tags, []),
      categories: afterUpdate(changes.categories, before.categories, []),
      isTest: afterUpdate(changes.isTest, before.isTest, false),
      isInternal: afterUpdate(changes.isInternal, before.isInternal, false),
      isPrivate: afterUpdate(changes.isPrivate, before.isPrivate, false),
      resolvedAt: undefined,
      resolvedBy: undefined,
      resolutionType: undefined,
      resolutionNotes: undefined,
      archivedAt: undefined,
      ...applyStatusChange(before, changes, by, now)
    },
    { disableValidation: true }
  )
  if (encoded(after) === encoded(before)) return { conversation: before, eventTypes: [] }
  return {
    conversation: new Conversation({ ...after, updatedAt: now }, { disableValidation: true }),
    eventTypes: ["conversation.updated", ...statusEvents(before, after)]
  }
}

/** The key that changes conversations. */
export interface ConversationAuthor {
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
}

/** Rejects fields that contradict the conversation after the change. */
const checked = (
  { channels, primaryChannel, resolvedAt }: Conversation,
  { resolutionNotes, resolutionType }: UpdateConversation
) => {
  const unresolved = "must be left out unless the conversation is resolved"
  const fields = {
    ...(primaryChannel === undefined || channels.includes(primaryChannel)
      ? {}
      : { primaryChannel: ["must be one of the channels"] }),
    ...(resolutionType === undefined || resolvedAt !== undefined ? {} : { resolutionType: [unresolved] }),
    ...((resolutionNotes ?? undefined) === undefined || resolvedAt !== undefined
      ? {}
      : { resolutionNotes: [unresolved] })
  }
  return Object.keys(fields).length === 0
    ? Effect.void
    : new ValidationError({ message: "The request body is invalid", fields })
}

/** Exchanges with people, over any channel. */
export class Conversations extends Effect.Service<Conversations>()("services/Conversations", {
  effect: Effect.gen(function* () {
    const repo = yield* ConversationRepo

    const orNotFound =
      (id: ConversationId) =>
      <E>(found: Effect.Effect<Option.Option<Conversation>, E>) =>
        Effect.flatMap(found, (conversation) =>
          Effect.mapError(conversation, () => new ResourceNotFoundError({ resource: "conversation", id }))
        )

    const create = Effect.fn("Conversations.create")(function* (
      { apiKeyId, organizationId }: ConversationAuthor,
      { participantIds = [], ...given }: CreateConversation
    ) {
      const conversation = yield* newConversation(organizationId, given, apiKeyId)
      yield* checked(conversation, given)
      const eventTypes = ["conversation.created" as const, ...statusEvents({ status: "active" }, conversation)]
      return yield* repo.insert({ conversation, eventTypes }, participantIds)
    })

    const get = Effect.fn("Conversations.get")((organization: OrganizationId, id: ConversationId) =>
      orNotFound(id)(repo.find(organization, id))
    )

    const update = Effect.fn("Conversations.update")(function* (
      { apiKeyId, organizationId }: ConversationAuthor,
      id: ConversationId,
      request: UpdateConversation
    ) {
      const now = yield* DateTime.now
      const decide = (before: Conversation) => {
        const changed = changedConversation(before, request, apiKeyId, now)
        return Effect.as(checked(changed.conversation, request), changed)
      }
      return yield* orNotFound(id)(repo.change(organizationId, id, decide))
    })

    const addParticipants = Effect.fn("Conversations.addParticipants")(
      (organization: OrganizationId, id: ConversationId, participants: ReadonlyArray<ParticipantId>) =>
        orNotFound(id)(repo.join(organization, id, participants))
    )

    const removeParticipants = Effect.fn("Conversations.removeParticipants")(
      (organization: OrganizationId, id: ConversationId, participants: ReadonlyArray<ParticipantId>) =>
        orNotFound(id)(repo.leave(organization, id, participants))
    )

    return { create, get, list: repo.list, update, addParticipants, removeParticipants } as const
  })
}) {}
