import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { LiveService, send } from "../LiveService.js"
import { logIn } from "./LogIn.js"

describeInBrowser("The navigation in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped(
      "is beside a wide page; on a narrow one it opens from a button by keyboard, keeps the focus, and is closed by a link, Escape and the Back button",
      () =>
        Effect.gen(function* () {
          const { baseUrl, key } = yield* LiveService
          const { page, violations } = yield* openPage
          yield* logIn(page, baseUrl, key)
          yield* Effect.promise(async () => {
            const side = await page.getByRole("navigation").boundingBox()
            const content = await page.getByRole("main").boundingBox()
            assert.isAtMost((side?.x ?? 0) + (side?.width ?? 0), content?.x ?? 0)
            assert.isAbove(side?.height ?? 0, 400)
            assert.strictEqual(await page.getByRole("button", { name: "Menu" }).count(), 0)
            await page.setViewportSize({ width: 390, height: 844 })
          })
          yield* Effect.promise(async () => {
            const open = page.getByRole("button", { name: "Menu" })
            const menu = page.getByRole("dialog", { name: "Menu" })
            await page.getByText("No messages yet").waitFor()
            assert.strictEqual(await page.getByRole("navigation").count(), 0)
            assert.strictEqual(await open.getAttribute("aria-expanded"), "false")

            await open.focus()
            await page.keyboard.press("Enter")
            const current = menu.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Messages" })
            await current.waitFor()
            assert.strictEqual(await current.getAttribute("aria-current"), "page")
            for (const key of ["Shift+Tab", "Shift+Tab", "Shift+Tab"]) {
              await page.keyboard.press(key)
              assert.isTrue(await page.evaluate(`document.activeElement.closest("main, header > button") === null`))
            }
            const box = await menu.boundingBox()
            assert.deepStrictEqual([box?.x, box?.width], [0, 390])
            assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth"), 390)

            await page.keyboard.press("Escape")
            await menu.waitFor({ state: "detached" })
            await open.and(page.locator(":focus")).waitFor()

            await page.keyboard.press("Enter")
            await menu.getByRole("link", { name: "Blocks" }).focus()
            await page.keyboard.press("Enter")
            await page.getByText("No blocks", { exact: true }).waitFor()
            await menu.waitFor({ state: "detached" })
            assert.strictEqual(page.url(), `${baseUrl}/console/blocks`)
            await page.locator("h1:focus").waitFor()

            await open.click()
            await menu.getByRole("link", { name: "Blocks" }).click()
            await menu.waitFor({ state: "detached" })
            await open.click()
            await menu.waitFor()
            await page.goBack()
            await menu.waitFor({ state: "detached" })

            await open.click()
            await menu.getByRole("button", { name: "Log out" }).click()
            await page.getByText("You are logged out.").waitFor()
          })
          assert.deepStrictEqual(violations, [])
        })
    )

    it.scoped("reaches the search, views, messages and addresses by keyboard", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { body: message } = yield* call("POST", "/v1/messages", send({}, { subject: "By keyboard" }))
        const { page } = yield* openPage
        yield* logIn(page, baseUrl, key)
        yield* Effect.promise(async () => {
          const { keyboard } = page
          const jump = async (text: string, target: string) => {
            await keyboard.press("Control+k")
            await keyboard.type(text)
            await page.getByRole("dialog", { name: "Jump to" }).getByRole("link", { name: target }).waitFor()
            await keyboard.press("Enter")
            await page.getByRole("dialog").waitFor({ state: "detached" })
          }
          await page.getByRole("heading", { name: "Messages", exact: true }).waitFor()
          await page.getByRole("button", { name: /^Jump to (Ctrl\+|⌘)K$/ }).waitFor()
          await keyboard.press("/")
          await keyboard.type("a/b")
          assert.strictEqual(await page.getByLabel("Find messages").inputValue(), "a/b")

          await jump("block", "Blocks")
          await page.locator("h1:focus").getByText("Blocks").waitFor()
          await jump(message.id, `Message ${message.id}`)
          await page.locator("h1:focus").getByText("By keyboard").waitFor()
          await jump("ada@example.com", "Find messages: ada@example.com")
          assert.strictEqual(page.url(), `${baseUrl}/console/messages?search=ada%40example.com`)
          await page.getByRole("list", { name: "Messages" }).getByRole("link", { name: "By keyboard" }).waitFor()

          await keyboard.press("Control+k")
          await keyboard.press("ArrowDown")
          await keyboard.press("ArrowDown")
          await page.getByRole("dialog").locator("a:focus").getByText("Send").waitFor()
          await keyboard.press("Escape")
          await page.getByRole("dialog").waitFor({ state: "detached" })
          await page.goto(`${baseUrl}/console/send`)
          await page.getByRole("heading", { name: "Send a message" }).waitFor()
          await keyboard.press("/")
          await page.getByRole("dialog", { name: "Jump to" }).waitFor()
        })
      })
    )
  })
})
