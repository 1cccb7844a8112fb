import { useRef } from "preact/hooks"
import { showFailed } from "../app/Toasts.js"

/**
 * Runs a task for a series of triggers: once at a time, and once more if triggers came while it ran. The last task is run
 * after the last trigger.
 */
export const useLatest = (task: () => Promise<void>): (() => void) => {
  const latest = useRef(task)
  latest.current = task
  const running = useRef({ isRunning: false, isDue: false })
  return () => {
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
      .catch(showFailed)
      .finally(() => {
        state.isRunning = false
      })
  }
}
