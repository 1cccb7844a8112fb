import { client } from "../../app/Client.js"
import type { Range } from "./Range.js"

/** All figures of a range. */
export const loadAnalytics = async ({ granularity, ...urlParams }: Range, signal: AbortSignal) => {
  const [stats, delivery, hours, channels, places, participants, failures] = await Promise.all([
    client.analytics.stats({ urlParams }, { signal }),
    client.analytics.deliveryMetrics({ urlParams: { ...urlParams, granularity } }, { signal }),
    client.analytics.hourlyDistribution({ urlParams }, { signal }),
    client.analytics.channelStats({ urlParams }, { signal }),
    client.analytics.geographicDistribution({ urlParams }, { signal }),
    client.analytics.topParticipants({ urlParams }, { signal }),
    client.analytics.failures({ urlParams }, { signal })
  ])
  return { stats, delivery, hours, channels, places, participants, failures }
}

export type Analytics = Awaited<ReturnType<typeof loadAnalytics>>
