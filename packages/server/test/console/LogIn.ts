import { Effect } from "effect"
import type { openPage } from "../document/Browser.js"
import { adminKey } from "../LiveService.js"

export type Page = Effect.Effect.Success<typeof openPage>["page"]

/** Opens a path of the console and logs in with a key. */
export const logIn = (page: Page, baseUrl: string, key = adminKey, path = "") =>
  Effect.promise(async () => {
    await page.goto(`${baseUrl}/console/${path}`)
    await page.getByRole("button", { name: "Log in with an API key" }).click()
    await page.getByLabel("API key", { exact: true }).fill(key)
    await page.getByRole("button", { name: "Log in", exact: true }).click()
  })
