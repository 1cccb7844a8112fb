import type { CallLine, CallProgress } from "./CallProgress.js"

/** The part of a line that was spoken by `ms`; null if nothing was. */
const spokenBy = (line: CallLine, ms: number): CallLine | null => {
  if (line.atMs + line.durationMs <= ms) return line
  const words = line.text.split(/\s+/)
  const spoken = words.slice(0, Math.floor((words.length * (ms - line.atMs)) / line.durationMs))
  return spoken.length === 0 ? null : { ...line, durationMs: ms - line.atMs, text: `${spoken.join(" ")} –` }
}

/** Truncates a call that ended early: lines after `ms` are removed. */
export const cutCall = (progress: CallProgress, ms: number): CallProgress => ({
  ...progress,
  clockMs: Math.min(progress.clockMs, ms),
  lines: progress.lines.flatMap((line) => (line.atMs > ms ? [] : (spokenBy(line, ms) ?? []))),
  matches: progress.matches.filter(({ atMs }) => atMs <= ms)
})
