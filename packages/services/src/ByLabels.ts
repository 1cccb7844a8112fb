import { Metric, MetricLabel } from "effect"

/** A metric for each combination of label values, which must be few. Making one costs more than updating it. */
export const byLabels = <Type, In, Out>(metric: Metric.Metric<Type, In, Out>) => {
  const made = new Map<string, Metric.Metric<Type, In, Out>>()
  return (labels: Readonly<Record<string, string>>): Metric.Metric<Type, In, Out> => {
    const key = Object.values(labels).join("\n")
    const known = made.get(key)
    if (known !== undefined) return known
    const tags = Object.entries(labels).map(([name, value]) => MetricLabel.make(name, value))
    const labelled = Metric.taggedWithLabels(metric, tags)
    made.set(key, labelled)
    return labelled
  }
}
