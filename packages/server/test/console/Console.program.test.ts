import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { LiveService, send } from "../LiveService.js"
import { logIn } from "./LogIn.js"

/** The maximum size of everything that the first view loads, compressed, in bytes. */
const maxFirstView = 195_000

describeInBrowser("The console in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("rejects an unknown key with the id of the request, and logs in with a key that it does not store", () =>
      Effect.gen(function* () {
        const { baseUrl, key } = yield* LiveService
        const { page, requests, violations } = yield* openPage
        yield* logIn(page, baseUrl, "sk_sm_unknown")
        yield* Effect.promise(async () => {
          const alert = page.getByRole("alert")
          await alert.waitFor()
          assert.match((await alert.textContent()) ?? "", /API key.*Request [\w-]{36}/)
        })
        yield* logIn(page, baseUrl, key)
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Messages", exact: true }).waitFor()
          assert.strictEqual(page.url(), `${baseUrl}/console/messages`)
          const stored = await page.evaluate(
            "[JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie]"
          )
          assert.deepStrictEqual(stored, ["{}", "{}", ""])
        })
        assert.deepStrictEqual([...new Set(requests.map((url) => new URL(url).origin))], [baseUrl])
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped("lists messages as they are sent, finds and exports them by filters of its URL, and stays small", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { page, problems } = yield* openPage
        const hostile = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`
        yield* call("POST", "/v1/messages", send({}, { subject: hostile }))
        yield* logIn(page, baseUrl, key)
        const list = page.getByRole("main").getByRole("list", { name: "Messages" })
        yield* Effect.promise(async () => {
          await list.getByText(hostile).waitFor()
          assert.strictEqual(await page.title(), "Messages · Switchboard")
          const sizes = `performance.getEntriesByType("resource")
                .concat(performance.getEntriesByType("navigation"))
                .filter(({ name }) => name.includes("/console/"))
                .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`
          const total = Number(await page.evaluate(sizes))
          assert.isAbove(total, 50_000)
          assert.isBelow(total, maxFirstView)
        })
        const { body: order } = yield* call(
          "POST",
          "/v1/messages",
          send({ to: [{ email: "grace@example.com" }], externalId: "order-7" }, { subject: "Your order has shipped" })
        )
        yield* Effect.promise(async () => {
          const shipped = list.getByRole("link", { name: "Your order has shipped" })
          await shipped.getByText("delivered", { exact: true }).waitFor()
          await page.getByText("2 messages").waitFor()
          for (const heading of ["To or from", "Subject", "Status", "Time"])
            await page.locator(".headings").getByText(heading, { exact: true }).waitFor()

          const finds = async (text: string) => {
            await page.getByLabel("Find messages").fill("nothing like this")
            await page.getByText("No message matches").waitFor()
            await page.getByLabel("Find messages").fill(text)
            await shipped.waitFor()
            await page.getByText("1 message", { exact: true }).waitFor()
            assert.strictEqual(await list.getByRole("listitem").count(), 1)
          }
          const ids = ["order-7", order.id, order.emailMetadata.messageId]
          for (const text of ["has shipped", "grace@example.com", "ce@example.co", ...ids]) await finds(text)
          await page.getByLabel("To", { exact: true }).fill("2001-01-31")
          await page.getByLabel("Find messages").fill("has shipped")
          await page.getByText("No message matches").waitFor()
          await page.getByLabel("To", { exact: true }).fill("")
          await page.getByLabel("From", { exact: true }).fill("2001-01-31")
          await shipped.waitFor()
          assert.strictEqual(page.url(), `${baseUrl}/console/messages?search=has+shipped&from=2001-01-31`)
          await page.reload()
          await shipped.waitFor()
          assert.strictEqual(await list.getByRole("listitem").count(), 1)

          const started = page.waitForEvent("download")
          await page.getByRole("button", { name: "Export CSV" }).click()
          const [header = "", row = "", ...rest] = readFileSync(await (await started).path(), "utf8").split("\r\n")
          assert.match(header, /^"id","createdAt","channel",/)
          assert.match(
            row,
            new RegExp(`^"${order.id}".*,"grace@example.com","","","Your order has shipped","order-7",`)
          )
          assert.deepStrictEqual(rest, [""])
          await page.getByText("1 message exported").waitFor()
        })
        // Chromium reports the 401 of `GET /session` before the log-in.
        assert.deepStrictEqual(
          problems.filter((problem) => !problem.includes("401")),
          []
        )
      })
    )

    it.scoped("shows the log-in page when the session has ended, and after the log-out", () =>
      Effect.gen(function* () {
        const { baseUrl, key } = yield* LiveService
        const { page } = yield* openPage
        yield* logIn(page, baseUrl, key)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Log out" }).click()
          await page.getByText("You are logged out.").waitFor()
          assert.deepStrictEqual(await page.context().cookies(), [])
        })
        yield* logIn(page, baseUrl, key)
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Messages", exact: true }).waitFor()
          await page.context().clearCookies()
          await page.getByLabel("Status").selectOption("failed")
          await page.getByText("Your session has ended. Log in again.").waitFor()
        })
      })
    )
  })
})
