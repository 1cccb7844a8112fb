import { Number, Struct } from "effect"
import type { Channel } from "../messages/Message.js"
import type { MessageStatus } from "../messages/state/MessageStatus.js"
import type { OrganizationId } from "../organizations/Organization.js"
import { type Rollup, statusAfter } from "./Rollup.js"

/** Statuses that most messages pass within seconds, and the channel of most messages: they have no total. */
const uncounted = ["pending", "processing", "email"] as const

/** What totals are counted by. */
export type TotalKind = Exclude<MessageStatus | Channel, (typeof uncounted)[number]>

/** The number of an organization's messages of a kind. */
export interface TotalRow {
  readonly organizationId: OrganizationId
  readonly kind: TotalKind
  readonly messages: number
}

const isCounted = (kind: MessageStatus | Channel): kind is TotalKind => !uncounted.some((one) => one === kind)

const contribution = (organizationId: OrganizationId, kind: MessageStatus | Channel | null, messages: number) =>
  kind !== null && isCounted(kind) ? [{ organizationId, kind, messages }] : []

/** Totals of stored messages by status and by channel. */
export const totalRollup: Rollup<TotalRow> = {
  types: ["message.created", "message.received", "message.deleted", ...Struct.keys(statusAfter)],
  contributions: ({ message, organizationId, statusBefore, type }) => {
    if (message === null) return []
    const isNew = type === "message.created" || type === "message.received"
    const isDeleted = type === "message.deleted"
    return [
      ...contribution(organizationId, message.channel, isNew ? 1 : isDeleted ? -1 : 0),
      ...contribution(organizationId, isDeleted ? message.lastStatus : statusBefore, -1),
      ...contribution(organizationId, type === "message.received" ? "delivered" : (statusAfter[type] ?? null), 1)
    ].filter(({ messages }) => messages !== 0)
  },
  keyOf: ({ kind, organizationId }) => `${organizationId} ${kind}`,
  sum: (rows) => ({ ...rows[0], messages: Number.sumAll(rows.map(({ messages }) => messages)) })
}
