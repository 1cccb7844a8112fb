import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { durationText } from "../../components/Duration.js"
import { failureSentences } from "../message/DeliverySentence.js"
import { countryName } from "./CountryName.js"
import type { Analytics } from "./LoadAnalytics.js"
import { Ranking } from "./Ranking.js"
import { SeriesChart } from "./SeriesChart.js"

const dayFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium" })
const hourFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hour12: false })

const Delivery = ({ delivery: { granularity, series } }: Pick<Analytics, "delivery">) => {
  const format = granularity === "hour" ? hourFormat : dayFormat
  const shared = {
    unit: granularity === "hour" ? "Hour" : "Day",
    periods: series.map(({ timestamp }) => format.format(timestamp))
  }
  return (
    <>
      <SeriesChart
        {...shared}
        title="Deliveries"
        series={[
          { name: "Sent", tone: "active", values: series.map(({ sent }) => sent) },
          { name: "Delivered", tone: "good", values: series.map(({ delivered }) => delivered) },
          { name: "Bounced", tone: "warning", values: series.map(({ bounced }) => bounced) },
          { name: "Failed", tone: "bad", values: series.map(({ failed }) => failed) }
        ]}
      />
      <SeriesChart
        {...shared}
        title="Time until sending"
        format={(ms) => durationText(ms / 1_000)}
        series={[
          { name: "95th percentile", tone: "neutral", values: series.map(({ p95Ms }) => p95Ms) },
          { name: "Median", tone: "active", values: series.map(({ p50Ms }) => p50Ms) }
        ]}
      />
    </>
  )
}

/** The charts of a range. */
export const Charts = ({ value }: { readonly value: Analytics }) => (
  <>
    <Delivery delivery={value.delivery} />
    <SeriesChart
      title="Hours of the day"
      unit="Hour"
      periods={value.hours.map(({ hour }) => `${String(hour).padStart(2, "0")}:00`)}
      series={[
        { name: "Sent and received", tone: "active", values: value.hours.map(({ count }) => count) },
        { name: "Delivered", tone: "good", values: value.hours.map(({ delivered }) => delivered) },
        { name: "Failed", tone: "bad", values: value.hours.map(({ failed }) => failed) }
      ]}
    />
    <div class="columns">
      <Ranking
        title="Failures by reason"
        unit="Reason"
        counted="Recipients"
        isComplete
        entries={value.failures.map(({ count, reason }) => ({ name: failureSentences[reason], count }))}
      />
      <Ranking
        title="Top participants"
        unit="Participant"
        counted="Messages"
        entries={value.participants.map(({ messageCount, name, participantId: id }) => ({
          name: can("participants.read") ? <a href={linkTo(paths.contact, { id })}>{name}</a> : name,
          count: messageCount
        }))}
      />
      <Ranking
        title="Countries"
        unit="Country, region"
        counted="Recipients"
        isComplete
        entries={value.places.map(({ count, country, region }) => ({
          name: region === "unknown" ? countryName(country) : `${countryName(country)}, ${region}`,
          count
        }))}
      />
    </div>
  </>
)
