import { assert, layer } from "@effect/vitest"
import { matchPath, paths } from "@switchboard/console/app/Paths"
import { Effect } from "effect"
import { inject } from "vitest"
import { describeInBrowser } from "../document/Browser.js"
import { createConsoleData } from "./ConsoleData.js"
import { ConsolePage, showView, viewShown } from "./ConsolePage.js"
import { examineView, loadAxe, violationsOf } from "./ExamineView.js"
import type { Page } from "./LogIn.js"
import { takeScreenshots } from "./Screenshots.js"

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
          await loadAxe(page)
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
            await loadAxe(page)
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
            await page.getByRole("button", { name: "Log in", exact: true }).waitFor()
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
