import type { Message } from "@switchboard/client"
import { Console, Effect } from "effect"

/** Prints the heading of a step. */
export const heading = (text: string) => Console.log(`\n── ${text}`)

/** The time of day of an ISO timestamp. */
export const clock = (timestamp: string) => timestamp.slice(11, 23)

/** Prints a text with each line marked as a quotation. */
export const quote = (text: string) =>
  Effect.forEach(text.trimEnd().split(/\r?\n/), (line) => Console.log(`   │ ${line}`), { discard: true })

/** Direction, sender and first line of a message. */
export const summary = ({ content, direction }: Message): string => {
  const [first = ""] = (content.text ?? "").trim().split(/\r?\n/)
  return `${direction === "inbound" ? "←" : "→"}  ${(content.from ?? "").padEnd(38)}  ${first}`
}
