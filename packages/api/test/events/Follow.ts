import { Effect } from "effect"
import { keys, LiveApi } from "../LiveApi.js"

/** Reads the event stream until its scope closes. `key` null: without `X-API-Key`. */
export const follow = (query = "", headers: Readonly<Record<string, string>> = {}, key: string | null = keys.admin) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* LiveApi
    const abort = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    )
    const response = yield* Effect.promise(() =>
      fetch(`${baseUrl}/v1/events${query}`, {
        headers: { ...(key === null ? {} : { "X-API-Key": key }), ...headers },
        signal: abort.signal
      })
    )
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    let done = false
    const read = Effect.promise(async () => {
      const part = await reader?.read()
      text += part?.value ?? ""
      done = part?.done ?? true
    })
    return {
      status: response.status,
      headers: response.headers,
      /** Reads until the text meets a condition, and returns it. */
      until: (isSo: (text: string) => boolean) =>
        Effect.map(Effect.repeat(read, { until: () => done || isSo(text) }), () => text),
      /** Waits for the end of the stream. */
      ended: Effect.repeat(read, { until: () => done })
    }
  })
