import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { LiveService } from "../LiveService.js"
import { logIn } from "./LogIn.js"

/** A text with markup, which must be shown as it is. */
const hostile = `<img src=x onerror="document.title='run'">`

describeInBrowser("Templates in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("creates, edits, previews, restores and deletes a template", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, key, "templates")
        yield* Effect.promise(async () => {
          await page.getByText("No templates yet").waitFor()
          await page.getByRole("button", { name: "New template" }).click()
          const dialog = page.getByRole("dialog", { name: "New template" })
          await dialog.getByLabel("Name").fill(hostile)
          await dialog.getByLabel("Subject").fill("Order {{order.id}}")
          await dialog.getByLabel("HTML").fill("<p>{{#items}}{{title}}</p>")
          await dialog.getByRole("button", { name: "Create" }).click()
          const alert = dialog.getByRole("alert")
          assert.match((await alert.textContent()) ?? "", /html.*not closed at line 1.*Request [\w-]{36}/)
          await dialog.getByLabel("HTML").fill("<p>Dear {{name}},\n{{#items}}{{title}}{{/items}}</p>")
          await dialog.getByRole("button", { name: "Create" }).click()
          await page.getByRole("heading", { name: hostile, exact: true }).waitFor()
          await page.getByText("Order order.id", { exact: true }).waitFor()

          const frame = page.frameLocator("iframe[title='HTML of the preview']")
          const data = page.getByLabel("Data")
          await frame.getByText("Dear name,").waitFor()
          await data.fill('{ "order": { "id": "1815" }, "name": "Ada", "items": [{ "title": "Nuts & bolts" }] }')
          await frame.getByText("Dear Ada, Nuts & bolts").waitFor()
          await page.getByText("Order 1815", { exact: true }).waitFor()
          await page.getByRole("tab", { name: "Text" }).click()
          await page.getByRole("tabpanel").getByText("Dear Ada,").waitFor()
          await data.fill("[1]")
          await page.getByText("The data is not a JSON object.").waitFor()
          await data.fill("{}")
          await page.getByText("A send without these variables is rejected: order.id, name").waitFor()

          await page.getByRole("button", { name: "Edit" }).click()
          const form = page.getByRole("dialog", { name: "Edit" })
          await form.getByLabel("Name", { exact: true }).fill("Shipped")
          await form.getByLabel("Text", { exact: true }).fill("Dear {{name}}")
          await form.getByLabel("Fallback of name").fill("customer")
          await form.getByRole("button", { name: "Save" }).click()
          await page.getByRole("heading", { name: "Shipped" }).waitFor()
          await page.getByRole("tabpanel").getByText("Dear customer").waitFor()
          await page.getByText("optional, else “customer”").waitFor()

          const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem")
          await versions.filter({ hasText: "Version 1" }).locator("summary").click()
          await versions.filter({ hasText: "Version 1" }).getByText("Dear {{name}},").waitFor()
          await versions.getByRole("button", { name: "Restore" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click()
          await versions.filter({ hasText: "Version 3" }).getByText("current").waitFor()
        })
        const { body } = yield* call("GET", "/v1/email/templates")
        const { id, ...template } = body.items[0]
        assert.deepInclude(template, { name: "Shipped", version: 3 })
        assert.notProperty(template, "text")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
          await page.getByText("The template is deleted").waitFor()
          await page.goto(`${baseUrl}/console/templates?search=shipped`)
          await page.getByText("No template matches").waitFor()
          await page.goto(`${baseUrl}/console/templates/${id}`)
          assert.match((await page.getByRole("alert").textContent()) ?? "", /Request [\w-]{36}/)
        })
        assert.deepStrictEqual(violations, [])
      })
    )
  })
})
