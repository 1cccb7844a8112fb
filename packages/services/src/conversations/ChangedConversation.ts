import { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { UpdateConversation } from "@switchboard/domain/conversations/ConversationRequests"
import { applyStatusChange, statusEvents } from "@switchboard/domain/conversations/ConversationState"
import type { DateTime } from "effect"
import type { ChangedConversation } from "./ConversationRepo.js"

/** An omitted field keeps its value; null removes it. */
const applyChange = <A>(value: A | null | undefined, before: A | undefined): A | undefined =>
  value === undefined ? before : (value ?? undefined)

const encoded = (conversation: Conversation) => JSON.stringify(conversation)

/** Applies an update to a conversation. An update without effect has no events. */
export const changedConversation = (
  before: Conversation,
  changes: UpdateConversation,
  by: string,
  now: DateTime.Utc
): ChangedConversation => {
  const { channels = before.channels } = changes
  const primaryChannel = changes.primaryChannel ?? before.primaryChannel
  const after = new Conversation(
    {
      ...before,
      title: applyChange(changes.title, before.title),
      description: applyChange(changes.description, before.description),
      externalId: applyChange(changes.externalId, before.externalId),
      parentConversationId: applyChange(changes.parentConversationId, before.parentConversationId),
      channels,
      // A primary channel that the request sets must be one of the channels; an earlier one that was removed is
      // replaced.
      primaryChannel:
        changes.primaryChannel === undefined && primaryChannel !== undefined && !channels.includes(primaryChannel)
          ? channels[0]
          : primaryChannel,
      priority: changes.priority ?? before.priority,
      urgency: changes.urgency ?? before.urgency,
      complexity: changes.complexity ?? before.complexity,
      metadata: applyChange(changes.metadata, before.metadata),
      context: applyChange(changes.context, before.context),
      tags: changes.tags ?? before.tags,
      categories: changes.categories ?? before.categories,
      isTest: changes.isTest ?? before.isTest,
      isInternal: changes.isInternal ?? before.isInternal,
      isPrivate: changes.isPrivate ?? before.isPrivate,
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
