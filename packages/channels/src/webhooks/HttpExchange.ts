import { Data, Effect } from "effect"
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
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly headers: Record<string, string>
  /** Null where there is none. */
  readonly body: string | null
  /** For the connection, if one must be made, and the whole answer. */
  readonly withinMs: number
}

/** How much of a body is kept, and how much is read before its connection is given up. */
const maxKeptOctets = 4 * 1024
const mostRead = 64 * 1024

const enough = new Error("The answer is longer than is read of it")
const abandoned = new Error("The attempt was given up")

/** The time is up and the answer is not whole. */
export class NotInTime extends Data.TaggedError("NotInTime") {}

/** There was no connection, or no whole answer over it. */
export class ExchangeFailed extends Data.TaggedError("ExchangeFailed")<{ readonly cause: Error }> {}

const single = (header: string | Array<string> | undefined) => (Array.isArray(header) ? header[0] : header) ?? null

/**
 * One request and its answer. A reader of streams and a race against the time would each cost as much again as the
 * whole exchange, so that both are done by hand here.
 */
export const httpExchange = (
  pool: Pool,
  { withinMs, ...post }: HttpPost
): Effect.Effect<HttpReply, NotInTime | ExchangeFailed> =>
  Effect.async((resume) => {
    const kept: Array<Buffer> = []
    let read = 0
    let status = 0
    let retryAfter: string | null = null
    let running: Dispatcher.DispatchController | null = null
    let stopped = false

    const stop = () => {
      clearTimeout(timer)
      stopped = true
      running?.abort(abandoned)
    }

    const ended = (outcome: Effect.Effect<HttpReply, NotInTime | ExchangeFailed>) => {
      clearTimeout(timer)
      resume(outcome)
    }

    const answered = () => {
      const head = Buffer.concat(kept).subarray(0, maxKeptOctets)
      ended(Effect.succeed({ status, retryAfter, head }))
    }

    const timer = setTimeout(() => {
      ended(new NotInTime())
      stop()
    }, withinMs)

    pool.dispatch(post, {
      onRequestStart: (controller) => {
        if (stopped) controller.abort(abandoned)
        else running = controller
      },
      onResponseStart: (_, code, headers) => {
        status = code
        retryAfter = single(headers["retry-after"])
      },
      onResponseData: (controller, chunk) => {
        if (read < maxKeptOctets) kept.push(chunk)
        read += chunk.length
        if (read < mostRead) return
        answered()
        controller.abort(enough)
      },
      onResponseEnd: answered,
      onResponseError: (_, error) => ended(new ExchangeFailed({ cause: error }))
    })

    return Effect.sync(stop)
  })
