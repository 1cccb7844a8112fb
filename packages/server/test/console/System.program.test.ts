import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { LiveService } from "../LiveService.js"
import { logIn } from "./LogIn.js"

describeInBrowser("The system in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("shows queues, relay, findings and version to the operator, and repeats the request", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { body } = yield* call("GET", "/v1/system")
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, key)
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "System" }).click()
          await page.getByRole("heading", { name: "System", exact: true }).waitFor()
          await page.getByText(body.version, { exact: true }).waitFor()
          const queues = page.getByRole("table", { name: "Queues" })
          await queues.getByRole("rowheader", { name: "Messages", exact: true }).waitFor()
          const relays = page.getByRole("table", { name: "Relays" })
          await relays.getByRole("row", { name: `${body.relays[0].relay} closed` }).waitFor()
          const findings = page.getByRole("region", { name: "Findings" })
          const error = findings.getByRole("listitem").first()
          const worst = body.findings.find(({ level }: { readonly level: string }) => level === "error")
          assert.include((await error.textContent()) ?? "", worst.subject)
          assert.include((await error.textContent()) ?? "", worst.advice[0])
          await page.waitForResponse(`${baseUrl}/v1/system`)
          await page.waitForResponse(`${baseUrl}/v1/system`)
        })
        assert.deepStrictEqual(violations, [])
      })
    )
  })
})
