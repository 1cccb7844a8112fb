import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { consoleRoot, urlOf } from "./Paths.js"

/** The place within the console that the address bar shows. */
export interface Place {
  /** The path without that of the console: `/messages/…`. */
  readonly path: string
  readonly query: URLSearchParams
}

const readPlace = (): Place => ({
  path: `/${location.pathname.slice(consoleRoot().length)}`,
  query: new URLSearchParams(location.search)
})

export const place = signal<Place>(readPlace())

/** Whether the place was reached by a link: the focus then moves to the heading of the new view. */
export const hasNavigated = signal(false)

/** Whether the view has changes that are not saved. */
const hasUnsaved = signal(false)

/** What waits for the confirmation that unsaved changes are discarded. */
export const pendingLeave = signal<(() => void) | undefined>(undefined)

/** Discards unsaved changes: leaving the view does not ask. */
export const discardUnsaved = (): void => {
  hasUnsaved.value = false
}

/** Asks before the view is left, also by closing the page, while it has changes that are not saved. */
export const useUnsaved = (isUnsaved: boolean): void => {
  useEffect(() => {
    hasUnsaved.value = isUnsaved
    return discardUnsaved
  }, [isUnsaved])
}

/** Runs an action that leaves the view. With unsaved changes, the shell asks first. */
export const leaveBy = (action: () => void): void => {
  if (hasUnsaved.peek()) pendingLeave.value = action
  else action()
}

const goTo = (url: string): void => {
  history.pushState(null, "", url)
  const { path } = place.peek()
  place.value = readPlace()
  if (place.value.path !== path) {
    hasNavigated.value = true
    scrollTo(0, 0)
  }
}

/** Goes to a URL of the console. */
export const navigate = (url: string): void => leaveBy(() => goTo(url))

/** Changes query parameters of the current URL, without a new entry in the history. */
export const changeQuery = (changes: Readonly<Record<string, string | undefined>>): void => {
  const { path, query } = place.peek()
  history.replaceState(null, "", urlOf(path, { ...Object.fromEntries(query), ...changes }))
  place.value = readPlace()
}

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.defaultPrevented && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** Follows links within the console without loading the page. */
const followLink = (event: MouseEvent) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null
  if (link === null || !isPlainClick(event) || link.target !== "" || link.hasAttribute("download")) return
  if (link.origin !== location.origin || !link.pathname.startsWith(consoleRoot()) || link.hash !== "") return
  event.preventDefault()
  navigate(link.href)
}

addEventListener("popstate", () => {
  if (hasUnsaved.peek()) {
    // The entry of the view is put after the one that was gone to.
    const { path, query } = place.peek()
    history.pushState(null, "", urlOf(path, Object.fromEntries(query)))
    pendingLeave.value = () => history.back()
    return
  }
  hasNavigated.value = true
  place.value = readPlace()
})
addEventListener("beforeunload", (event) => {
  if (hasUnsaved.peek()) event.preventDefault()
})
document.addEventListener("click", followLink)
