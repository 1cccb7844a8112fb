import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { adminKey, type ServiceResponse, send, until } from "../LiveService.js"
import { Laptop } from "./Laptop.js"
import { logIn } from "./LogIn.js"

/** Sends a message to an address, and waits until it has a status. */
const sent = Effect.fnUntraced(function* (
  recipient: string,
  status: string,
  email: Readonly<Record<string, unknown>> = {}
) {
  const { call } = yield* Laptop
  const { body } = yield* call("POST", "/v1/messages", send({ to: [{ email: recipient }] }, email))
  yield* until(call("GET", `/v1/messages/${body.id}`), (response: ServiceResponse) => response.body.status === status)
  return body
})

describeInBrowser("A message in the console", () => {
  layer(Laptop.Live, { excludeTestServices: true })((it) => {
    it.scoped("says what happened to its recipient, when the next try is, and which block it made", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* Laptop
        const bounced = yield* sent("george+bounce@example.com", "bounced")
        const suppressed = yield* sent("george+bounce@example.com", "failed")
        const deferred = yield* sent("ada+defer@example.com", "queued")
        const { page } = yield* openPage
        yield* logIn(page, baseUrl, adminKey, `messages/${deferred.id}`)
        const recipients = page.getByRole("region", { name: "Recipients" })
        yield* Effect.promise(async () => {
          await recipients.getByText(/Next try: in /).waitFor()

          await page.goto(`${baseUrl}/console/messages/${suppressed.id}`)
          await recipients.getByText("It was not sent: the address was blocked.").waitFor()
          await recipients.getByRole("link", { name: "another message" }).click()
          await page.waitForURL(`${baseUrl}/console/messages/${bounced.id}`)
          await recipients.getByText("The address does not exist. It was not delivered.").waitFor()
          await recipients.getByText("This message blocked george+bounce@example.com (hard bounce)").waitFor()
          await recipients.getByRole("button", { name: "Unblock" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Unblock" }).click()
          await page.getByText("george+bounce@example.com is unblocked").waitFor()
          await recipients.getByText("This message blocked").waitFor({ state: "detached" })
        })
        const { body } = yield* call("GET", "/v1/email/blocks/check?email=george%2Bbounce@example.com")
        assert.strictEqual(body.blocked, false)
      })
    )

    it.scoped("links to its API key, template version, mail, webhook deliveries and thread, and is replied to", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* Laptop
        const { body: template } = yield* call("POST", "/v1/email/templates", {
          name: "Order shipped",
          subject: "Your order",
          html: "<p>It is on its way</p>"
        })
        yield* call("POST", "/v1/webhook-endpoints", {
          name: "Shop",
          url: "https://hooks.bookshop.example",
          events: ["message.*"]
        })
        yield* sent("grace@example.com", "delivered")
        const message = yield* sent("ada@example.com", "delivered", {
          subject: undefined,
          html: undefined,
          templateId: template.id
        })
        const { page } = yield* openPage
        yield* logIn(page, baseUrl, adminKey, `messages/${message.id}`)
        const facts = page.getByRole("region", { name: "Facts" })
        yield* Effect.promise(async () => {
          await facts.getByRole("link", { name: "First admin key" }).click()
          await page.getByRole("heading", { name: "First admin key" }).waitFor()
          await page.goBack()
          await facts.getByRole("link", { name: "Order shipped, version 1" }).click()
          await page.locator("details[open]").getByText("<p>It is on its way</p>").waitFor()
          await page.goBack()
          await page.getByText("Webhook deliveries").click()
          const deliveries = page.getByRole("region", { name: "Shop" })
          await deliveries.getByText("message.delivered", { exact: true }).waitFor()
          assert.strictEqual(await deliveries.getByText("message.delivered", { exact: true }).count(), 1)
          await page.getByRole("link", { name: "Mail to ada@example.com" }).click()
          await page.getByLabel("Reply as the recipient").fill("Thank you")
          await page.getByRole("button", { name: "Send reply" }).click()
          await page.getByText("The reply is received").waitFor()

          await page.getByRole("link", { name: "Messages", exact: true }).click()
          await page.getByRole("link", { name: "Re: Your order" }).click()
          await page.getByRole("region", { name: "Authentication" }).getByText("DMARC").waitFor()
          await page.getByRole("tab", { name: "Text" }).click()
          await page.getByText("Complete text").waitFor()
          assert.strictEqual(await page.getByText("> It is on its way").count(), 0)
          await page.getByRole("button", { name: "Reply", exact: true }).click()
          await page.locator("textarea[name=reply]:focus").fill("You are welcome.")
          await page.getByRole("button", { name: "Send reply" }).click()
          const mails = page.getByRole("list", { name: "Exchange" })
          await mails.getByText("You are welcome.").waitFor()
          assert.strictEqual(await mails.getByRole("listitem").count(), 3)
        })
      })
    )
  })
})
