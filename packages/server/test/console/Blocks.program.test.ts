import { readFile } from "node:fs/promises"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { LiveService } from "../LiveService.js"
import { logIn } from "./LogIn.js"

describeInBrowser("Blocks in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("adds, finds, checks, changes and deletes blocks, and shows a category as text", () =>
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

          await rows.getByRole("button", { name: "Edit" }).click()
          await page.getByRole("dialog").getByLabel("Ends").fill("2090-05-01T12:00")
          await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
          await rows.getByText("ends May 1, 2090").waitFor()
          await rows.getByRole("button", { name: "Unblock" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Unblock" }).click()
          await page.getByText("No block matches").waitFor()
          await page.getByRole("link", { name: "Log" }).click()
          const log = page.getByRole("list", { name: "Block log" }).getByRole("listitem")
          for (const action of ["added", "updated", "removed"])
            await log.filter({ hasText: "news.test" }).getByText(action, { exact: true }).waitFor()
        })
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped("imports a CSV file with its refused lines, refuses other encodings, and exports what it imported", () =>
      Effect.gen(function* () {
        const { baseUrl, key } = yield* LiveService
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, key, "blocks")
        yield* Effect.promise(async () => {
          const importFile = async (buffer: Buffer) => {
            await page.getByRole("button", { name: "Import" }).click()
            const file = { name: "blocks.csv", mimeType: "text/csv", buffer }
            await page.getByRole("dialog", { name: "Import" }).getByLabel("CSV file").setInputFiles(file)
            await page.getByRole("dialog", { name: "Import" }).getByRole("button", { name: "Import" }).click()
          }
          const alert = page.getByRole("alert")
          await importFile(Buffer.from("email\nm\u00fcller@example.com\n", "latin1"))
          await alert.getByText("The file blocks.csv is not UTF-8. Save it as CSV in UTF-8.").waitFor()
          await page.keyboard.press("Escape")
          await importFile(Buffer.from("address\ngrace@import.test\n"))
          await alert.getByText("must be the columns of a known file, not address").waitFor()
          await page.keyboard.press("Escape")
          await importFile(
            Buffer.from("\ufeffemail,reason\ngrace@import.test,complaint\ngrace@import.test,\nnobody,\n")
          )
          const result = page.getByRole("dialog", { name: "The file is imported" })
          assert.strictEqual(await result.getByText("Added").locator("..").textContent(), "Added1")
          assert.strictEqual(await result.getByText("Existing").locator("..").textContent(), "Existing1")
          const refused = result.getByRole("list", { name: "Refused lines" }).getByRole("listitem")
          assert.match((await refused.allTextContents()).join("; "), /^Line 4: email must be an email address/)
          await page.keyboard.press("Escape")
          await page.getByRole("list", { name: "Blocks" }).getByText("grace@import.test").waitFor()

          const started = page.waitForEvent("download")
          await page.getByRole("link", { name: "Export" }).click()
          const download = await started
          assert.match(download.suggestedFilename(), /^blocks-.*\.csv$/)
          assert.include(await readFile(await download.path(), "utf8"), "grace@import.test,,complaint")
        })
        assert.deepStrictEqual(violations, [])
      })
    )
  })
})
