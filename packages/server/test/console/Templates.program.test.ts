import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { adminKey } from "../LiveService.js"
import { Laptop } from "./Laptop.js"
import { logIn } from "./LogIn.js"

/** A text with markup, which must be shown as it is. */
const hostile = `<img src=x onerror="document.title='run'">`

describeInBrowser("Templates in a browser", () => {
  layer(Laptop.Live, { excludeTestServices: true })((it) => {
    it.scoped("creates, edits, previews, tests, restores and deletes a template", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* Laptop
        const { page, requests, violations } = yield* openPage
        yield* logIn(page, baseUrl, adminKey, "templates")
        const frame = page.frameLocator("iframe[title='HTML of the preview']")
        const html = page.getByRole("textbox", { name: "HTML" })
        const data = page.getByLabel("Data")
        const libraries = () => requests.filter((url) => url.includes("CodeMirror"))
        yield* Effect.promise(async () => {
          await page.getByText("No templates yet").waitFor()
          assert.deepStrictEqual(libraries(), [])
          await page.getByRole("button", { name: "Create a template" }).click()
          const dialog = page.getByRole("dialog", { name: "Create a template" })
          await dialog.getByLabel("Name").fill(hostile)
          await dialog.getByLabel("Subject").fill("Order {{order.id")
          await dialog.getByRole("button", { name: "Create" }).click()
          const alert = dialog.getByRole("alert")
          assert.match((await alert.textContent()) ?? "", /subject.*not closed at line 1.*Request [\w-]{36}/)
          await dialog.getByLabel("Subject").fill("Order {{order.id}}")
          await dialog.getByRole("button", { name: "Create" }).click()
          await page.getByRole("heading", { name: `Edit ${hostile}`, exact: true }).waitFor()

          await html.press("Control+a")
          await page.keyboard.insertText(
            "<p style='color: rgb(1, 2, 3)'>Dear {{name}},\n{{#items}}{{title}}{{/items}}</p>"
          )
          assert.strictEqual(libraries().length, 1)
          await page.getByText("Order order.id", { exact: true }).waitFor()
          await frame.getByText("Dear name, title").waitFor()
          const preview = page.frames().find((one) => one.url().endsWith("/preview.html"))
          const color = await preview?.evaluate("getComputedStyle(document.querySelector('p')).color")
          assert.strictEqual(color, "rgb(1, 2, 3)")
          await data.fill('{ "order": { "id": "1815" }, "name": "Ada", "items": [{ "title": "Nuts & bolts" }] }')
          await frame.getByText("Dear Ada, Nuts & bolts").waitFor()
          await page.getByText("Order 1815", { exact: true }).waitFor()
          await page.getByRole("tab", { name: "Text" }).click()
          await page.getByRole("tabpanel").getByText("Dear Ada,").waitFor()
          await data.fill('{ "order": 1, }')
          await page.getByText(/The data is not a JSON object.*position 14/).waitFor()
          await data.fill("[1]")
          await page.getByText("The data is not a JSON object.").waitFor()
          await data.fill("{}")
          await page.getByText("A send without these variables is rejected: order.id, name").waitFor()
          await page.getByRole("button", { name: "Use example data" }).click()

          // Into the field with the focus, at the cursor.
          await html.click()
          await page.keyboard.press("Control+End")
          await page.keyboard.type("<i>")
          await page.getByRole("button", { name: "{{order.id}}" }).click()
          await page.keyboard.type("</i>{{#never")
          await page.getByText(/has a tag that is not closed at line 2/).waitFor()
          for (const _ of "{{#never") await page.keyboard.press("Backspace")
          await page.getByLabel("Subject").focus()
          await page.keyboard.press("End")
          await page.getByRole("button", { name: "{{name}}" }).click()
          await page.getByLabel("Fallback of name").fill("customer")
          await page.getByText("Order order.idcustomer", { exact: true }).waitFor()

          await page.getByLabel("Send a test to").fill("tester@example.com")
          await page.getByRole("button", { name: "Send test" }).click()
          await page.getByText("The test is sent.").waitFor()
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("The template is saved as a new version").waitFor()
        })
        const { body: sent } = yield* call("GET", "/v1/messages?recipient=tester@example.com")
        assert.strictEqual(sent.items.length, 1)
        assert.deepInclude(sent.items[0], { isTest: true })
        assert.include(sent.items[0].content.html, "title</p><i>order.id</i>")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: hostile }).click()
          await page.getByText("optional, else “customer”").waitFor()
          assert.strictEqual(await page.getByLabel("Send a test to").inputValue(), "tester@example.com")
          const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem")
          await versions.filter({ hasText: "Version 1" }).locator("summary").click()
          await versions.filter({ hasText: "Version 1" }).getByText("<p>Hello</p>").waitFor()
          await versions.getByRole("button", { name: "Restore" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click()
          await versions.filter({ hasText: "Version 3" }).getByText("current").waitFor()
        })
        const { body } = yield* call("GET", "/v1/email/templates")
        const { id, ...template } = body.items[0]
        assert.deepInclude(template, { name: hostile, version: 3, html: "<p>Hello</p>" })
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

    it.scoped("asks before unsaved changes are left, and lets the keyboard leave the editor", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* Laptop
        const { body } = yield* call("POST", "/v1/email/templates", {
          name: "Mine",
          subject: "s",
          html: "<p>first</p>"
        })
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, adminKey, `templates/${body.id}`)
        const html = page.getByRole("textbox", { name: "HTML" })
        const dialog = page.getByRole("dialog", { name: "Leave without saving?" })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Edit" }).click()
          await html.click()
          await page.keyboard.press("Home")
          await page.keyboard.press("Tab")
          await html.getByText("  <p>first</p>").waitFor()
          await page.keyboard.press("Escape")
          await page.keyboard.press("Tab")
          await page.getByLabel("Text").and(page.locator(":focus")).waitFor()

          await page.getByRole("link", { name: "Messages" }).click()
          await dialog.getByRole("button", { name: "Stay" }).click()
          await page.goBack()
          await dialog.waitFor()
          assert.strictEqual(page.url(), `${baseUrl}/console/templates/${body.id}/edit`)
          await page.keyboard.press("Escape")
          await dialog.waitFor({ state: "detached" })
          await html.getByText("  <p>first</p>").waitFor()
          const unload = page.waitForEvent("dialog")
          await page.evaluate("setTimeout(() => location.reload())")
          assert.strictEqual((await unload).type(), "beforeunload")
          await (await unload).dismiss()
          await page.goBack()
          await dialog.getByRole("button", { name: "Leave" }).click()
          await page.getByRole("heading", { name: "Mine", exact: true }).waitFor()
          assert.strictEqual(page.url(), `${baseUrl}/console/templates/${body.id}`)

          await page.getByRole("link", { name: "Edit" }).click()
          await html.getByText("<p>first</p>").waitFor()
          await page.getByRole("link", { name: "Messages" }).click()
          await page.getByRole("heading", { name: "Messages", exact: true }).waitFor()
        })
        assert.deepStrictEqual(violations, [])
      })
    )
  })
})
