import { assert, layer } from "@effect/vitest"
import { matchPath, paths } from "@switchboard/console/app/Paths"
import { Context, Effect, Layer } from "effect"
import type { Window } from "happy-dom"
import { expect } from "vitest"
import { adminKey } from "../LiveService.js"
import { createConsoleData } from "./ConsoleData.js"
import { elementShown, loaded, openConsole, rendered, showPath } from "./ConsoleDom.js"
import { Laptop } from "./Laptop.js"

/** What differs between runs: ids, keys, tokens, times, ports and figures. */
const variable: ReadonlyArray<readonly [RegExp, string]> = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID"],
  [/p=[\w+/=]{100,}/g, "p=KEY"],
  [/\b[0-9a-f]{20,}\b/g, "TOKEN"],
  [/sk_sm_\w+/g, "sk_sm_KEY"],
  [/\d{4}-\d\d-\d\d(T[\d:.]+Z| [\d:]+ [A-Z]\S*)/g, "TIME"],
  [/[A-Z][a-z]{2} \d{1,2}, (\d{4}(, [\d:]+)?|\d\d:\d\d)/g, "TIME"],
  [/^now$|just now|in a moment|\d+ (second|minute|hour)s? ago|in \d+ (second|minute|hour)s?/g, "TIME"],
  [/\d+ (min|hr)\. ago|in \d+ (min|hr)\./g, "TIME"],
  [/^v1,[\w+/=]+$/, "SIGNATURE"],
  [/^\{ ".*\}$/, "JSON"],
  [/^\d+, [\d.]+ % succeeded$/, "RATE"],
  [/127\.0\.0\.1:\d+/g, "HOST"],
  [/^Mozilla\/.*$/, "BROWSER"],
  [/(?<=port: )\d+|\d+(?=, without TLS)/g, "PORT"],
  [/(?<=Time zone )\S+ \(GMT\S*\)/, "ZONE"],
  [/\b[\d.]+ m?s\b/g, "DURATION"],
  [/^\d+\. (?=The name )/, "ATTEMPT. "],
  // The last use of a key is stored a moment after it.
  [/^never used$/, "TIME"],
  [/\d+ (?=sent|refused at once|failed|attempted)/g, "COUNT "],
  // Events for the endpoint, which has no address, wait for their next attempt or are attempted.
  [/^Queues: .*$/, "Queues: SIZES"],
  // Points of charts.
  [/^(?:\d\d:00|TIME): .*$/, "POINT"]
]

const withoutVariables = (text: string) =>
  variable.reduce((masked, [pattern, name]) => masked.replace(pattern, name), text.replaceAll(/\s+/g, " ").trim())

/** A figure, or the dash of one that is absent. */
const isFigure = (text: string) => /^(DURATION|–|[\d.,]*( ?%| ?s)?)$/.test(text)

/** The parts of a page whose texts belong together: rows, facts, fields with their labels, actions and tabs. */
const groups = "li, tr, dl > div, dl, label, figure, .field, .buttons, .tabs"

/**
 * The distinct texts of a part of the page, those of a group in one line, in alphabetical order: the order of concurrent
 * events differs.
 */
const textsOf = (window: Window, part: string) => {
  const leaves = [...window.document.querySelectorAll(`${part} *`)].filter((element) => element.children.length === 0)
  const byGroup = new Map<unknown, typeof leaves>()
  for (const leaf of leaves) {
    const group = leaf.closest(groups) ?? leaf.closest("select") ?? leaf
    byGroup.set(group, [...(byGroup.get(group) ?? []), leaf])
  }
  const lines = [...byGroup.values()].map((members) => {
    const texts = members.flatMap((element) => [
      element.textContent,
      ...["placeholder", "title", "aria-label"].flatMap((name) => element.getAttribute(name) ?? [])
    ])
    return [...new Set(texts.map(withoutVariables).filter((text) => !isFigure(text)))].join(" | ")
  })
  return [...new Set(lines)].filter((line) => line !== "").sort()
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
    yield* loaded(window)
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

/** The views of details that only a session with the permission to change them has a link to. */
const editors: ReadonlyArray<string> = [paths.templateEditor, paths.workflowEditor]

/** Shows each view: the lists, then a resource of each kind that a view links to. */
const showEach = <E, R>(
  window: Window,
  visit: (pattern: string) => Effect.Effect<void, E, R>,
  patterns: ReadonlyArray<string> = details
) =>
  Effect.gen(function* () {
    const links: Array<{ readonly path: string; readonly text: string }> = []
    const show = Effect.fnUntraced(function* (pattern: string, path: string) {
      yield* showPath(window, path)
      for (const link of window.document.querySelectorAll("main a[href]"))
        links.push({
          path: (link.getAttribute("href") ?? "").replace("/console/", "/"),
          text: withoutVariables(link.textContent)
        })
      yield* visit(pattern)
    })
    for (const path of lists) yield* show(path, path)
    for (const pattern of patterns) {
      // The last by its text: messages of the same moment have no fixed order. The key with it has no requests.
      const link = links
        .filter(({ path }) => matchPath(pattern, path) !== undefined)
        .sort((one, other) => one.text.localeCompare(other.text))
        .at(-1)
      yield* show(pattern, link?.path ?? assert.fail(`No view has a link to ${pattern}`))
    }
  })

/** The id of a delivered message with an attachment and a click. */
class ShippedMessage extends Context.Tag("test/ShippedMessage")<ShippedMessage, string>() {}

const Live = Layer.effect(ShippedMessage, createConsoleData).pipe(Layer.provideMerge(Laptop.Live))

layer(Live, { excludeTestServices: true })("The views of the console", (it) => {
  it.scoped("show everything that the service has", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* Laptop
      const window = yield* openConsole(baseUrl, adminKey)
      const views: Array<string> = []
      yield* showEach(window, (pattern) =>
        Effect.suspend(() => {
          const texts = textsOf(window, "main")
          return Effect.map(dialogsOf(window), (dialogs) => void views.push([pattern, ...texts, ...dialogs].join("\n")))
        })
      )
      yield* showPath(window, `/messages/${yield* ShippedMessage}`)
      views.push(["The clicks of a message", ...textsOf(window, "main .clicks")].join("\n"))
      const { body } = yield* call("GET", "/v1/email/domains?limit=100")
      const reported = body.items.find((one: { readonly domain: string }) => one.domain === "bookshop.example")
      yield* showPath(window, `/domains/${reported.id}`)
      views.push(["The reports of a domain", ...textsOf(window, "main .detail > div > .card:last-child")].join("\n"))
      yield* Effect.promise(() => expect(views.join("\n\n")).toMatchFileSnapshot("./views.txt"))
    })
  )

  it.scoped("have no actions for a key that may only read", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* Laptop
      const { body } = yield* call("POST", "/v1/api-keys", { name: "Viewer", roleName: "viewer" })
      const window = yield* openConsole(baseUrl, body.key)
      const actions: Record<string, ReadonlyArray<string>> = {}
      const readable = details.filter((pattern) => !editors.includes(pattern))
      const record = (pattern: string) =>
        Effect.sync(() => {
          // A term with a definition is a button, but no action.
          const shown = [...window.document.querySelectorAll("main button:not([aria-describedby])")]
          const buttons = shown.map(({ textContent }) => textContent)
          actions[pattern] = [...new Set(buttons)].filter((label) => label !== "")
          if (pattern === paths.draft) assert.isNotNull(window.document.querySelector("main fieldset[disabled]"))
        })
      yield* showEach(window, record, readable)
      const own = Object.entries(actions).filter(([, labels]) => labels.length > 0)
      const parts = ["HTML", "Text", "Headers", "Raw"]
      assert.deepStrictEqual(Object.fromEntries(own), {
        "/messages": ["Export CSV"],
        "/audit": ["Details"],
        "/blocks": ["Check an address"],
        "/domains/:id": ["Copy all"],
        "/analytics": ["Refresh"],
        "/messages/:id": parts,
        "/mailbox/:id": parts,
        "/templates/:id": ["HTML", "Text"],
        "/webhooks/:id": ["Refresh"],
        "/api-keys/:id": ["Refresh"]
      })
      for (const path of ["/send", "/smtp", "/system", "/templates/1/edit", "/voice/workflows/1/edit"]) {
        yield* showPath(window, path)
        assert.include(textsOf(window, "main"), "Not permitted", path)
        assert.isNull(window.document.querySelector(`a[href="/console${path}"]`), path)
      }
    })
  )
})
