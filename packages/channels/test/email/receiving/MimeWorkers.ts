import {
  MimeWorkerPoolNode,
  MimeWorkerPoolSettings
} from "@switchboard/channels/email/receiving/reading/MimeWorkerPool"
import { Effect, Layer, Scope } from "effect"
import { inject } from "vitest"

/** The settings of worker threads, with the program that BundleMimeWorker.ts compiled. */
export const mimeWorkerSettings = (settings: Partial<typeof MimeWorkerPoolSettings.Service> = {}) =>
  Layer.sync(MimeWorkerPoolSettings, () => ({
    ...MimeWorkerPoolSettings.defaultValue(),
    program: new URL(inject("mimeWorker")),
    ...settings
  }))

/** A pool of worker threads for tests. */
export const mimeWorkers = (settings: Partial<typeof MimeWorkerPoolSettings.Service> = {}) =>
  Layer.provide(MimeWorkerPoolNode, mimeWorkerSettings(settings))

let shared: ReturnType<typeof startShared> | undefined

const startShared = () =>
  Effect.runPromise(Layer.buildWithScope(mimeWorkers({ timeout: "15 seconds" }), Effect.runSync(Scope.make())))

/** A pool that the files of a test worker share: a worker thread takes a quarter of a second to start. */
export const sharedMimeWorkers = Layer.effectContext(
  Effect.promise(() => {
    shared ??= startShared()
    return shared
  })
)
