import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { caller, LiveService, type ServiceResponse, until } from "../LiveService.js"
import { logIn, type Page } from "./LogIn.js"

/** A text with markup, which must be shown as it is. */
const hostile = `<img src=x onerror="document.title='run'">`

/** The key of the dialog that shows it once. */
const keyOf = async (page: Page) => {
  const dialog = page.getByRole("dialog", { name: "The new key" })
  const key = (await dialog.locator("code").textContent()) ?? ""
  await page.keyboard.press("Escape")
  // A closed dialog has no role: it can leave the document later.
  await page.getByText(key).waitFor({ state: "detached" })
  assert.match(key, /^sk_sm_\w{40}$/)
  assert.notInclude(await page.content(), key)
  return key
}

const statusWith = (key: string) =>
  Effect.flatMap(LiveService, ({ baseUrl }) =>
    Effect.map(caller(baseUrl, key)("GET", "/v1/drafts"), ({ status }: ServiceResponse) => status)
  )

describeInBrowser("API keys in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped(
      "creates a key with chosen permissions, edits, rotates, deactivates and deletes it, and shows it once",
      () =>
        Effect.gen(function* () {
          const { baseUrl, call, key } = yield* LiveService
          const { page, violations } = yield* openPage
          yield* logIn(page, baseUrl, key, "api-keys")
          const created = yield* Effect.promise(async () => {
            await page.getByLabel("Find keys").fill("nothing")
            await page.getByText("No key matches").waitFor()
            await page.getByLabel("Find keys").fill("")
            await page.getByRole("button", { name: "Create a key" }).click()
            const dialog = page.getByRole("dialog", { name: "Create a key" })
            await dialog.getByLabel("Name").fill("n".repeat(201))
            await dialog.getByRole("radio", { name: "custom" }).check()
            await dialog.getByRole("group", { name: "drafts" }).getByRole("checkbox", { name: "read" }).check()
            await dialog.getByRole("button", { name: "Create", exact: true }).click()
            assert.match((await dialog.getByRole("alert").textContent()) ?? "", /name.*must/)
            await dialog.getByLabel("Name").fill(hostile)
            await dialog.getByLabel("Expires").fill("2099-01-31T12:00")
            await dialog.getByRole("button", { name: "Create", exact: true }).click()
            return keyOf(page)
          })
          assert.strictEqual(yield* statusWith(created), 200)
          const { body } = yield* call("GET", "/v1/api-keys?limit=1")
          assert.deepInclude(body.items[0], { name: hostile, permissions: { drafts: ["read"] } })
          const id = String(body.items[0].id)
          const rotated = yield* Effect.promise(async () => {
            await page.getByRole("heading", { name: hostile, exact: true }).waitFor()
            await page.getByText("Jan 31, 2099").waitFor()
            await page.getByRole("button", { name: "Edit" }).click()
            const dialog = page.getByRole("dialog", { name: "Edit" })
            const drafts = dialog.getByRole("group", { name: "drafts" })
            assert.isTrue(await drafts.getByRole("checkbox", { name: "read" }).isChecked())
            assert.isFalse(await drafts.getByRole("checkbox", { name: "write" }).isChecked())
            await dialog.getByLabel("Name").fill("shop")
            await dialog.getByLabel("Expires").fill("")
            await dialog.getByRole("button", { name: "Save" }).click()
            await page.getByRole("heading", { name: "shop" }).waitFor()
            await page.getByRole("button", { name: "Rotate" }).click()
            await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click()
            return keyOf(page)
          })
          assert.strictEqual(yield* statusWith(rotated), 200)
          yield* until(statusWith(created), (status) => status === 401)
          yield* Effect.promise(async () => {
            await page.getByRole("button", { name: "Deactivate" }).click()
            await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click()
            await page.getByRole("button", { name: "Activate", exact: true }).waitFor()
          })
          yield* until(statusWith(rotated), (status) => status === 401)
          yield* Effect.promise(async () => {
            await page.goto(`${baseUrl}/console/api-keys?status=inactive`)
            await page.getByRole("link", { name: "shop" }).click()
            await page.getByRole("button", { name: "Delete" }).click()
            await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
            await page.getByText("The key is deleted").waitFor()
            await page.goto(`${baseUrl}/console/api-keys/${id}`)
            assert.match((await page.getByRole("alert").textContent()) ?? "", /Request [\w-]{36}/)
          })
          assert.deepStrictEqual(violations, [])
        })
    )

    it.scoped("shows the requests of a key, and lets a session grant no more than its own permissions", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key: operatorKey } = yield* LiveService
        const { body: key } = yield* call("POST", "/v1/api-keys", { name: "Program", roleName: "viewer" })
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, operatorKey, `api-keys/${key.id}`)
        yield* Effect.promise(() => page.getByText("No requests yet").waitFor())
        yield* caller(baseUrl, key.key)("GET", "/v1/messages")
        yield* caller(baseUrl, key.key)("POST", "/v1/drafts", {})
        yield* until(call("GET", `/v1/api-keys/${key.id}/activity`), ({ body }) => body.items.length === 2)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Refresh" }).click()
          const rows = page.getByRole("list", { name: "Requests" }).getByRole("listitem")
          await rows.filter({ hasText: "/v1/messages" }).getByText("200").waitFor()
          await rows.filter({ hasText: "/v1/drafts" }).getByText("403").waitFor()
          await page.getByText("50 %").waitFor()
        })
        assert.deepStrictEqual(violations, [])

        const { body: clerk } = yield* call("POST", "/v1/api-keys", {
          name: "Clerk",
          permissions: { apiKeys: ["read", "write"], drafts: ["read"] }
        })
        const { page: clerks } = yield* openPage
        yield* logIn(clerks, baseUrl, clerk.key, "api-keys")
        yield* Effect.promise(async () => {
          await clerks.getByRole("button", { name: "Create a key" }).click()
          for (const role of ["admin", "sender", "viewer"]) {
            assert.isTrue(await clerks.getByRole("radio", { name: role }).isDisabled(), role)
          }
          await clerks.getByRole("radio", { name: "custom" }).check()
          const drafts = clerks.getByRole("group", { name: "drafts" })
          assert.isTrue(await drafts.getByRole("checkbox", { name: "read" }).isEnabled())
          assert.isTrue(await drafts.getByRole("checkbox", { name: "write" }).isDisabled())
        })
      })
    )
  })
})
