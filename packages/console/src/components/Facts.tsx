import { type ReadonlySignal, signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { relativeTime } from "./Format.js"
import { CopyButton } from "./Notices.js"

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
  clicked: "good",
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

const current = signal(Date.now())
setInterval(() => {
  current.value = Date.now()
}, 15_000)

/** The current time in milliseconds, updated every 15 seconds. */
export const now: ReadonlySignal<number> = current

const complete = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", hour12: false })

interface TimeProps {
  readonly value: Date | string
  readonly isComplete?: boolean
  /** Whether the time is planned, such as that of a next attempt. */
  readonly isUpcoming?: boolean
}

/** A time in the zone of the browser: relative within a day, or complete. Its tooltip is in UTC. */
export const Time = ({ isComplete = false, isUpcoming = false, value }: TimeProps) => {
  const date = typeof value === "string" ? new Date(value) : value
  const utc = `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`
  return (
    <time dateTime={date.toISOString()} title={utc}>
      {isComplete ? complete.format(date) : relativeTime(date, Math.max(now.value, Date.now()), isUpcoming)}
    </time>
  )
}

/** An id or another text to copy. */
export const Identifier = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <span class="identifier">
    <code title={value}>{value}</code>
    <CopyButton text={value} label={`Copy the ${label}`} />
  </span>
)

export interface FactsProps {
  readonly facts: ReadonlyArray<readonly [name: string, value: ComponentChildren | Date]>
}

/** Facts with their names. A fact without a value is left out; times are complete. */
export const Facts = ({ facts }: FactsProps) => (
  <dl class="facts">
    {facts.map(([name, value], index) =>
      value === undefined || value === null || value === "" ? null : (
        <div key={`${index} ${name}`}>
          <dt>{name}</dt>
          <dd>{value instanceof Date ? <Time value={value} isComplete /> : value}</dd>
        </div>
      )
    )}
  </dl>
)
