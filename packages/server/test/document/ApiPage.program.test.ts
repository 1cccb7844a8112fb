import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService } from "../LiveService.js"
import { describeInBrowser, openPage } from "./Browser.js"

describeInBrowser("The API page in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("lists and finds operations, has samples for curl, and sends requests to its own server only", () =>
      Effect.gen(function* () {
        const { baseUrl, key } = yield* LiveService
        const { page, problems, requests, violations } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/v1/docs`)
          await page.getByRole("heading", { name: "Send a message", exact: true }).waitFor()

          await page.getByRole("search").click()
          await page.getByRole("combobox", { name: "Enter search query" }).fill("unsubscribe with one click")
          await page.getByRole("option", { name: "/v1/email/unsubscribe" }).first().waitFor()
          await page.keyboard.press("Escape")

          const sample = page.locator("pre").filter({ hasText: /^curl "http.*\/v1\/messages"/ })
          await sample.filter({ hasText: "X-API-Key: $KEY" }).filter({ hasText: "ada@example.com" }).first().waitFor()

          await page.getByRole("button", { name: "Test Request (post /v1/messages)" }).click()
          const client = page.getByRole("dialog", { name: "API Client" })
          await client.getByRole("textbox", { name: "Value", exact: true }).fill(key)
          await client.getByRole("button", { name: /^Send post request/ }).click()
          const response = client.getByRole("region", { name: "Response", exact: true })
          await response.getByText("201 Created").waitFor()
          await response.getByText("Your order has shipped").waitFor()

          await page.reload()
          await page.getByRole("heading", { name: "Send a message", exact: true }).waitFor()
          // After a 304 the browser uses the stored page, with the policy of the 304.
          const received = await page.evaluate("performance.getEntriesByType('navigation')[0].transferSize")
          assert.isBelow(Number(received), 10_000)
        })
        assert.sameMembers([...new Set(requests)], [`${baseUrl}/v1/docs`, `${baseUrl}/v1/messages`])
        assert.deepStrictEqual(problems, [])
        // Zod tests whether it may compile functions. If not, it interprets its schemas.
        assert.deepStrictEqual([...new Set(violations)], ["script-src eval"])
      })
    )
  })
})
