import type { CallLine } from "./CallProgress.js"

const two = (value: number) => String(value).padStart(2, "0")

const clock = (ms: number) => {
  const seconds = Math.floor(ms / 1_000)
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}

const named = { agent: "Agent: ", caller: "Caller: ", note: "" }

/** The transcript as text: one line for each spoken text with its time, and notes in parentheses. */
export const transcriptText = (lines: ReadonlyArray<CallLine>): string =>
  lines
    .map(({ atMs, speaker, text }) => {
      const line = text.replaceAll(/\s+/g, " ").trim()
      return `[${clock(atMs)}] ${named[speaker]}${speaker === "note" ? `(${line})` : line}\n`
    })
    .join("")
