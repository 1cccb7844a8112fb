import type { CallLine, CallProgress } from "./CallProgress.js"

/** As much of a line as had been said by then; null if nothing. */
const saidBy = (line: CallLine, ms: number): CallLine | null => {
  if (line.atMs + line.durationMs <= ms) return line
  const words = line.text.split(/\s+/)
  const said = words.slice(0, Math.floor((words.length * (ms - line.atMs)) / line.durationMs))
  return said.length === 0 ? null : { ...line, durationMs: ms - line.atMs, text: `${said.join(" ")} –` }
}

/** A call that ended earlier than it was to: what had been said by then, and nothing that came after. */
export const cutCall = (progress: CallProgress, ms: number): CallProgress => ({
  ...progress,
  clockMs: Math.min(progress.clockMs, ms),
  lines: progress.lines.flatMap((line) => (line.atMs > ms ? [] : (saidBy(line, ms) ?? []))),
  matches: progress.matches.filter(({ atMs }) => atMs <= ms)
})
