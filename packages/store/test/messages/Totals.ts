import { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type MessageFilter, MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Effect } from "effect"

const totalOf = (own: OrganizationId, filter: MessageFilter) =>
  Effect.flatMap(MessageRepo, ({ list }) =>
    Effect.map(list(own, filter, { page: 1, limit: 1 }), ({ pagination }) => pagination.total)
  )

/** The totals of the lists of all messages and by status, except zeros. */
export const listedTotals = (own: OrganizationId) =>
  Effect.map(
    Effect.forEach([undefined, ...MessageStatus.literals], (status) =>
      Effect.map(totalOf(own, { status }), (total) => [status ?? "all", total] as const)
    ),
    (all) => Object.fromEntries(all.filter(([, total]) => total > 0))
  )
