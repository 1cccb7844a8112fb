import type { AnalyticsStats } from "../../app/Types.js"
import { durationText } from "../../components/Duration.js"
import { percent } from "./Percent.js"

/** The key figures of a range. */
export const KeyFigures = ({ stats }: { readonly stats: AnalyticsStats }) => (
  <dl class="figures" aria-label="Key figures">
    {(
      [
        ["Messages", stats.totalMessages.toLocaleString("en")],
        ["Sent", stats.outbound.toLocaleString("en")],
        ["Received", stats.inbound.toLocaleString("en")],
        ["Delivery rate", percent(stats.deliveryRate)],
        ["Failure rate", percent(stats.failureRate)],
        ["Conversations", stats.activeConversations.toLocaleString("en")],
        ["Response time", stats.averageResponseSeconds === 0 ? "–" : durationText(stats.averageResponseSeconds)]
      ] as const
    ).map(([name, value]) => (
      <div key={name} class="card">
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
