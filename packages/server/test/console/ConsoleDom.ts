import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { build } from "esbuild"
import { Window } from "happy-dom"
import { until } from "../LiveService.js"

/** The script of the console, from its sources. */
const bundle = Effect.promise(async () => {
  const { outputFiles } = await build({
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2022",
    conditions: ["@switchboard/source"],
    entryPoints: [repositoryFile("packages/console/src/main.tsx")],
    jsx: "automatic",
    jsxImportSource: "preact"
  })
  return outputFiles[0]?.text ?? ""
})

/** Waits for an element. */
export const elementShown = (window: Window, selector: string) =>
  until(
    Effect.sync(() => window.document.querySelector(selector)),
    (element) => element !== null
  )

/** Waits for the effects of a render, which run in the next frames. A view then shows that it is loading. */
export const rendered = (window: Window) =>
  Effect.promise(async () => {
    for (let frame = 0; frame < 4; frame += 1)
      await new Promise((resolve) => window.requestAnimationFrame(() => window.setTimeout(resolve)))
  })

const completeView = "main:not(.alone):not(:has([aria-label=Loading], [aria-busy=true])) :is(h1, .empty)"

/** The requests without a response of each window, except its stream of events. */
const openRequests = new WeakMap<Window, Set<object>>()

const countRequests = (window: Window) => {
  const open = new Set<object>()
  openRequests.set(window, open)
  const { fetch } = window
  window.fetch = (input, init) => {
    const request = { url: String(input instanceof window.Request ? input.url : input) }
    if (!request.url.includes("/v1/events")) open.add(request)
    return fetch.call(window, input, init).finally(() => open.delete(request))
  }
}

/** Waits until all requests have their responses. */
export const loaded = Effect.fnUntraced(function* (window: Window) {
  yield* rendered(window)
  yield* until(
    Effect.sync(() => openRequests.get(window)?.size),
    (count) => count === 0
  )
})

/** Goes to a path of the console without loading the page, and waits until the view and its parts are shown. */
export const showPath = Effect.fnUntraced(function* (window: Window, path: string) {
  window.history.pushState(null, "", `/console${path}`)
  window.dispatchEvent(new window.PopStateEvent("popstate"))
  // A response may lead to a part of the view that sends further requests.
  for (const _ of ["view", "parts"]) yield* loaded(window)
  yield* rendered(window)
  yield* elementShown(window, completeView)
})

/** The console in a DOM of this process, which sends its requests to the service, logged in with a key. */
export const openConsole = (baseUrl: string, key: string) =>
  Effect.gen(function* () {
    const script = yield* bundle
    const window = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Window({
            url: `${baseUrl}/console/`,
            settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true }
          })
      ),
      (opened) => Effect.promise(() => opened.happyDOM.close())
    )
    // The number of rows in sight is computed from their height.
    window.document.head.innerHTML = "<style>ul { --row-height: 40px }</style>"
    window.document.body.innerHTML = '<div id="app"></div>'
    countRequests(window)
    window.eval(script)
    yield* elementShown(window, "input[name=password]")
    const toKey = [...window.document.querySelectorAll("button")].find(({ textContent }) =>
      textContent.includes("API key")
    )
    toKey?.click()
    const input = yield* elementShown(window, "input[name=api-key]")
    if (input instanceof window.HTMLInputElement) input.value = key
    window.document.querySelector("form")?.requestSubmit()
    yield* elementShown(window, completeView)
    return window
  })
