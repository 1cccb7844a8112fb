import { type ReadonlySignal, signal } from "@preact/signals"

const current = signal(Date.now())
setInterval(() => {
  current.value = Date.now()
}, 15_000)

/** The current time in milliseconds, updated every 15 seconds. */
export const now: ReadonlySignal<number> = current
