import type { DateTime } from "effect"
import type { Conversation, ConversationStatus } from "./Conversation.js"

/** Where a conversation stands: its status, and what goes with that. */
export type ConversationStanding = Pick<
  Conversation,
  "status" | "statusReason" | "resolvedAt" | "resolvedBy" | "resolutionType" | "resolutionNotes" | "archivedAt"
>

/** What somebody says of where a conversation is to stand. Null takes away, what is left out follows from the rest. */
export interface WantedStanding {
  readonly status?: ConversationStatus | undefined
  readonly statusReason?: string | null | undefined
  readonly resolutionType?: Conversation["resolutionType"]
  readonly resolutionNotes?: string | null | undefined
}

/** Whether a conversation goes on: one that waits or sleeps does. */
export const goesOn = ({ status }: Pick<Conversation, "status">): boolean =>
  status !== "resolved" && status !== "archived"

/** The reason of a status is gone with it, the resolution once the conversation goes on: to archive it keeps that. */
export const withStanding = (
  before: ConversationStanding,
  wanted: WantedStanding,
  by: string | undefined,
  now: DateTime.Utc
): ConversationStanding => {
  const { status = before.status } = wanted
  const isMoved = status !== before.status
  const kept = (given: string | null | undefined, otherwise: string | undefined) =>
    given === undefined ? otherwise : (given ?? undefined)
  const statusReason = kept(wanted.statusReason, isMoved ? undefined : before.statusReason)
  if (goesOn({ status })) return { status, statusReason }
  const isResolved = isMoved && status === "resolved"
  return {
    status,
    statusReason,
    resolvedAt: isResolved ? now : before.resolvedAt,
    resolvedBy: isResolved ? by : before.resolvedBy,
    resolutionType: wanted.resolutionType ?? (isResolved ? "manual" : before.resolutionType),
    resolutionNotes: kept(wanted.resolutionNotes, isResolved ? undefined : before.resolutionNotes),
    archivedAt: status === "archived" ? (before.archivedAt ?? now) : undefined
  }
}

/** What is told of a change. */
export const standingNews = (
  before: ConversationStanding,
  after: ConversationStanding
): ReadonlyArray<"conversation.resolved" | "conversation.reopened"> => {
  if (after.status === before.status) return []
  if (after.status === "resolved") return ["conversation.resolved"]
  return goesOn(after) && !goesOn(before) ? ["conversation.reopened"] : []
}
