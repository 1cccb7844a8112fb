import { assert, layer } from "@effect/vitest"
import { matchPath } from "@switchboard/console/app/PathPattern"
import { paths } from "@switchboard/console/app/Paths"
import { Effect } from "effect"
import type { Window } from "happy-dom"
import { expect } from "vitest"
import { adminKey } from "../LiveService.js"
import { createConsoleData } from "./ConsoleData.js"
import { elementShown, openConsole, rendered, showPath } from "./ConsoleDom.js"
import { Laptop } from "./Laptop.js"

/** What differs between runs: ids, keys, tokens, times, ports and figures. */
const variable: ReadonlyArray<readonly [RegExp, string]> = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID"],
  [/p=[\w+/=]{100,}/g, "p=KEY"],
  [/\b[0-9a-f]{20,}\b/g, "TOKEN"],
  [/sk_sm_\w+/g, "sk_sm_KEY"],
  [/\d{4}-\d\d-\d\d(T[\d:.]+Z| [\d:]+ [A-Z]\S*)/g, "TIME"],
  [/[A-Z][a-z]{2} \d{1,2}, \d{4}(, [\d:]+)?/g, "TIME"],
  [/just now|in a moment|\d+ (second|minute|hour)s? ago|in \d+ (second|minute|hour)s?/g, "TIME"],
  [/127\.0\.0\.1:\d+/g, "HOST"],
  [/\b[\d.]+ m?s\b/g, "DURATION"],
  [/^\d+\. (?=The name )/, "ATTEMPT. "],
  [/^(never|last) used$/, "USE"],
  // Points of charts.
  [/^(?:\d\d:00|TIME): .*$/, "POINT"]
]

const withoutVariables = (text: string) =>
  variable.reduce((masked, [pattern, name]) => masked.replace(pattern, name), text.replaceAll(/\s+/g, " ").trim())

const isFigure = (text: string) => /^(DURATION|[\d.,]*( ?%| ?s)?)$/.test(text)

/** The distinct texts of a part of the page, in alphabetical order: the order of concurrent events differs. */
const textsOf = (window: Window, part: string) => {
  const leaves = [...window.document.querySelectorAll(`${part} *`)].filter((element) => element.children.length === 0)
  const attributes = leaves.flatMap((element) =>
    ["placeholder", "title", "aria-label"].flatMap((name) => element.getAttribute(name) ?? [])
  )
  const texts = [...leaves.map((element) => element.textContent), ...attributes].map(withoutVariables)
  return [...new Set(texts)].filter((text) => !isFigure(text)).sort()
}

/** The texts of the dialogs that the view opens. */
const dialogsOf = Effect.fnUntraced(function* (window: Window) {
  const labels = new Set(
    [...window.document.querySelectorAll('main button[aria-haspopup="dialog"]')].map(({ textContent }) => textContent)
  )
  const dialogs: Array<string> = []
  for (const label of labels) {
    const button = [...window.document.querySelectorAll('main button[aria-haspopup="dialog"]')].find(
      ({ textContent }) => textContent === label
    )
    if (!(button instanceof window.HTMLElement)) continue
    button.click()
    yield* elementShown(window, "dialog")
    yield* rendered(window)
    dialogs.push(`  ${label}: ${textsOf(window, "dialog").join(" | ")}`)
    window.document.querySelector("dialog")?.close()
    yield* rendered(window)
  }
  return dialogs
})

const isDetail = (path: string) => path.includes(":")
const lists = Object.values(paths).filter((path) => !isDetail(path))
const details = Object.values(paths).filter(isDetail)

layer(Laptop.Live, { excludeTestServices: true })("The views of the console", (it) => {
  it.scoped("show everything that the service has", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Laptop
      yield* createConsoleData
      const window = yield* openConsole(baseUrl, adminKey)
      const links: Array<{ readonly path: string; readonly text: string }> = []
      const views: Array<string> = []
      const describe = Effect.fnUntraced(function* (pattern: string, path: string) {
        yield* showPath(window, path)
        for (const link of window.document.querySelectorAll("main a[href]"))
          links.push({
            path: (link.getAttribute("href") ?? "").replace("/console/", "/"),
            text: withoutVariables(link.textContent)
          })
        views.push([pattern, ...textsOf(window, "main"), ...(yield* dialogsOf(window))].join("\n"))
      })
      for (const path of lists) yield* describe(path, path)
      for (const pattern of details) {
        // The last by its text: messages of the same moment have no fixed order. The key with it has no requests.
        const link = links
          .filter(({ path }) => matchPath(pattern, path) !== undefined)
          .sort((one, other) => one.text.localeCompare(other.text))
          .at(-1)
        yield* describe(pattern, link?.path ?? assert.fail(`No view has a link to ${pattern}`))
      }
      yield* Effect.promise(() => expect(views.join("\n\n")).toMatchFileSnapshot("./views.txt"))
    })
  )
})
