import { Effect } from "effect"
import { forRequest, orUnavailable } from "../database/Unavailable.js"
import { createPartitions } from "../retention/Partitions.js"
import { applyMigrations, type Migration, schemaOf } from "./ApplyMigrations.js"
import { M0001Messages } from "./M0001Messages.js"
import { M0002QueueAge } from "./M0002QueueAge.js"
import { M0003Keys } from "./M0003Keys.js"
import { M0004Webhooks } from "./M0004Webhooks.js"
import { M0005Email } from "./M0005Email.js"
import { M0006Receiving } from "./M0006Receiving.js"
import { M0007Voice } from "./M0007Voice.js"
import { M0008OpenTracking } from "./M0008OpenTracking.js"
import { M0009KnowledgeBases } from "./M0009KnowledgeBases.js"
import { M0010MessageCounts } from "./M0010MessageCounts.js"
import { M0011Forwarding } from "./M0011Forwarding.js"
import { M0012VoiceCalls } from "./M0012VoiceCalls.js"
import { M0013Drafts } from "./M0013Drafts.js"
import { M0014Retention } from "./M0014Retention.js"
import { M0015ServiceWindows } from "./M0015ServiceWindows.js"
import { M0016CallSummaries } from "./M0016CallSummaries.js"
import { M0017CatchAllTotals } from "./M0017CatchAllTotals.js"
import { M0018RemovedParticipants } from "./M0018RemovedParticipants.js"
import { M0019Installation } from "./M0019Installation.js"
import { M0020BegunAttempts } from "./M0020BegunAttempts.js"
import { M0021BlockScopes } from "./M0021BlockScopes.js"
import { M0022WebhookBodies } from "./M0022WebhookBodies.js"
import { M0023RewrittenSenders } from "./M0023RewrittenSenders.js"
import { M0024WaitingForwardings } from "./M0024WaitingForwardings.js"
import { M0025EventPositions } from "./M0025EventPositions.js"
import { M0026OlderEvents } from "./M0026OlderEvents.js"
import { M0027MessageLanes } from "./M0027MessageLanes.js"
import { M0028LaneIndex } from "./M0028LaneIndex.js"
import { M0029EventPartitions } from "./M0029EventPartitions.js"
import { M0030ActivityPartitions } from "./M0030ActivityPartitions.js"
import { M0031AttemptPartitions } from "./M0031AttemptPartitions.js"
import { M0033MessagePeriods } from "./M0033MessagePeriods.js"
import { M0034ThreadTables } from "./M0034ThreadTables.js"
import { M0035ListedStatuses } from "./M0035ListedStatuses.js"
import { M0036OlderStates } from "./M0036OlderStates.js"
import { M0037ListIndexes } from "./M0037ListIndexes.js"
import { M0038SearchIndexes } from "./M0038SearchIndexes.js"
import { M0039ThreadSums } from "./M0039ThreadSums.js"
import { M0040OlderThreads } from "./M0040OlderThreads.js"
import { M0041ConversationLabels } from "./M0041ConversationLabels.js"
import { M0042ListIndexes, M0042OlderLabels } from "./M0042ListIndexes.js"
import { M0043RetentionWorkList } from "./M0043RetentionWorkList.js"
import { M0044Erasures } from "./M0044Erasures.js"
import { M0045OrganizationCounts } from "./M0045OrganizationCounts.js"
import { M0046OlderOrganizationCounts } from "./M0046OlderOrganizationCounts.js"
import { M0047CreationKeys } from "./M0047CreationKeys.js"
import { M0048LoginTokens } from "./M0048LoginTokens.js"
import { M0049RestoredCopies } from "./M0049RestoredCopies.js"
import { M0050DeliveryPauses } from "./M0050DeliveryPauses.js"
import { M0051MessageParties, M0052OlderParties, M0052PhoneIndex } from "./M0051MessageParties.js"
import { M0054ConversationGaps, M0055OlderConversations } from "./M0054ConversationGaps.js"
import { M0056SenderDays, M0057OlderOutcomes } from "./M0056SenderDays.js"
import { M0058WebhookPartitions } from "./M0058WebhookPartitions.js"
import { M0059MessageTags, M0060OlderTags } from "./M0059MessageTags.js"
import { M0061SearchOrder } from "./M0061SearchOrder.js"
import { M0063NamedParticipants, M0064NameSearch } from "./M0063NamedParticipants.js"
import { M0065MessageTags } from "./M0065MessageTags.js"
import { M0067SubjectLines, M0068SubjectSearch } from "./M0067SubjectLines.js"
import { M0069VacuumOfLists } from "./M0069VacuumOfLists.js"
import { M0070KeyTotals } from "./M0070KeyTotals.js"
import { M0071RelayFaults } from "./M0071RelayFaults.js"
import { M0072EarlierSecrets } from "./M0072EarlierSecrets.js"
import { M0073SearchKeys, M0074SearchKeyIndexes } from "./M0073SearchKeys.js"
import { M0075LoggedExchanges } from "./M0075LoggedExchanges.js"
import { M0076AttachmentStorage } from "./M0076AttachmentStorage.js"
import { M0077Upgrade } from "./M0077Upgrade.js"

/**
 * Forward only. A released migration never changes; a later one corrects it. What a release stops using is removed by a
 * migration of a later release, which `requires` the newest migration of the former.
 */
const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "messages", sql: M0001Messages },
  { id: 2, name: "queue age", sql: M0002QueueAge },
  { id: 3, name: "keys", sql: M0003Keys },
  { id: 4, name: "webhooks", sql: M0004Webhooks },
  { id: 5, name: "email", sql: M0005Email },
  { id: 6, name: "receiving", sql: M0006Receiving },
  { id: 7, name: "voice", sql: M0007Voice },
  { id: 8, name: "open tracking", sql: M0008OpenTracking },
  { id: 9, name: "knowledge bases", sql: M0009KnowledgeBases },
  { id: 10, name: "message counts", sql: M0010MessageCounts },
  { id: 11, name: "forwarding", sql: M0011Forwarding },
  { id: 12, name: "voice calls", sql: M0012VoiceCalls },
  { id: 13, name: "drafts", sql: M0013Drafts },
  { id: 14, name: "retention", sql: M0014Retention },
  { id: 15, name: "service windows", sql: M0015ServiceWindows },
  { id: 16, name: "call summaries", sql: M0016CallSummaries },
  { id: 17, name: "catch-all totals", sql: M0017CatchAllTotals },
  { id: 18, name: "removed participants", sql: M0018RemovedParticipants },
  { id: 19, name: "installation", sql: M0019Installation },
  { id: 20, name: "begun attempts", sql: M0020BegunAttempts },
  { id: 21, name: "block scopes", sql: M0021BlockScopes },
  { id: 22, name: "webhook bodies", sql: M0022WebhookBodies },
  { id: 23, name: "rewritten senders", sql: M0023RewrittenSenders },
  { id: 24, name: "waiting forwardings", sql: M0024WaitingForwardings },
  { id: 25, name: "event positions", sql: M0025EventPositions },
  { id: 26, name: "older events", sql: M0026OlderEvents },
  { id: 27, name: "message lanes", sql: M0027MessageLanes },
  { id: 28, name: "lane index", indexes: M0028LaneIndex, replaces: ["message_queue_ready"] },
  { id: 29, name: "event partitions", sql: M0029EventPartitions },
  { id: 30, name: "activity partitions", sql: M0030ActivityPartitions },
  { id: 31, name: "attempt partitions", sql: M0031AttemptPartitions },
  { id: 33, name: "message periods", sql: M0033MessagePeriods },
  { id: 34, name: "thread tables", sql: M0034ThreadTables },
  { id: 35, name: "listed statuses", sql: M0035ListedStatuses },
  { id: 36, name: "older states", batch: M0036OlderStates },
  // Every change of the status wrote to all indexes of the table.
  { id: 37, name: "list indexes", indexes: M0037ListIndexes, replaces: ["message_states_status"] },
  { id: 38, name: "search indexes", indexes: M0038SearchIndexes },
  { id: 39, name: "thread sums", sql: M0039ThreadSums },
  { id: 40, name: "older threads", batch: M0040OlderThreads },
  { id: 41, name: "conversation labels", sql: M0041ConversationLabels },
  {
    id: 42,
    name: "list indexes",
    batch: M0042OlderLabels,
    indexes: M0042ListIndexes,
    replaces: ["conversation_participants_participant"]
  },
  { id: 43, name: "retention work list", sql: M0043RetentionWorkList },
  { id: 44, name: "erasures", sql: M0044Erasures },
  { id: 45, name: "organization counts", sql: M0045OrganizationCounts },
  { id: 46, name: "older organization counts", sql: M0046OlderOrganizationCounts },
  { id: 47, name: "creation keys", sql: M0047CreationKeys },
  { id: 48, name: "login tokens", sql: M0048LoginTokens },
  { id: 49, name: "restored copies", sql: M0049RestoredCopies },
  { id: 50, name: "delivery pauses", sql: M0050DeliveryPauses },
  { id: 51, name: "message parties", sql: M0051MessageParties },
  { id: 52, name: "older parties", batch: M0052OlderParties, indexes: M0052PhoneIndex },
  { id: 54, name: "conversation gaps", sql: M0054ConversationGaps },
  { id: 55, name: "older conversations", batch: M0055OlderConversations },
  { id: 56, name: "sender days", sql: M0056SenderDays },
  { id: 57, name: "older outcomes", batch: M0057OlderOutcomes },
  { id: 58, name: "webhook partitions", sql: M0058WebhookPartitions },
  { id: 59, name: "message tags", sql: M0059MessageTags },
  { id: 60, name: "older tags", batch: M0060OlderTags, replaces: ["messages_tags"] },
  { id: 61, name: "search order", indexes: M0061SearchOrder, replaces: ["messages_subject"] },
  // The entry of a message is found by its own id, which the message has.
  { id: 62, name: "entries by id", replaces: ["message_queue_message", "message_waiting_message"] },
  { id: 63, name: "named participants", sql: M0063NamedParticipants },
  { id: 64, name: "name search", indexes: M0064NameSearch, replaces: ["participants_search"] },
  { id: 65, name: "message tags", sql: M0065MessageTags },
  // Most states are updated once, with a change of an index: free space on their page would not make it a HOT update.
  { id: 66, name: "fill of states", sql: "ALTER TABLE message_states RESET (fillfactor)" },
  { id: 67, name: "subject lines", sql: M0067SubjectLines },
  { id: 68, name: "search of subjects", indexes: M0068SubjectSearch, replaces: ["messages_search"] },
  { id: 69, name: "vacuum of lists", sql: M0069VacuumOfLists },
  { id: 70, name: "key totals", sql: M0070KeyTotals },
  { id: 71, name: "relay faults", sql: M0071RelayFaults },
  { id: 72, name: "earlier secrets", sql: M0072EarlierSecrets },
  { id: 73, name: "search keys", sql: M0073SearchKeys },
  {
    id: 74,
    name: "search key indexes",
    indexes: M0074SearchKeyIndexes,
    replaces: [
      "messages_subjects",
      "participants_named",
      "participant_addresses_search",
      "conversations_search",
      "threads_search",
      "email_blocks_search",
      "email_category_blocks_search"
    ]
  },
  { id: 75, name: "logged exchanges", sql: M0075LoggedExchanges },
  { id: 76, name: "attachment storage", sql: M0076AttachmentStorage },
  { id: 77, name: "upgrade of 0.2.0", requires: 77, sql: M0077Upgrade }
]

/** The schema of the database, as this release sees it. */
export const schemaState = forRequest(schemaOf(migrations))

/** Applies the pending migrations of this release, and creates the first partitions. Returns the names of migrations. */
export const migrate = Effect.tap(applyMigrations(migrations), (applied) =>
  applied.length === 0 ? Effect.void : orUnavailable(createPartitions)
)
