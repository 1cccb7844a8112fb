import { assert, layer } from "@effect/vitest"
import { matchPath, paths } from "@switchboard/console/app/Paths"
import axe from "axe-core"
import { Effect } from "effect"
import { inject } from "vitest"
import { describeInBrowser } from "../document/Browser.js"
import { createConsoleData } from "./ConsoleData.js"
import { ConsolePage, overflows, showView, viewShown } from "./ConsolePage.js"
import type { Page } from "./LogIn.js"
import { takeScreenshots } from "./Screenshots.js"

/** The pages that each view is examined as. Colours depend on the scheme alone; the other rules on the layout. */
const pages = [
  { name: "light", width: 1280, scheme: "light", rules: "all" },
  { name: "dark", width: 1280, scheme: "dark", rules: "colours" },
  { name: "phone", width: 390, scheme: "light", rules: "all" }
] as const

/** The serious and critical violations of a part of the page. */
const violationsOf = async (page: Page, name: string, part: string, rules: "all" | "colours" = "all") => {
  const options: axe.RunOptions = {
    resultTypes: ["violations"],
    iframes: false,
    ...(rules === "all" ? {} : { runOnly: ["color-contrast"] })
  }
  const found: axe.AxeResults = await page.evaluate(`axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)})`)
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ help, id, nodes }) => nodes.map(({ html }) => `${name}: ${id} (${help}) ${html.slice(0, 160)}`))
}

/** The violations of the view that is shown, in light, dark and narrow pages. */
const examineView = async (page: Page, path: string) => {
  const found: Array<string> = []
  for (const { name, rules, scheme, width } of pages) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 844 })
    await viewShown(page)
    found.push(...(await violationsOf(page, `${path} ${name}`, "body", rules)))
    found.push(...(await overflows(page)).map((overflow) => `${path} ${name}: ${overflow}`))
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 1280, height: 844 })
  return found
}

/** The violations of the dialogs that the view opens. */
const examineDialogs = async (page: Page, path: string) => {
  const found: Array<string> = []
  const buttons = page.locator('main button[aria-haspopup="dialog"]:visible')
  for (const label of new Set(await buttons.allTextContents())) {
    await buttons.filter({ hasText: label }).first().click()
    await page.locator("dialog[open]").waitFor()
    found.push(...(await violationsOf(page, `${path} ${label}`, "dialog")))
    await page.keyboard.press("Escape")
    await page.locator("dialog").waitFor({ state: "detached" })
  }
  return found
}

const isDetail = (path: string) => path.includes(":")
const lists = Object.values(paths).filter((path) => !isDetail(path))
const details = Object.values(paths).filter(isDetail)

/** The paths within the console that the view links to. */
const linksOf = (page: Page) =>
  page.evaluate<ReadonlyArray<string>>(
    `[...document.querySelectorAll("main a[href]")].map(({ pathname }) => pathname.replace("/console/", "/"))`
  )

describeInBrowser("Accessibility of the console", () => {
  layer(ConsolePage.Live, { excludeTestServices: true })((it) => {
    it.scoped("has no serious violation in any view without data, nor in the menu", () =>
      Effect.gen(function* () {
        const { page, violations } = yield* ConsolePage
        yield* Effect.promise(async () => {
          await page.evaluate(axe.source)
          const found: Array<string> = []
          for (const path of [...lists, "/unknown"]) {
            await showView(page, path)
            found.push(...(await examineView(page, path)))
          }
          await page.setViewportSize({ width: 390, height: 844 })
          await page.getByRole("button", { name: "Menu" }).click()
          found.push(...(await violationsOf(page, "menu", "dialog")))
          await page.keyboard.press("Escape")
          assert.deepStrictEqual(found, [])
        })
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped(
      "has no serious violation in any view with data, nor in its dialogs, nor in the log-in page",
      () =>
        Effect.gen(function* () {
          const { page, violations } = yield* ConsolePage
          const messageId = yield* createConsoleData
          yield* Effect.promise(async () => {
            await page.reload()
            await viewShown(page)
            await takeScreenshots(page, messageId)
            await page.evaluate(axe.source)
            const found: Array<string> = []
            const links = new Set<string>()
            const examine = async (path: string) => {
              await showView(page, path)
              for (const link of await linksOf(page)) links.add(link)
              // A part of a view may be empty, for example the requests of a new key.
              if ((await page.locator("main > .empty, main [role=alert]").count()) > 0) found.push(`${path}: no data`)
              found.push(...(await examineView(page, path)), ...(await examineDialogs(page, path)))
            }
            for (const path of lists) await examine(path)
            for (const pattern of details) {
              const link = [...links].find((path) => matchPath(pattern, path) !== undefined)
              if (link === undefined) found.push(`${pattern}: no list has a link to it`)
              else await examine(link)
            }
            await page.getByRole("button", { name: "Log out" }).click()
            await page.getByRole("button", { name: "Log in" }).waitFor()
            found.push(...(await examineView(page, "log-in")))
            assert.deepStrictEqual(found, [])
          })
          assert.deepStrictEqual(violations, [])
        }),
      // For what hangs.
      600_000 * inject("machineFactor")
    )
  })
})
