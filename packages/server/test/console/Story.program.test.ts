import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { adminKey } from "../LiveService.js"
import { runCommand } from "../TestCommand.js"
import { newDatabase, startService, testSettings } from "../TestService.js"

describeInBrowser("The first minutes in the console", () => {
  it.scopedLive("lead from the log-in link to a delivered mail, its reply, and the reply in the list", () =>
    Effect.gen(function* () {
      const environment = testSettings(yield* newDatabase, adminKey)
      const { baseUrl } = yield* startService(environment)
      const { stdout } = yield* runCommand(["login-link", "--url", baseUrl], environment)
      const link = /http:\S+\/console\/#login=\S+/.exec(stdout)?.[0] ?? ""
      const { page, problems, requests, violations } = yield* openPage
      yield* Effect.promise(async () => {
        await page.goto(link)
        await page.getByRole("heading", { name: "Messages", exact: true }).waitFor()
        assert.strictEqual(page.url(), `${baseUrl}/console/messages`)
        await page.getByText("No messages yet").waitFor()

        await page.getByRole("link", { name: "Send a message" }).first().click()
        await page.getByLabel("To", { exact: true }).fill("Ada <ada@example.com>")
        await page.getByLabel("Subject").fill("Your order has shipped")
        await page.getByRole("textbox", { name: "HTML" }).fill("<h1>It left our house</h1><script>alert(1)</script>")
        await page.getByRole("button", { name: "Send" }).click()
        await page.getByRole("heading", { name: "Your order has shipped" }).waitFor()
        const recipients = page.getByRole("region", { name: "Recipients" })
        await recipients.getByText("delivered", { exact: true }).waitFor()
        await recipients.getByText(/^250 /).waitFor()
        await page.frameLocator("iframe").getByRole("heading", { name: "It left our house" }).waitFor()

        const sent = page.url()
        await page.getByRole("button", { name: "Send again" }).click()
        await page.getByText("Sent again as a new message").waitFor()
        assert.notStrictEqual(page.url(), sent)

        await page.getByRole("link", { name: "Local mailbox" }).click()
        await page.getByRole("link", { name: "Your order has shipped" }).first().click()
        await page.getByLabel("Reply as the recipient").fill("Thank you!")
        await page.getByRole("button", { name: "Send reply" }).click()
        await page.getByText("The reply is received").waitFor()

        await page.getByRole("link", { name: "Messages" }).click()
        await page.getByRole("link", { name: "Re: Your order has shipped" }).click()
        await page.getByRole("tab", { name: "Text" }).click()
        await page.getByText("Thank you!").waitFor()

        await page.getByRole("button", { name: "Log out" }).click()
        await page.goto(link)
        await page.getByText("The log-in link was used before or has expired").waitFor()
        assert.strictEqual(page.url(), `${baseUrl}/console/`)
      })
      assert.deepStrictEqual([...new Set(requests.map((url) => new URL(url).origin))], [baseUrl])
      assert.deepStrictEqual(violations, [])
      // Chromium reports the 401 of the used link, and that the sandbox keeps the script of the mail from running.
      assert.deepStrictEqual(
        problems.filter((problem) => !/401|sandboxed/.test(problem)),
        []
      )
    })
  )
})
