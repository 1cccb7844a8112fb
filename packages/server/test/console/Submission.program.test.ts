import { assert, layer } from "@effect/vitest"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Effect, Layer } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { SubmissionService } from "../email/submission/SubmissionService.js"
import { LiveService } from "../LiveService.js"
import { examineView, loadAxe } from "./ExamineView.js"
import { logIn } from "./LogIn.js"

/** The service listens for submission on all interfaces: its host is that of PUBLIC_URL. */
const Live = SubmissionService.layer((settings) =>
  Layer.unwrapEffect(
    Effect.map(freePort, (port) =>
      LiveService.layer({
        ...settings,
        SUBMISSION_HOST: "0.0.0.0",
        PORT: String(port),
        PUBLIC_URL: `http://localhost:${port}`
      })
    )
  )
)

describeInBrowser("Mail of programs in the console", () => {
  layer(Live, { excludeTestServices: true })((it) => {
    it.scoped("has host, ports and lines of this installation, for a key that may only send", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* LiveService
        const { startTls, tls } = yield* SubmissionService
        const permissions = { messages: ["send"] }
        const { body } = yield* call("POST", "/v1/api-keys", { name: "A program", permissions })
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, body.key, "send")
        const found = yield* Effect.promise(async () => {
          await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
          await page.getByRole("link", { name: "SMTP" }).click()
          await page.getByRole("heading", { name: "Send from any program" }).waitFor()
          const connection = page.getByRole("region", { name: "Connection" })
          await connection.getByText("localhost", { exact: true }).waitFor()
          await connection.getByText(`${startTls}, with STARTTLS`).waitFor()
          await connection.getByText(`${tls}, with implicit TLS`).waitFor()
          await connection.getByText("an API key with messages.send").waitFor()
          await connection.getByText("must be valid for localhost").waitFor()
          await connection.getByText("Only programs on the machine of the service reach").waitFor()

          const programs = page.getByRole("tablist", { name: "Programs" })
          const lines = page.getByRole("tabpanel").locator("pre")
          await lines.getByText(`host: "localhost", port: ${tls}, secure: true`).waitFor()
          await programs.getByRole("tab", { name: "Nodemailer" }).focus()
          await page.keyboard.press("ArrowRight")
          await page.keyboard.press("Enter")
          await lines.getByText(`EMAIL_HOST, EMAIL_PORT = "localhost", ${tls}`).waitFor()
          await programs.getByRole("tab", { name: "Laravel" }).click()
          await lines.getByText("MAIL_SCHEME=smtps").waitFor()
          await page.getByRole("button", { name: "Copy the lines for Laravel" }).click()
          await page.getByText("Copied").waitFor()
          const copied = await page.evaluate<string>("navigator.clipboard.readText()")
          assert.strictEqual(copied, await lines.textContent())
          await page.reload()
          await lines.getByText(`MAIL_PORT=${tls}`).waitFor()
          await loadAxe(page)
          return examineView(page, "/smtp")
        })
        assert.deepStrictEqual([...found, ...violations], [])
      })
    )
  })

  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("says how the operator turns it on, and is linked from the keys and from a new key", () =>
      Effect.gen(function* () {
        const { baseUrl, key } = yield* LiveService
        const { page } = yield* openPage
        yield* logIn(page, baseUrl, key, "api-keys")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Create a key" }).click()
          const dialog = page.getByRole("dialog", { name: "Create a key" })
          await dialog.getByLabel("Name").fill("Blog")
          await dialog.getByRole("button", { name: "Create", exact: true }).click()
          await page.getByRole("dialog", { name: "The new key" }).getByRole("button", { name: "Done" }).click()
          await page.getByRole("link", { name: "Send from any program" }).click()
          await page.getByText("Mail over SMTP is off").waitFor()
          await page.getByText(/SUBMISSION_PORT.*SUBMISSIONS_PORT/).waitFor()
          await page.locator("main").getByRole("link", { name: "API keys" }).click()
          await page.locator("main").getByRole("link", { name: "SMTP" }).click()
          await page.getByText("Mail over SMTP is off").waitFor()
        })
      })
    )
  })
})
