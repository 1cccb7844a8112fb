import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { LiveService } from "../LiveService.js"
import { logIn } from "./LogIn.js"

describeInBrowser("Blocks in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("adds, finds, checks and deletes blocks, and shows a category as text", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { page, violations } = yield* openPage
        const hostile = `<img src=x onerror="document.title='run'">`
        yield* logIn(page, baseUrl, key, "blocks")
        yield* Effect.promise(async () => {
          await page.getByText("No blocks", { exact: true }).waitFor()
          await page.getByRole("button", { name: "Add a block" }).click()
          const dialog = page.getByRole("dialog", { name: "Add a block" })
          const block = dialog.getByRole("button", { name: "Block", exact: true })
          await dialog.getByLabel("Address or domain").fill("ada@")
          await block.click()
          assert.match((await dialog.getByRole("alert").textContent()) ?? "", /email.*must/)
          await dialog.getByLabel("Address or domain").fill("ada@shop.test")
          await dialog.getByLabel("Category").fill(hostile)
          await block.click()
          await page.getByRole("list", { name: "Blocks" }).getByText(hostile).waitFor()
          assert.strictEqual(await page.title(), "Blocks · Switchboard")
        })
        yield* call("POST", "/v1/email/blocks", { domain: "news.test", reason: "complaint" })
        yield* Effect.promise(async () => {
          const rows = page.getByRole("list", { name: "Blocks" }).getByRole("listitem")
          await rows.filter({ hasText: "news.test" }).waitFor()
          await page.getByLabel("Reason").selectOption("complaint")
          await rows.filter({ hasText: "ada@shop.test" }).waitFor({ state: "detached" })
          assert.strictEqual(page.url(), `${baseUrl}/console/blocks?reason=complaint`)

          await page.getByRole("button", { name: "Check an address" }).click()
          await page.getByRole("dialog").getByLabel("Address").fill("grace@news.test")
          await page.getByRole("button", { name: "Check", exact: true }).click()
          await page.getByText("Blocked: all addresses at news.test (complaint").waitFor()
          await page.keyboard.press("Escape")

          await rows.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
          await page.getByText("No block matches").waitFor()
        })
        assert.deepStrictEqual(violations, [])
      })
    )
  })
})
