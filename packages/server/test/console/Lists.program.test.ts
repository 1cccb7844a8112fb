import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { fillDatabase } from "@switchboard/store/testing/generated/FillDatabase"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect } from "effect"
import { describeInBrowser } from "../document/Browser.js"
import { send } from "../LiveService.js"
import { connectionProxy } from "./ConnectionProxy.js"
import { ConsolePage, viewShown } from "./ConsolePage.js"
import { Laptop } from "./Laptop.js"
import { logIn, type Page } from "./LogIn.js"

/** A page with its own session, in the browser of the file. */
const anotherPage = (baseUrl: string, key?: string, prepare: (page: Page) => Promise<void> = async () => undefined) =>
  Effect.gen(function* () {
    const { page: first } = yield* ConsolePage
    const page = yield* Effect.acquireRelease(
      Effect.promise(async () => (await first.context().browser()?.newPage()) ?? assert.fail("no browser")),
      (opened) => Effect.promise(() => opened.context().close())
    )
    page.setDefaultTimeout(200_000)
    yield* Effect.promise(() => prepare(page))
    yield* logIn(page, baseUrl, key)
    yield* Effect.promise(() => page.getByRole("heading", { name: "Messages", exact: true }).waitFor())
    return page
  })

const sendMail = (subject: string) =>
  Effect.flatMap(Laptop, ({ call }) => call("POST", "/v1/messages", send({}, { subject })))

const rowsOf = (page: Page) => page.getByRole("main").getByRole("list", { name: "Messages" }).getByRole("listitem")

/** The messages that `fillDatabase` writes, and the maximum of rows in the page. */
const many = 10_000
const maxRows = 100

describeInBrowser("Lists of the console", () => {
  layer(ConsolePage.Live, { excludeTestServices: true })((it) => {
    it.scoped("show a lost connection, and what was sent without it when it is back", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* Laptop
        const { cut, url } = yield* connectionProxy(baseUrl)
        const page = yield* anotherPage(url)
        const notice = page.getByText("The service does not respond.")
        yield* sendMail("Before")
        yield* Effect.promise(async () => {
          await rowsOf(page).filter({ hasText: "Before" }).getByText("delivered", { exact: true }).waitFor()
          await page.evaluate("window.isSamePage = true")
          assert.strictEqual(await notice.count(), 0)
          await page.context().setOffline(true)
          cut()
          await notice.waitFor()
        })
        yield* sendMail("Between")
        yield* Effect.promise(async () => {
          assert.strictEqual(await rowsOf(page).filter({ hasText: "Between" }).count(), 0)
          await page.context().setOffline(false)
          await rowsOf(page).filter({ hasText: "Between" }).getByText("delivered", { exact: true }).waitFor()
          await notice.waitFor({ state: "detached" })
        })
        yield* sendMail("After")
        yield* Effect.promise(async () => {
          await rowsOf(page).filter({ hasText: "After" }).getByText("delivered", { exact: true }).waitFor()
          assert.strictEqual(await page.evaluate("window.isSamePage"), true)
          assert.strictEqual(await page.locator(".toast").count(), 0)
        })
      })
    )

    it.scoped("are polled in a visible page for a key that may not read events", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* Laptop
        const { body } = yield* call("POST", "/v1/api-keys", { name: "Shop", roleName: "sender" })
        const page = yield* anotherPage(baseUrl, body.key, (opened) => opened.clock.install())
        const requests: Array<string> = []
        page.on("request", (request) => requests.push(new URL(request.url()).pathname))
        yield* Effect.promise(() => viewShown(page))
        yield* sendMail("For a poll")
        yield* Effect.promise(async () => {
          await page.clock.fastForward(15_000)
          await rowsOf(page).filter({ hasText: "For a poll" }).waitFor()
          await page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "hidden" })`)
          requests.length = 0
          await page.clock.fastForward(60_000)
          assert.deepStrictEqual(requests, [])
        })
      })
    )

    it.scoped("have only the rows in sight in the page, and load each page of 10,000 messages once", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* Laptop
        const [organization] = yield* Effect.gen(function* () {
          const filled = yield* fillDatabase({ messages: many, organizations: 1 })
          const sql = yield* PgClient.PgClient
          // The secrets of these endpoints have another key.
          yield* sql`DELETE FROM webhook_endpoints WHERE url LIKE 'https://hooks.example.com/%'`
          return filled
        }).pipe(Effect.provide(PgClient.layer({ url: yield* TestDatabaseUrl, maxConnections: 1 })))
        const page = yield* anotherPage(baseUrl, organization?.key)
        const pages: Array<string> = []
        page.on("request", (request) => {
          const { pathname, search, searchParams } = new URL(request.url())
          // Events refresh the first page, which has no `after`.
          if (pathname === "/v1/messages" && searchParams.has("after")) pages.push(search)
        })
        yield* Effect.promise(async () => {
          const rows = rowsOf(page)
          await page.locator('li[aria-posinset="1"]').waitFor()
          // The list changes when more messages are loaded.
          await page.evaluate(`new Promise((resolve) => {
                const observer = new MutationObserver(() => scroll())
                const scroll = () => {
                  if (document.querySelector('li[aria-posinset="${many}"]') === null)
                    return scrollTo(0, document.body.scrollHeight)
                  observer.disconnect()
                  resolve()
                }
                observer.observe(document.querySelector("main ul.rows"), { attributes: true, childList: true })
                scroll()
              })`)
          assert.isBelow(await rows.count(), maxRows)
          assert.isAtMost(pages.length, many / 100)
          assert.strictEqual(new Set(pages).size, pages.length)
          await page.evaluate("scrollTo(0, 0)")
          await page.locator('li[aria-posinset="1"]').waitFor()
          assert.isBelow(await rows.count(), maxRows)
        })
      })
    )
  })
})
