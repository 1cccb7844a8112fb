import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { Array, Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { LiveService, send } from "../LiveService.js"
import { logIn, type Page } from "./LogIn.js"

/** A text with markup, which must be shown as it is. */
const hostile = `<img src=x onerror="document.title='run'">`

const settings = { NETWORK_ALLOW: "127.0.0.0/8", WEBHOOK_RETRY_SCHEDULE: Array.replicate("50 millis", 2).join(", ") }

const secretOf = async (page: Page) => {
  const dialog = page.getByRole("dialog", { name: "The new signing secret" })
  const secret = await dialog.locator("code").textContent()
  await dialog.getByRole("button", { name: "Done" }).click()
  await dialog.waitFor({ state: "detached" })
  return secret ?? ""
}

describeInBrowser("Webhooks in a browser", () => {
  layer(LiveService.layer(settings), { excludeTestServices: true })((it) => {
    it.scoped("creates an endpoint, tests, edits, pauses and deletes it, and shows its secrets once", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* LiveService
        const hook = yield* receiver((response) => response.writeHead(202, { "X-Served-By": hostile }).end(hostile))
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, undefined, "webhooks")
        yield* Effect.promise(async () => {
          await page.getByText("No webhooks yet").waitFor()
          assert.include(await page.locator(".command pre").textContent(), "/v1/webhook-endpoints")
          await page.getByRole("button", { name: "Add an endpoint" }).click()
          const dialog = page.getByRole("dialog", { name: "Add an endpoint" })
          await dialog.getByLabel("Name").fill(hostile)
          await dialog.getByLabel("URL").fill("ftp://example.com")
          await dialog.getByRole("checkbox", { name: "message.*" }).uncheck()
          await dialog.getByRole("button", { name: "Add", exact: true }).click()
          const problems = (await dialog.getByRole("alert").textContent()) ?? ""
          for (const field of ["url must be", "events must"]) assert.include(problems, field)
          await dialog.getByLabel("URL").fill(`${hook.url}/hooks`)
          await dialog.getByRole("checkbox", { name: "message.sent" }).check()
          await dialog.getByRole("button", { name: "Add", exact: true }).click()
          const first = await secretOf(page)
          assert.match(first, /^whsec_/)
          await page.getByRole("heading", { name: hostile, exact: true }).waitFor()
          await page.getByRole("heading", { name: "No deliveries yet" }).waitFor()
          assert.notInclude(await page.content(), first)

          await page.getByRole("button", { name: "Test" }).click()
          await page.getByRole("dialog").getByLabel("Event").selectOption("message.bounced")
          await page.getByRole("button", { name: "Send", exact: true }).click()
          await page.getByText(/The endpoint: responded 202 after/).waitFor()
          const delivery = page.getByRole("list", { name: "Deliveries" }).getByRole("listitem").first()
          await delivery.getByText("message.bounced", { exact: true }).click()
          await delivery.getByRole("region", { name: "Response to attempt 1" }).getByText(hostile).waitFor()
          await delivery.getByText("Response headers").click()
          await delivery.getByText("x-served-by").waitFor()
          await delivery.getByText("Request headers").click()
          await delivery.getByText(/^v1,/).waitFor()
          const payload = delivery.getByRole("region", { name: "Body of the request" })
          assert.include(await payload.textContent(), '"type": "message.bounced"')
          assert.strictEqual(await delivery.getByRole("button", { name: "Retry" }).count(), 0)

          await page.getByRole("button", { name: "Rotate secret" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click()
          assert.notStrictEqual(await secretOf(page), first)

          await page.getByRole("button", { name: "Edit" }).click()
          const form = page.getByRole("dialog", { name: "Edit" })
          assert.isTrue(await form.getByRole("checkbox", { name: "message.sent" }).isChecked())
          await form.getByLabel("Name").fill("Orders")
          await form.getByLabel("Requests per second").fill("many")
          await form.getByRole("button", { name: "Save" }).click()
          assert.match((await form.getByRole("alert").textContent()) ?? "", /rateLimit\.maxPerSecond/)
          await form.getByLabel("Requests per second").fill("20")
          await form.getByRole("button", { name: "Save" }).click()
          await page.getByRole("heading", { name: "Orders" }).waitFor()
          await page.getByText("20 per second").waitFor()

          await page.getByRole("button", { name: "Pause" }).click()
          await page.getByRole("button", { name: "Activate" }).waitFor()
          await page.goto(`${baseUrl}/console/webhooks?status=active`)
          await page.getByText("No webhook matches").waitFor()
          await page.getByLabel("Status").selectOption("paused")
          await page.getByRole("link", { name: "Orders" }).click()

          await page.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
          await page.getByText("The endpoint is deleted").waitFor()
          await page.getByText("No webhooks yet").waitFor()
          await page.goto(`${baseUrl}/console/webhooks/01a1fc22-5c40-7d1f-a3b2-3f4e5d6c7b8a`)
          assert.match((await page.getByRole("alert").textContent()) ?? "", /Request [\w-]{36}/)
        })
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped("shows failed attempts, retries one delivery, recovers all, and says why an endpoint is disabled", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* LiveService
        let status = 503
        const hook = yield* receiver((response) => response.writeHead(status).end("not yet"))
        const { body: endpoint } = yield* call("POST", "/v1/webhook-endpoints", {
          name: "Orders",
          url: hook.url,
          events: ["message.created"]
        })
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, undefined, `webhooks/${endpoint.id}`)
        const rows = page.getByRole("list", { name: "Deliveries" }).getByRole("listitem")
        yield* Effect.promise(() => page.getByRole("heading", { name: "No deliveries yet" }).waitFor())
        yield* call("POST", "/v1/messages", send())
        // The event brings the delivery into the list.
        yield* Effect.promise(() => rows.first().getByText("message.created", { exact: true }).waitFor())
        // The row follows the attempts, and the endpoint their results.
        yield* Effect.promise(async () => {
          await rows.getByText("failed", { exact: true }).waitFor()
          await page.getByText(/^Every attempt has failed since/).waitFor()
          await page.getByText("3, 0 % succeeded").waitFor()
          await rows.getByText("message.created", { exact: true }).click()
          await rows.getByText(/^3\. responded 503 after/).waitFor()
          assert.strictEqual(await rows.getByText("not yet").count(), 3)
          await page.getByRole("link", { name: "Webhooks" }).last().click()
          await page.getByRole("link", { name: /Orders.*0 %.*failing/ }).click()
          await page.getByLabel("Status").selectOption("succeeded")
          await page.getByText("No delivery matches").waitFor()
          assert.strictEqual(page.url(), `${baseUrl}/console/webhooks/${endpoint.id}?status=succeeded`)
          await page.getByLabel("Status").selectOption("")
          await rows.getByText("message.created", { exact: true }).click()
          await rows.getByRole("button", { name: "Retry" }).click()
          await page.getByText("The delivery is tried again now").waitFor()
        })
        yield* Effect.promise(() => rows.getByText(/^4\. responded 503 after/).waitFor())
        status = 200
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Recover" }).click()
          const dialog = page.getByRole("dialog", { name: "Recover" })
          await dialog.getByLabel("Since").fill("2001-01-01T00:00")
          await dialog.getByRole("button", { name: "Deliver again" }).click()
          assert.match((await dialog.getByRole("alert").textContent()) ?? "", /since/)
          await dialog.getByRole("button", { name: "Cancel" }).click()
          await page.getByRole("button", { name: "Recover" }).click()
          await dialog.getByRole("button", { name: "Deliver again" }).click()
          await page.getByText("Deliveries queued again: 1").waitFor()
        })
        yield* Effect.promise(async () => {
          await rows.getByText("succeeded", { exact: true }).waitFor()
          await page.getByText(/^Every attempt has failed since/).waitFor({ state: "detached" })
        })
        status = 410
        yield* call("POST", "/v1/messages", send())
        yield* Effect.promise(async () => {
          await page.getByText("The service disabled this endpoint: it responded 410 (gone)").waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "Recover" }).count(), 0)
          await page.getByRole("button", { name: "Activate" }).click()
          await page.getByRole("button", { name: "Recover" }).waitFor()
        })
        assert.deepStrictEqual(violations, [])
      })
    )
  })
})
