import { spawn } from "node:child_process"
import { pathToFileURL } from "node:url"
import { Deferred, Effect, Schema } from "effect"

/** A response of the server, or a request: that has a method, and needs a response. */
const Message = Schema.parseJson(
  Schema.Struct({
    id: Schema.optional(Schema.Union(Schema.Number, Schema.String)),
    method: Schema.optional(Schema.String),
    result: Schema.optional(
      Schema.NullOr(Schema.Struct({ contents: Schema.optional(Schema.Struct({ value: Schema.String })) }))
    )
  })
)

/** The messages of a buffer, and its rest: each has a header with its length (Language Server Protocol, base protocol). */
const split = (buffer: Buffer): readonly [ReadonlyArray<string>, Buffer] => {
  const end = buffer.indexOf("\r\n\r\n")
  const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, Math.max(end, 0)).toString())?.[1] ?? 0)
  const next = end + 4 + length
  if (end < 0 || buffer.length < next) return [[], buffer]
  const [messages, rest] = split(buffer.subarray(next))
  return [[buffer.subarray(end + 4, next).toString(), ...messages], rest]
}

/** The language server of TypeScript, as editors start it. */
export const languageServer = (compiler: string, folder: string) =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [compiler, "--lsp", "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] })
      ),
      (process) => Effect.sync(() => process.kill())
    )
    const notify = (message: object) => {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message })
      child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    }
    const waiting = new Map<unknown, Deferred.Deferred<string>>()
    const receive = ({ id, method, result }: typeof Message.Type) => {
      if (method === undefined) {
        const answer = waiting.get(id)
        if (answer !== undefined) Deferred.unsafeDone(answer, Effect.succeed(result?.contents?.value ?? ""))
      } else if (id !== undefined) notify({ id, result: null })
    }
    let buffer = Buffer.alloc(0)
    child.stdout.on("data", (bytes: Buffer) => {
      const [messages, rest] = split(Buffer.concat([buffer, bytes]))
      buffer = Buffer.from(rest)
      for (const message of messages) receive(Schema.decodeSync(Message)(message))
    })
    const request = (method: string, params: object) =>
      Effect.gen(function* () {
        const id = waiting.size + 1
        const answer = yield* Deferred.make<string>()
        waiting.set(id, answer)
        notify({ id, method, params })
        return yield* Deferred.await(answer)
      })

    const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] } } }
    yield* request("initialize", { processId: null, rootUri: pathToFileURL(folder).href, capabilities })
    notify({ method: "initialized", params: {} })

    return {
      /** Opens a file; the result shows the hover text at the first position of a text in it. */
      open: (file: string, text: string) => {
        const uri = pathToFileURL(file).href
        notify({
          method: "textDocument/didOpen",
          params: { textDocument: { uri, languageId: "typescript", version: 1, text } }
        })
        return (shown: string) => {
          const lines = text.slice(0, text.indexOf(shown)).split("\n")
          const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
          return request("textDocument/hover", { textDocument: { uri }, position })
        }
      }
    }
  })
