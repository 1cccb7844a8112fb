/** How a status is coloured. */
type Tone = "good" | "bad" | "warning" | "active" | "neutral"

const tones: Readonly<Record<string, Tone>> = {
  active: "good",
  closed: "good",
  ok: "good",
  completed: "good",
  delivered: "good",
  pass: "good",
  read: "good",
  received: "good",
  resolved: "good",
  succeeded: "good",
  published: "good",
  verified: "good",
  forwarded: "good",
  sent: "active",
  in_progress: "active",
  pending: "active",
  processing: "active",
  ringing: "active",
  changed: "warning",
  half_open: "warning",
  loop_blocked: "warning",
  warning: "warning",
  paused: "warning",
  queued: "warning",
  retrying: "warning",
  waiting: "warning",
  scheduled: "neutral",
  deferred: "warning",
  degraded: "warning",
  softfail: "warning",
  suppressed: "warning",
  busy: "warning",
  no_answer: "warning",
  bounced: "bad",
  error: "bad",
  open: "bad",
  complained: "bad",
  differs: "bad",
  fail: "bad",
  failed: "bad",
  failing: "bad",
  disabled: "bad",
  expired: "bad",
  missing: "bad"
}

/** A status as a word with a coloured dot. */
export const Status = ({ value }: { readonly value: string }) => (
  <span class={`status ${tones[value] ?? "neutral"}`}>{value.replaceAll("_", " ")}</span>
)
