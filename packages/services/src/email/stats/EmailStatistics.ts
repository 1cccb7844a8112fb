import type { RequestedRange } from "@switchboard/domain/analytics/DateRange"
import {
  bounceRate,
  clickRate,
  complaintRate,
  deliveryRate,
  readRate,
  totalOf
} from "@switchboard/domain/analytics/MessageCounts"
import type { EmailStats } from "@switchboard/domain/email/stats/EmailStats"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { AnalyticsRepo } from "../../analytics/AnalyticsRepo.js"
import { OrganizationRepo } from "../../organizations/OrganizationRepo.js"
import { requestedRanges } from "../../organizations/RequestedRanges.js"

/** Statistics of e-mail. */
export class EmailStatistics extends Effect.Service<EmailStatistics>()("services/EmailStatistics", {
  effect: Effect.gen(function* () {
    const repo = yield* AnalyticsRepo
    const { rangeNow } = requestedRanges(yield* OrganizationRepo)
    return {
      stats: (organization: OrganizationId, requested: RequestedRange) =>
        rangeNow(organization, requested).pipe(
          Effect.flatMap((range) => repo.byChannel(organization, range)),
          Effect.map((channels): EmailStats => {
            const counts = totalOf(channels.filter(({ channel }) => channel === "email"))
            return {
              totalSent: counts.sent,
              totalDelivered: counts.delivered,
              totalRead: counts.read,
              totalClicked: counts.clicked,
              totalBounced: counts.bounced,
              totalComplained: counts.complained,
              totalFailed: counts.failed,
              totalReceived: counts.received,
              deliveryRate: deliveryRate(counts),
              readRate: readRate(counts),
              clickRate: clickRate(counts),
              bounceRate: bounceRate(counts),
              complaintRate: complaintRate(counts)
            }
          })
        )
    } as const
  })
}) {}
