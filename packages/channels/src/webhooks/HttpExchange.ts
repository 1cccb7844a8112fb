import { Effect } from "effect"
import type { Dispatcher, Pool } from "undici"

/** What came back. */
export interface HttpReply {
  readonly status: number
  readonly retryAfter: string | null
  /** The beginning of the body. */
  readonly head: Buffer
}

/** What is sent. */
export interface HttpPost {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** How much of a body is kept, and how much is read before its connection is given up. */
const mostKept = 4 * 1024
const mostRead = 64 * 1024

const enough = new Error("The answer is longer than is read of it")
const abandoned = new Error("The attempt was given up")

const single = (header: string | Array<string> | undefined) => (Array.isArray(header) ? header[0] : header) ?? null

/** One request and its answer. A reader of streams would cost more than the rest of the attempt. */
export const httpExchange = (pool: Pool, post: HttpPost): Effect.Effect<HttpReply, Error> =>
  Effect.async((resume) => {
    const kept: Array<Buffer> = []
    let read = 0
    let status = 0
    let retryAfter: string | null = null
    let running: Dispatcher.DispatchController | null = null
    let stopped = false

    const answered = () => {
      const head = Buffer.concat(kept).subarray(0, mostKept)
      resume(Effect.succeed({ status, retryAfter, head }))
    }

    pool.dispatch(
      { ...post, method: "POST" },
      {
        onRequestStart: (controller) => {
          if (stopped) controller.abort(abandoned)
          else running = controller
        },
        onResponseStart: (_, code, headers) => {
          status = code
          retryAfter = single(headers["retry-after"])
        },
        onResponseData: (controller, chunk) => {
          if (read < mostKept) kept.push(chunk)
          read += chunk.length
          if (read < mostRead) return
          answered()
          controller.abort(enough)
        },
        onResponseEnd: answered,
        onResponseError: (_, error) => resume(Effect.fail(error))
      }
    )

    return Effect.sync(() => {
      stopped = true
      running?.abort(abandoned)
    })
  })
