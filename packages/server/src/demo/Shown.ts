import type { Message } from "@switchboard/domain/messages/Message"
import { Console, Effect } from "effect"

/** What is told next. */
export const heading = (text: string) => Console.log(`\n── ${text}`)

/** The time of day. */
export const clock = (timestamp: string) => timestamp.slice(11, 23)

/** A text as it stands in a mail. */
export const quote = (text: string) =>
  Effect.forEach(text.trimEnd().split(/\r?\n/), (line) => Console.log(`   │ ${line}`), { discard: true })

/** What a message says first, and who says it. */
export const spoken = ({ content, direction }: Message): string => {
  const [first = ""] = (content.text ?? "").trim().split(/\r?\n/)
  return `${direction === "inbound" ? "←" : "→"}  ${(content.from ?? "").padEnd(38)}  ${first}`
}
