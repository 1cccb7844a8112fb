import { useEffect, useState } from "preact/hooks"

interface Loaded<T> {
  readonly value?: T
  readonly error?: unknown
}

/** Loads a value, and again when a dependency changes. The last value stays until the next one has arrived. */
export const useLoad = <T>(load: (signal: AbortSignal) => Promise<T>, dependencies: ReadonlyArray<unknown>) => {
  const [loaded, setLoaded] = useState<Loaded<T>>({})
  const [round, setRound] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    load(controller.signal).then(
      (value) => !controller.signal.aborted && setLoaded({ value }),
      (error: unknown) => !controller.signal.aborted && setLoaded({ error })
    )
    return () => controller.abort()
  }, [...dependencies, round])
  return {
    ...loaded,
    /** Loads again. */
    reload: () => setRound((count) => count + 1),
    /** Replaces the value, for example by the response of an action. */
    replace: (value: T) => setLoaded({ value })
  }
}
