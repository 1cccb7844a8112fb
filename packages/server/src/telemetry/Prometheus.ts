import { MetricKeyType, type MetricPair, MetricState } from "effect"

const escape = (text: string) => text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")

const nameOf = (name: string) => name.replace(/[^a-zA-Z0-9_:]/g, "_")

const labelsOf = (labels: ReadonlyArray<readonly [string, string]>) =>
  labels.length === 0 ? "" : `{${labels.map(([key, value]) => `${nameOf(key)}="${escape(value)}"`).join(",")}}`

/** The samples of one metric, after its name. */
const samplesOf = ({ metricKey, metricState }: MetricPair.MetricPair.Untyped): ReadonlyArray<string> => {
  const name = nameOf(metricKey.name)
  const labels = metricKey.tags.map(({ key, value }) => [key, value] as const)
  if (MetricState.isCounterState(metricState)) return [`${name}${labelsOf(labels)} ${metricState.count}`]
  if (MetricState.isGaugeState(metricState)) return [`${name}${labelsOf(labels)} ${metricState.value}`]
  if (MetricState.isHistogramState(metricState)) {
    return [
      ...metricState.buckets.map(
        ([bound, count]) =>
          `${name}_bucket${labelsOf([...labels, ["le", Number.isFinite(bound) ? String(bound) : "+Inf"]])} ${count}`
      ),
      `${name}_sum${labelsOf(labels)} ${metricState.sum}`,
      `${name}_count${labelsOf(labels)} ${metricState.count}`
    ]
  }
  return []
}

const typeOf = ({ metricKey }: MetricPair.MetricPair.Untyped) =>
  MetricKeyType.isCounterKey(metricKey.keyType)
    ? "counter"
    : MetricKeyType.isHistogramKey(metricKey.keyType)
      ? "histogram"
      : "gauge"

/** Every metric of the process in the Prometheus text format (version 0.0.4). */
export const prometheusText = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): string => {
  const lines: Array<string> = []
  const seen = new Set<string>()
  for (const pair of [...pairs].sort((left, right) => (left.metricKey.name < right.metricKey.name ? -1 : 1))) {
    const samples = samplesOf(pair)
    if (samples.length === 0) continue
    const name = nameOf(pair.metricKey.name)
    if (!seen.has(name)) {
      seen.add(name)
      lines.push(`# TYPE ${name} ${typeOf(pair)}`)
    }
    lines.push(...samples)
  }
  return `${lines.join("\n")}\n`
}
