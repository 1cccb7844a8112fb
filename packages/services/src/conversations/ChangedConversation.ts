import { afterUpdate } from "@switchboard/domain/Clearable"
import { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { UpdateConversation } from "@switchboard/domain/conversations/ConversationRequests"
import { applyStatusChange, statusEvents } from "@switchboard/domain/conversations/ConversationState"
import type { DateTime } from "effect"
import type { ChangedConversation } from "./ConversationRepo.js"

const encoded = (conversation: Conversation) => JSON.stringify(conversation)

/** Applies an update to a conversation. An update without effect has no events. */
export const changedConversation = (
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
