import { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { CreateConversation } from "@switchboard/domain/conversations/ConversationRequests"
import { applyStatusChange } from "@switchboard/domain/conversations/ConversationState"
import { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { DateTime } from "effect"
import { Effect } from "effect"
import { newId } from "../NewId.js"

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
