import { signal } from "@preact/signals"
import { consoleRoot, urlOf } from "./Urls.js"

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

/** Goes to a URL of the console. */
export const navigate = (url: string): void => {
  history.pushState(null, "", url)
  const { path } = place.peek()
  place.value = readPlace()
  if (place.value.path !== path) {
    hasNavigated.value = true
    scrollTo(0, 0)
  }
}

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
  hasNavigated.value = true
  place.value = readPlace()
})
document.addEventListener("click", followLink)
