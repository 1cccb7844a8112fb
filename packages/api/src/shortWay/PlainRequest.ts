import type { IncomingMessage } from "node:http"
import { smallBody } from "../Annotations.js"

/** How nearly every client says that its body is JSON. */
const json = new Set(["application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"])

/** What is heeded elsewhere alone: other origins, other lengths and codings, more than one answer. */
const special = ["origin", "content-encoding", "transfer-encoding", "expect", "upgrade", "set-cookie"]

/** The headers of a request that is as nearly all are: a small JSON body of a known length, and nothing to consider. */
export const plainHeaders = ({ headers }: IncomingMessage): Readonly<Record<string, string>> | null => {
  if (
    !json.has(headers["content-type"] ?? "") ||
    headers.host === undefined ||
    special.some((name) => headers[name] !== undefined)
  )
    return null
  const length = Number(headers["content-length"] ?? Number.NaN)
  if (!(length <= smallBody)) return null
  const plain: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === "string") plain[name] = value
  }
  return plain
}

/** Reads a body to its end. One whose sender leaves has nobody who waits for an answer. */
export const readWhole = (request: IncomingMessage, use: (body: Uint8Array) => void): void => {
  const chunks: Array<Uint8Array> = []
  request.on("data", (chunk: Uint8Array) => chunks.push(chunk))
  request.on("end", () => use(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
}
