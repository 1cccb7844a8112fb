import { useRef } from "preact/hooks"
import { isOffline } from "../app/Connection.js"
import { useRefreshes } from "../app/LiveEvents.js"
import { showFailed } from "../app/Toasts.js"

/**
 * Runs a task for a series of triggers: once at a time, and once more if triggers came while it ran. The last task is run
 * after the last trigger. `useRefreshes` triggers it, too.
 */
export const useLatest = (task: () => Promise<void>): (() => void) => {
  const latest = useRef(task)
  latest.current = task
  const running = useRef({ isRunning: false, isDue: false })
  const trigger = () => {
    const state = running.current
    state.isDue = true
    if (state.isRunning) return
    state.isRunning = true
    const run = async () => {
      while (state.isDue) {
        state.isDue = false
        await latest.current()
      }
    }
    run()
      // The shell shows that the service does not respond, and the task is run when it responds again.
      .catch((error: unknown) => !isOffline.peek() && showFailed(error))
      .finally(() => {
        state.isRunning = false
      })
  }
  useRefreshes(trigger)
  return trigger
}
