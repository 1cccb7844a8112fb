/** The bucket of a latency in milliseconds: one per value of six binary digits, exact up to 64, then within 1.6 %. */
export const latencyBucket = (millis: number): number => {
  const latency = Math.max(0, Math.floor(millis))
  const exponent = Math.max(0, Math.floor(Math.log2(Math.max(latency, 1))) - 5)
  return 32 * exponent + Math.round(latency / 2 ** exponent)
}

/** The latency of a bucket in milliseconds. */
export const bucketLatency = (bucket: number): number =>
  bucket < 64 ? bucket : ((bucket % 32) + 32) * 2 ** (Math.floor(bucket / 32) - 1)

/** The buckets of all safe integers. */
const bucketCount = latencyBucket(Number.MAX_SAFE_INTEGER) + 1

/** Sums of messages by bucket of their latency. */
export class LatencyHistogram {
  private readonly counts = new Float64Array(bucketCount)
  private total = 0

  add(bucket: number, messages: number) {
    this.counts[bucket] = (this.counts[bucket] ?? 0) + messages
    this.total += messages
  }

  addAll({ counts, total }: LatencyHistogram) {
    for (let bucket = 0; bucket < bucketCount && total > 0; bucket++) {
      this.counts[bucket] = (this.counts[bucket] ?? 0) + (counts[bucket] ?? 0)
    }
    this.total += total
  }

  clear() {
    this.counts.fill(0)
    this.total = 0
  }

  /** The shortest latency that at least a share of the messages did not exceed; 0 without messages. */
  percentile(share: number): number {
    let within = 0
    for (let bucket = 0; bucket < bucketCount && this.total > 0; bucket++) {
      within += this.counts[bucket] ?? 0
      if (within >= this.total * share) return bucketLatency(bucket)
    }
    return 0
  }
}
