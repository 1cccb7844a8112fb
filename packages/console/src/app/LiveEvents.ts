import { effect } from "@preact/signals"
import { type SwitchboardEvent, UnauthorizedError } from "@switchboard/client/promise"
import { useEffect, useRef } from "preact/hooks"
import { showFailed } from "../components/Notices.js"
import { client, isOffline } from "./Client.js"
import { can } from "./SessionState.js"

type Listener = (event: SwitchboardEvent) => unknown

const listeners = new Set<Listener>()

/** The permission of the event stream. */
const mayFollow = () => can("webhooks.read")

/** How often a session that may not read events loads the view again, in milliseconds. */
const pollInterval = 15_000

/** Follows the events of the organization until the signal is aborted. The client reconnects and resumes. */
const follow = async (signal: AbortSignal) => {
  try {
    for await (const event of client.events({}, { signal })) for (const listener of listeners) listener(event)
  } catch (error) {
    // After a 401 the log-in page is shown.
    if (!signal.aborted && !(error instanceof UnauthorizedError)) showFailed(error)
  }
}

// One stream for all views, as long as the session may read events.
effect(() => {
  if (!mayFollow()) return
  const controller = new AbortController()
  void follow(controller.signal)
  return () => controller.abort()
})

/**
 * Calls the listener with each event of these types while the component is shown. A type is complete or ends with a dot;
 * the empty type matches all.
 */
export const useEvents = (types: ReadonlyArray<string>, listener: Listener): void => {
  useEffect(() => {
    const filtered: Listener = (event) => {
      const type = event.type === "unknown" ? event.name : event.type
      if (types.some((wanted) => (wanted === "" || wanted.endsWith(".") ? type.startsWith(wanted) : type === wanted)))
        listener(event)
    }
    listeners.add(filtered)
    return () => void listeners.delete(filtered)
  })
}

/**
 * Calls the function while the component is shown: when the service responds again, and regularly in a visible page if
 * the session may not read events.
 */
const useRefreshes = (refresh: () => unknown): void => {
  useEffect(() => {
    let wasOffline = false
    const unsubscribe = isOffline.subscribe((offline) => {
      if (wasOffline && !offline) refresh()
      wasOffline = offline
    })
    const poll = () => {
      if (!mayFollow() && document.visibilityState === "visible") refresh()
    }
    const timer = setInterval(poll, pollInterval)
    return () => {
      unsubscribe()
      clearInterval(timer)
    }
  }, [])
}

/**
 * Runs a task for a series of triggers: once at a time, and once more if triggers came while it ran. The last task is run
 * after the last trigger. `useRefreshes` triggers it, too, unless it follows nothing.
 */
export const useLatest = (task: () => Promise<void>, isFollowing = true): (() => void) => {
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
  useRefreshes(() => isFollowing && trigger())
  return trigger
}
