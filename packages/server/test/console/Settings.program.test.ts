import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { LiveService, send } from "../LiveService.js"
import { logIn } from "./LogIn.js"

const hostile = `<img src=x onerror="document.title='run'">`

describeInBrowser("Contacts, forwarding rules and settings in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("creates, finds and changes a contact, and deletes it only without messages", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, key, "contacts?type=agent")
        yield* Effect.promise(async () => {
          await page.getByText("No contact matches").waitFor()
          await page.getByRole("button", { name: "Create a contact" }).click()
          const dialog = page.getByRole("dialog", { name: "Create a contact" })
          await dialog.getByLabel("Name", { exact: true }).fill(hostile)
          await dialog.getByLabel("E-mail address").fill("grace@")
          await dialog.getByLabel("Country").fill("Germany")
          await dialog.getByLabel("Metadata").fill("[]")
          await dialog.getByRole("button", { name: "Create" }).click()
          await dialog.getByText("The metadata is not a JSON object. It must begin with { and end with }.").waitFor()
          await dialog.getByLabel("Metadata").fill('{"customer": 7}')
          await dialog.getByRole("button", { name: "Create" }).click()
          await dialog.getByRole("listitem").filter({ hasText: "country" }).waitFor()
          await dialog.getByRole("listitem").filter({ hasText: "email" }).waitFor()
          await dialog.getByLabel("E-mail address").fill("grace@contacts.test")
          await dialog.getByLabel("Country").fill("DE")
          await dialog.getByRole("button", { name: "Create" }).click()
          await page.getByRole("heading", { name: hostile }).waitFor()
          await page.getByText('"customer": 7').waitFor()

          await page.getByRole("button", { name: "Edit" }).click()
          const edit = page.getByRole("dialog", { name: "Edit" })
          await edit.getByLabel("Display name").fill("Grace Hopper")
          await edit.getByLabel("Country").fill("")
          await edit.getByLabel("Metadata").fill("")
          await edit.getByRole("button", { name: "Save" }).click()
          await page.getByRole("heading", { name: "Grace Hopper" }).waitFor()
          await page.getByText("Germany").waitFor({ state: "detached" })
          await page.getByText('"customer": 7').waitFor({ state: "detached" })
        })
        const { body } = yield* call("POST", "/v1/messages", send({ to: [{ email: "grace@contacts.test" }] }))
        yield* Effect.promise(async () => {
          const messages = page.getByRole("list", { name: "Messages" }).getByRole("link")
          await messages.getByText(body.content.subject).waitFor()
          await page.getByRole("button", { name: "Delete" }).click()
          const confirmation = page.getByRole("dialog", { name: "Delete" })
          await confirmation.getByRole("button", { name: "Delete" }).click()
          await confirmation.getByRole("alert").waitFor()
          await page.keyboard.press("Escape")

          await page.getByRole("link", { name: "Contacts" }).first().click()
          await page.getByLabel("Find contacts").fill("grace@contacts")
          const row = page.getByRole("list", { name: "Contacts" }).getByRole("link")
          await row.getByText("Grace Hopper").waitFor()
          assert.strictEqual(await row.count(), 1)
        })
        yield* call("POST", "/v1/participants", { name: "Charles", phone: "+442079460018" })
        yield* Effect.promise(async () => {
          await page.getByLabel("Find contacts").fill("Charles")
          await page.getByRole("list", { name: "Contacts" }).getByRole("link", { name: "Charles" }).click()
          await page.getByText("No messages yet").waitFor()
          await page.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("dialog", { name: "Delete" }).getByRole("button", { name: "Delete" }).click()
          await page.getByText("The contact is deleted").waitFor()
          assert.strictEqual(new URL(page.url()).pathname, "/console/contacts")
        })
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped("creates, changes, deactivates and deletes a forwarding rule", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, key, "forwarding")
        const rules = Effect.map(call("GET", "/v1/email/forwarding/rules"), ({ body }) => body.items)
        yield* Effect.promise(async () => {
          await page.getByText("No rules yet").waitFor()
          await page.getByRole("button", { name: "Create a rule" }).click()
          const dialog = page.getByRole("dialog", { name: "Create a rule" })
          await dialog.getByLabel("Name").fill(hostile)
          await dialog.getByLabel("Forward to").fill("ada@example.com\ngrace@")
          await dialog.getByRole("button", { name: "Create" }).click()
          await dialog.getByRole("listitem").filter({ hasText: "match must have a recipient" }).waitFor()
          await dialog.getByRole("listitem").filter({ hasText: "forwardTo.1" }).waitFor()
          await dialog.getByLabel("Subject contains").fill("Invoice")
          await dialog.getByLabel("Forward to").fill("ada@example.com\ngrace@example.com")
          await dialog.getByLabel("Receive the mail here, too").uncheck()
          await dialog.getByRole("button", { name: "Create" }).click()
          await page.getByRole("list", { name: "Forwarding" }).getByText(hostile).waitFor()
        })
        const [created] = yield* rules
        assert.deepInclude(created, {
          match: { subjectContains: "Invoice" },
          forwardTo: ["ada@example.com", "grace@example.com"],
          keepCopy: false,
          isActive: true,
          priority: 100
        })
        yield* Effect.promise(async () => {
          const row = page.getByRole("list", { name: "Forwarding" }).getByRole("listitem")
          await row.getByRole("button", { name: "Edit" }).click()
          const dialog = page.getByRole("dialog", { name: "Edit" })
          await dialog.getByLabel("Name").fill("Invoices")
          await dialog.getByLabel("Subject contains").fill("")
          await dialog.getByLabel("Sender", { exact: true }).fill("*@example.net")
          await dialog.getByLabel("Priority").fill("7")
          await dialog.getByRole("button", { name: "Save" }).click()
          await row.getByText("from *@example.net").waitFor()
          await row.getByRole("button", { name: "Deactivate" }).click()
          await row.getByText("inactive", { exact: true }).waitFor()
        })
        const [changed] = yield* rules
        assert.deepInclude(changed, { match: { sender: "*@example.net" }, priority: 7, isActive: false })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Log" }).click()
          await page.getByText("Nothing forwarded yet").waitFor()
          await page.goBack()
          await page.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("dialog", { name: "Delete" }).getByText("Delete the rule Invoices?").waitFor()
          await page.getByRole("dialog", { name: "Delete" }).getByRole("button", { name: "Delete" }).click()
          await page.getByText("No rules yet").waitFor()
        })
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped("shows the plan and its usage, changes the settings, and removes optional ones", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        yield* call("PATCH", "/v1/organizations/current", { countryCode: "DE", metadata: { customer: 7 } })
        const { body: before } = yield* call("GET", "/v1/organizations/current")
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, key, "organization")
        yield* Effect.promise(async () => {
          const usage = page.getByRole("table", { name: "Usage" }).getByRole("row", { name: /^Messages/ })
          assert.match((await usage.textContent()) ?? "", new RegExp(`^Messages${before.messagesUsedThisMonth}\\d+$`))
          await page.getByText("Germany").waitFor()
          await page.getByRole("button", { name: "Edit" }).click()
          const dialog = page.getByRole("dialog", { name: "Edit" })
          await dialog.getByLabel("Name", { exact: true }).fill(hostile)
          await dialog.getByLabel("Time zone").fill("Europe/Atlantis")
          await dialog.getByLabel("Country").fill("")
          await dialog.getByLabel("Metadata").fill("")
          await dialog.getByRole("button", { name: "Save" }).click()
          await dialog.getByRole("listitem").filter({ hasText: "timezone" }).waitFor()
          await dialog.getByLabel("Time zone").fill("Europe/Berlin")
          await dialog.getByRole("button", { name: "Save" }).click()
          await page.getByText("The settings are saved").waitFor()
          await page.getByText("Germany").waitFor({ state: "detached" })
          await page.locator(".account").getByText(hostile).waitFor()
        })
        const { body: after } = yield* call("GET", "/v1/organizations/current")
        assert.deepInclude(after, { name: hostile, timezone: "Europe/Berlin", metadata: {} })
        assert.notProperty(after, "countryCode")
        assert.deepStrictEqual(violations, [])
      })
    )
  })
})
