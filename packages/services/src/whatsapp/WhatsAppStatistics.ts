import type { RequestedRange } from "@switchboard/domain/analytics/DateRange"
import { deliveryRate, failureRate, readRate, totalOf } from "@switchboard/domain/analytics/MessageCounts"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { WhatsAppStats } from "@switchboard/domain/whatsapp/WhatsAppStats"
import { Effect } from "effect"
import { AnalyticsRepo } from "../analytics/AnalyticsRepo.js"
import { OrganizationRepo } from "../organizations/OrganizationRepo.js"
import { requestedRanges } from "../organizations/RequestedRanges.js"

/** Statistics of WhatsApp messages. */
export class WhatsAppStatistics extends Effect.Service<WhatsAppStatistics>()("services/WhatsAppStatistics", {
  effect: Effect.gen(function* () {
    const repo = yield* AnalyticsRepo
    const { rangeNow } = requestedRanges(yield* OrganizationRepo)
    return {
      stats: (organization: OrganizationId, requested: RequestedRange) =>
        rangeNow(organization, requested).pipe(
          Effect.flatMap((range) => repo.byChannel(organization, range)),
          Effect.map((channels): WhatsAppStats => {
            const counts = totalOf(channels.filter(({ channel }) => channel === "whatsapp"))
            return {
              totalSent: counts.sent,
              totalDelivered: counts.delivered,
              totalRead: counts.read,
              totalFailed: counts.failed,
              deliveryRate: deliveryRate(counts),
              readRate: readRate(counts),
              failureRate: failureRate(counts)
            }
          })
        )
    } as const
  })
}) {}
