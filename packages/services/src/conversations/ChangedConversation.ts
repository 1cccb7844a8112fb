import { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { UpdateConversation } from "@switchboard/domain/conversations/ConversationRequests"
import { standingNews, withStanding } from "@switchboard/domain/conversations/ConversationStanding"
import type { DateTime } from "effect"
import type { ChangedConversation } from "./ConversationRepo.js"

/** What is left out stays, null is nothing from now on. */
const kept = <A>(given: A | null | undefined, before: A | undefined): A | undefined =>
  given === undefined ? before : (given ?? undefined)

const said = (conversation: Conversation) => JSON.stringify(conversation)

/** What a request makes of a conversation. Where it says what is so already, nothing changes. */
export const changedConversation = (
  before: Conversation,
  given: UpdateConversation,
  by: string,
  now: DateTime.Utc
): ChangedConversation => {
  const { channels = before.channels } = given
  const primaryChannel = given.primaryChannel ?? before.primaryChannel
  const after = new Conversation(
    {
      ...before,
      title: kept(given.title, before.title),
      description: kept(given.description, before.description),
      externalId: kept(given.externalId, before.externalId),
      parentConversationId: kept(given.parentConversationId, before.parentConversationId),
      channels,
      // One that is named must be among them; one that was there gives way.
      primaryChannel:
        given.primaryChannel === undefined && primaryChannel !== undefined && !channels.includes(primaryChannel)
          ? channels[0]
          : primaryChannel,
      priority: given.priority ?? before.priority,
      urgency: given.urgency ?? before.urgency,
      complexity: given.complexity ?? before.complexity,
      metadata: kept(given.metadata, before.metadata),
      context: kept(given.context, before.context),
      tags: given.tags ?? before.tags,
      categories: given.categories ?? before.categories,
      isTest: given.isTest ?? before.isTest,
      isInternal: given.isInternal ?? before.isInternal,
      isPrivate: given.isPrivate ?? before.isPrivate,
      resolvedAt: undefined,
      resolvedBy: undefined,
      resolutionType: undefined,
      resolutionNotes: undefined,
      archivedAt: undefined,
      ...withStanding(before, given, by, now)
    },
    { disableValidation: true }
  )
  if (said(after) === said(before)) return { conversation: before, news: [] }
  return {
    conversation: new Conversation({ ...after, updatedAt: now }, { disableValidation: true }),
    news: ["conversation.updated", ...standingNews(before, after)]
  }
}
