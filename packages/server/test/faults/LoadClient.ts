import { Agent, request } from "node:http"
import { Effect } from "effect"
import { adminKey } from "../ServiceCalls.js"

/** The outcome of a request for its caller; status 0 means no response. */
export interface Outcome {
  readonly status: number
  readonly id: string | null
  /** Why there is no response, or the message of an error response. */
  readonly error: string | null
}

const unknown = (error: string): Outcome => ({ status: 0, id: null, error })

const outcomeOf = (status: number, text: string): Outcome => {
  const { id, message }: { id?: string; message?: string } = text.startsWith("{") ? JSON.parse(text) : {}
  return { status, id: id ?? null, error: message ?? null }
}

/** Sends requests over persistent connections; never fails. */
export const loadClient = Effect.acquireRelease(
  Effect.sync(() => new Agent({ keepAlive: true })),
  (agent) => Effect.sync(() => agent.destroy())
).pipe(
  Effect.map(
    (agent) => (baseUrl: string, method: "GET" | "POST", path: string, body?: unknown) =>
      Effect.async<Outcome>((resume) => {
        const outgoing = request(
          new URL(path, baseUrl),
          { method, agent, timeout: 20_000, headers: { "X-API-Key": adminKey, "Content-Type": "application/json" } },
          (response) => {
            let text = ""
            response.on("data", (chunk) => {
              text += String(chunk)
            })
            response.on("end", () => resume(Effect.succeed(outcomeOf(response.statusCode ?? 0, text))))
            response.on("error", ({ message }) => resume(Effect.succeed(unknown(message))))
          }
        )
        outgoing.on("timeout", () => outgoing.destroy())
        outgoing.on("error", (error) =>
          resume(
            Effect.succeed(
              unknown(`${"code" in error ? error.code : error.message}${outgoing.reusedSocket ? ", kept" : ""}`)
            )
          )
        )
        outgoing.end(body === undefined ? undefined : JSON.stringify(body))
      })
  )
)

export type LoadClient = Effect.Effect.Success<typeof loadClient>
