import type { CallLine } from "./CallProgress.js"

const two = (value: number) => String(value).padStart(2, "0")

const clock = (ms: number) => {
  const seconds = Math.floor(ms / 1_000)
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}

const named = { agent: "Agent: ", caller: "Caller: ", note: "" }

/** A call to be read: a line for each thing that was said, with its time, and what happened besides in brackets. */
export const transcriptText = (lines: ReadonlyArray<CallLine>): string =>
  lines
    .map(({ atMs, speaker, text }) => {
      const told = text.replaceAll(/\s+/g, " ").trim()
      return `[${clock(atMs)}] ${named[speaker]}${speaker === "note" ? `(${told})` : told}\n`
    })
    .join("")
