import { MetricKeyType, type MetricPair, MetricState, Option, Schema } from "effect"

/** A metric with its samples; each sample is a name with labels, and a value. */
export const MetricSamples = Schema.Struct({
  name: Schema.String,
  type: Schema.Literal("counter", "gauge", "histogram"),
  help: Schema.String,
  samples: Schema.Array(Schema.Tuple(Schema.String, Schema.Number))
})
export type MetricSamples = typeof MetricSamples.Type

const escape = (text: string) => text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")

const nameOf = (name: string) => name.replace(/[^a-zA-Z0-9_:]/g, "_")

const labelsOf = (labels: ReadonlyArray<readonly [string, string]>) =>
  labels.length === 0 ? "" : `{${labels.map(([key, value]) => `${nameOf(key)}="${escape(value)}"`).join(",")}}`

const samplesOf = ({ metricKey, metricState }: MetricPair.MetricPair.Untyped): MetricSamples["samples"] => {
  const name = nameOf(metricKey.name)
  const labels = metricKey.tags.map(({ key, value }) => [key, value] as const)
  if (MetricState.isCounterState(metricState)) return [[`${name}${labelsOf(labels)}`, Number(metricState.count)]]
  if (MetricState.isGaugeState(metricState)) return [[`${name}${labelsOf(labels)}`, Number(metricState.value)]]
  if (MetricState.isHistogramState(metricState)) {
    return [
      ...metricState.buckets.map(([bound, count]): readonly [string, number] => [
        `${name}_bucket${labelsOf([...labels, ["le", Number.isFinite(bound) ? String(bound) : "+Inf"]])}`,
        count
      ]),
      [`${name}_sum${labelsOf(labels)}`, metricState.sum],
      [`${name}_count${labelsOf(labels)}`, metricState.count]
    ]
  }
  return []
}

const typeOf = ({ metricKey }: MetricPair.MetricPair.Untyped): MetricSamples["type"] =>
  MetricKeyType.isCounterKey(metricKey.keyType)
    ? "counter"
    : MetricKeyType.isHistogramKey(metricKey.keyType)
      ? "histogram"
      : "gauge"

/** The metrics of this process, without those of the Effect runtime. */
export const metricSamples = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): ReadonlyArray<MetricSamples> =>
  pairs
    .filter(({ metricKey }) => metricKey.name.startsWith("switchboard_"))
    .map((pair) => ({
      name: nameOf(pair.metricKey.name),
      type: typeOf(pair),
      help: Option.getOrElse(pair.metricKey.description, () => ""),
      samples: samplesOf(pair)
    }))

/** Merges the metrics of several processes: adds samples with the same name and labels. */
export const addSamples = (all: ReadonlyArray<MetricSamples>): ReadonlyArray<MetricSamples> => {
  const metrics = new Map<string, Omit<MetricSamples, "samples"> & { readonly samples: Map<string, number> }>()
  for (const { samples, ...metric } of all) {
    const { name } = metric
    const merged = metrics.get(name) ?? { ...metric, samples: new Map<string, number>() }
    metrics.set(name, merged)
    for (const [sample, value] of samples) merged.samples.set(sample, (merged.samples.get(sample) ?? 0) + value)
  }
  return [...metrics]
    .map(([, { samples, ...metric }]) => ({ ...metric, samples: [...samples] }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** Metrics in the Prometheus text format (version 0.0.4). */
export const prometheusText = (metrics: ReadonlyArray<MetricSamples>): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ help, name, samples, type }) => [
      `# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(([sample, value]) => `${sample} ${value}`)
    ])
    .concat("")
    .join("\n")
