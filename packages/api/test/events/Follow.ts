import { Effect } from "effect"
import { keys, LiveApi } from "../LiveApi.js"

/** Follows the stream of events as any HTTP client does, until its scope closes. */
export const follow = (query = "", headers: Readonly<Record<string, string>> = {}, key = keys.admin) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* LiveApi
    const abort = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    )
    const response = yield* Effect.promise(() =>
      fetch(`${baseUrl}/v1/events${query}`, { headers: { "X-API-Key": key, ...headers }, signal: abort.signal })
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
      /** All that came, once it is as wanted; hangs if it never is. */
      until: (isSo: (text: string) => boolean) =>
        Effect.map(Effect.repeat(read, { until: () => done || isSo(text) }), () => text),
      /** Waits until the service ends it. */
      ended: Effect.repeat(read, { until: () => done })
    }
  })
