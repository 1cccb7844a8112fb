/** How a status is coloured. */
type Tone = "good" | "bad" | "warning" | "active" | "neutral"

const tones: Readonly<Record<string, Tone>> = {
  active: "good",
  delivered: "good",
  found: "good",
  read: "good",
  received: "good",
  resolved: "good",
  succeeded: "good",
  verified: "good",
  sent: "active",
  pending: "active",
  processing: "active",
  queued: "warning",
  scheduled: "neutral",
  deferred: "warning",
  degraded: "warning",
  suppressed: "warning",
  bounced: "bad",
  complained: "bad",
  failed: "bad",
  disabled: "bad",
  missing: "bad"
}

/** A status as a word with a coloured dot. */
export const Status = ({ value }: { readonly value: string }) => (
  <span class={`status ${tones[value] ?? "neutral"}`}>{value}</span>
)
