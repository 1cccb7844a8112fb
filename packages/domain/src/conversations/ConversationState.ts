import type { DateTime } from "effect"
import type { Conversation, ConversationStatus } from "./Conversation.js"

/** The status of a conversation and the fields that depend on it. */
export type ConversationState = Pick<
  Conversation,
  "status" | "statusReason" | "resolvedAt" | "resolvedBy" | "resolutionType" | "resolutionNotes" | "archivedAt"
>

/** A change of the status. Null removes a field; an omitted field follows from the status. */
export interface StatusChange {
  readonly status?: ConversationStatus | undefined
  readonly statusReason?: string | null | undefined
  readonly resolutionType?: Conversation["resolutionType"]
  readonly resolutionNotes?: string | null | undefined
}

/** The statuses of a conversation that has ended; a message reopens it. Waiting and snoozed ones are ongoing. */
export const endedStatuses = ["resolved", "archived"] as const satisfies ReadonlyArray<ConversationStatus>

/** Whether a conversation is neither resolved nor archived. */
export const isOngoing = ({ status }: Pick<Conversation, "status">): boolean =>
  !endedStatuses.some((ended) => ended === status)

/**
 * Applies a change of the status. A new status clears the reason of the old one. The resolution is cleared when the
 * conversation is reopened, and stays when it is archived.
 */
export const applyStatusChange = (
  before: ConversationState,
  change: StatusChange,
  by: string | undefined,
  now: DateTime.Utc
): ConversationState => {
  const { status = before.status } = change
  const isMoved = status !== before.status
  const valueOf = (value: string | null | undefined, otherwise: string | undefined) =>
    value === undefined ? otherwise : (value ?? undefined)
  const statusReason = valueOf(change.statusReason, isMoved ? undefined : before.statusReason)
  if (isOngoing({ status })) return { status, statusReason }
  const isResolved = isMoved && status === "resolved"
  return {
    status,
    statusReason,
    resolvedAt: isResolved ? now : before.resolvedAt,
    resolvedBy: isResolved ? by : before.resolvedBy,
    resolutionType: change.resolutionType ?? (isResolved ? "manual" : before.resolutionType),
    resolutionNotes: valueOf(change.resolutionNotes, isResolved ? undefined : before.resolutionNotes),
    archivedAt: status === "archived" ? (before.archivedAt ?? now) : undefined
  }
}

/** The events of a change. */
export const statusEvents = (
  before: ConversationState,
  after: ConversationState
): ReadonlyArray<"conversation.resolved" | "conversation.reopened"> => {
  if (after.status === before.status) return []
  if (after.status === "resolved") return ["conversation.resolved"]
  return isOngoing(after) && !isOngoing(before) ? ["conversation.reopened"] : []
}
