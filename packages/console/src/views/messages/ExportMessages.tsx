import { escapeFormula } from "@switchboard/domain/Text"
import { useEffect, useRef, useState } from "preact/hooks"
import { showDone } from "../../app/Toasts.js"
import type { Message } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { messageCount } from "../../components/MessageCount.js"
import { openMessages } from "./FindMessages.js"
import type { MessageFilters } from "./MessageFilters.js"

/** The maximum number of messages of a file: 100 requests. */
export const maxExported = 10_000

const list = (values: ReadonlyArray<string> = []) => values.join(", ")

/** The columns, named as those of `GET /analytics/export`. */
const columns: ReadonlyArray<readonly [name: string, cell: (message: Message) => string | null | undefined]> = [
  ["id", ({ id }) => id],
  ["createdAt", ({ createdAt }) => createdAt.toISOString()],
  ["channel", ({ channel }) => channel],
  ["direction", ({ direction }) => direction],
  ["status", ({ status }) => status],
  ["from", ({ content }) => content.from],
  ["to", ({ emailMetadata }) => list(emailMetadata?.to)],
  ["cc", ({ emailMetadata }) => list(emailMetadata?.cc)],
  ["bcc", ({ emailMetadata }) => list(emailMetadata?.bcc)],
  ["subject", ({ content }) => content.subject],
  ["externalId", ({ externalId }) => externalId],
  ["referenceId", ({ referenceId }) => referenceId],
  ["tags", ({ tags }) => list(tags)],
  ["lastError", ({ lastError }) => lastError]
]

/** A line of CSV (RFC 4180). */
const line = (cells: ReadonlyArray<string>) =>
  `${cells.map((cell) => `"${escapeFormula(cell).replaceAll('"', '""')}"`).join(",")}\r\n`

const download = (lines: ReadonlyArray<string>) => {
  const url = URL.createObjectURL(new Blob([...lines], { type: "text/csv" }))
  Object.assign(document.createElement("a"), { href: url, download: "messages.csv" }).click()
  URL.revokeObjectURL(url)
}

/** Exports the messages that the filters match as CSV, newest first, at most `maxExported`. */
export const ExportMessages = ({ filters }: { readonly filters: MessageFilters }) => {
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const run = async () => {
    const controller = new AbortController()
    running.current = controller
    const lines = [line(columns.map(([name]) => name))]
    try {
      for await (const message of openMessages(filters, controller.signal)) {
        lines.push(line(columns.map(([, cell]) => cell(message) ?? "")))
        if (lines.length % 100 === 0) setCount(lines.length)
        if (lines.length > maxExported) break
      }
    } finally {
      setCount(undefined)
    }
    download(lines)
    showDone(`${messageCount(lines.length - 1)} exported`)
  }
  return (
    <ActionButton
      label={count === undefined ? "Export CSV" : `Exporting: ${count.toLocaleString("en")}`}
      icon="download"
      permission="messages.read"
      action={run}
    />
  )
}
