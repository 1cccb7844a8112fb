import { assert, layer } from "@effect/vitest"
import { matchPath, paths } from "@switchboard/console/app/Paths"
import { Effect } from "effect"
import { inject } from "vitest"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { send, until } from "../LiveService.js"
import { createConsoleData } from "./ConsoleData.js"
import { ConsolePage, showView, viewShown } from "./ConsolePage.js"
import { examineView, loadAxe, violationsOf } from "./ExamineView.js"
import { Laptop } from "./Laptop.js"
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

/** Waits for a mail to an address in the local mailbox; returns the link with a token in its header or its text. */
const linkInMail = (address: string) =>
  Effect.gen(function* () {
    const { call } = yield* Laptop
    const summary = yield* until(
      Effect.map(call("GET", "/v1/mailbox"), ({ body }) =>
        body.items.find(({ to }: { readonly to: ReadonlyArray<string> }) => to.includes(address))
      ),
      (found) => found !== undefined
    )
    const { body: mail } = yield* call("GET", `/v1/mailbox/${summary.id}`)
    const parts = JSON.stringify([mail.headers, mail.text])
    return /http[^\s"<>]+\?token=[\w.-]+/.exec(parts)?.[0] ?? assert.fail(parts)
  })

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

    it.scoped("has no serious violation in the pages for recipients, which are in the language of the browser", () =>
      Effect.gen(function* () {
        const { call } = yield* Laptop
        const { page, violations } = yield* openPage
        const reader = "reader@example.com"
        yield* call("POST", "/v1/messages", send({ to: [{ email: reader }], categories: ["marketing"] }))
        const unsubscribe = yield* linkInMail(reader)
        yield* call("POST", "/v1/email/domains", { domain: "pending.example" })
        const visit = (language: string, link: string) =>
          Effect.promise(async () => {
            await page.setExtraHTTPHeaders({ "Accept-Language": language })
            await page.goto(link)
            assert.strictEqual(await page.locator("html").getAttribute("lang"), language)
          })
        const found: Array<string> = []
        const examine = (name: string, link: string) =>
          Effect.promise(async () => {
            await loadAxe(page)
            found.push(...(await examineView(page, `${name} ${link}`)))
          })
        for (const language of ["en", "ja"]) {
          const email = `${language}@pending.example`
          yield* call("POST", "/v1/email/senders", { email, name: "Orders" })
          const confirm = yield* linkInMail(email)
          // The page, the page that follows its button, and the page of the link afterwards.
          for (const link of [unsubscribe, confirm]) {
            yield* visit(language, link)
            yield* examine(language, link)
            yield* Effect.promise(async () => {
              const heading = await page.getByRole("heading").textContent()
              await page.getByRole("button").click()
              await page.getByRole("heading", { name: heading ?? "", exact: true }).waitFor({ state: "detached" })
            })
            yield* examine(`${language} done`, link)
            yield* visit(language, link)
            yield* examine(`${language} again`, link)
            yield* visit(language, link.replace(/token=.*/, "token=a.b"))
            yield* examine(`${language} unknown`, link)
          }
        }
        for (const language of ["de", "fr", "es", "pt"]) yield* visit(language, unsubscribe)
        assert.deepStrictEqual([...found, ...violations], [])
      })
    )
  })
})
