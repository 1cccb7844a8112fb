import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser } from "../document/Browser.js"
import { ConsolePage, showView } from "./ConsolePage.js"

const phone = "+4915123456789"

describeInBrowser("Texts in the console", () => {
  layer(ConsolePage.Live, { excludeTestServices: true })((it) => {
    it.scoped("are sent, answered on the handset, and answered in their conversation", () =>
      Effect.gen(function* () {
        const { page } = yield* ConsolePage
        yield* Effect.promise(async () => {
          await showView(page, "/handset")
          await page.getByText("No message has arrived").waitFor()
          await page.getByRole("link", { name: "Send a message" }).first().click()

          await page.getByRole("textbox", { name: "To" }).fill("0151 2345")
          const text = page.getByRole("textbox", { name: "Text" })
          await text.fill("x".repeat(161))
          await page.getByText("GSM 03.38, 2 segments of at most 10", { exact: true }).waitFor()
          await text.fill(`${"x".repeat(69)}’s`)
          await page.getByText("UCS-2, 2 segments of at most 10, because of “’”").waitFor()
          await page.getByRole("button", { name: "Send", exact: true }).click()
          await page.getByText("to.0.phone must be a phone number").waitFor()

          await page.getByRole("textbox", { name: "To" }).fill("+49 151 2345-6789, +49 151 2345 0001")
          await text.fill("Is 9 am convenient?")
          await page.getByRole("tab", { name: "E-mail" }).click()
          await page.getByLabel("Subject").waitFor()
          await page.getByRole("tab", { name: "SMS" }).click()
          assert.strictEqual(await text.inputValue(), "Is 9 am convenient?")
          await page.getByRole("button", { name: "Send", exact: true }).click()

          await page.getByRole("heading", { name: "Is 9 am convenient?" }).waitFor()
          await page.getByText("GSM 03.38, 1 segment", { exact: true }).waitFor()
          const recipients = page.getByRole("region", { name: "Recipients" })
          await recipients.getByRole("listitem").filter({ hasText: phone }).getByText("It was delivered.").waitFor()
          await recipients.getByText(/^UNDELIV 001 /).waitFor()

          await showView(page, "/handset")
          await page.getByRole("link", { name: phone }).click()
          await page.getByLabel(`Reply as ${phone}`).fill("Yes, thank you")
          await page.getByRole("button", { name: "Send reply" }).click()
          await page.getByText("The reply is received").waitFor()

          await showView(page, "/conversations")
          await page.getByRole("link", { name: phone }).click()
          const exchange = page.getByRole("list", { name: "Exchange" })
          await exchange.getByText("SMS to +15550100000").waitFor()
          await exchange.getByText("Yes, thank you").waitFor()
          await page.getByLabel(`Reply by SMS to ${phone}`).fill("See you")
          await page.getByRole("button", { name: "Send reply" }).click()
          const answer = exchange.getByRole("listitem").filter({ hasText: "See you" })
          await answer.getByText("delivered", { exact: true }).waitFor()
        })
      })
    )

    it.scoped("are sent by WhatsApp: a template, and a text within the service window", () =>
      Effect.gen(function* () {
        const { page } = yield* ConsolePage
        yield* Effect.promise(async () => {
          const phone = "+4915187654321"
          const send = page.getByRole("button", { name: "Send", exact: true })
          await showView(page, "/send?tab=whatsapp")
          await page.getByRole("textbox", { name: "To" }).fill("+49 151 8765-4321")
          await page.getByRole("textbox", { name: "Text" }).fill("Is 9 am convenient?")
          await send.click()
          await page.getByText(/^whatsapp must be a template: the recipient has not written/).waitFor()

          await page.getByLabel("Content").selectOption("template")
          await page.getByLabel("Name").fill("Order ready")
          await page.getByLabel("Language").fill("en_US")
          await page.getByLabel("Parameters").fill("Ada\nB-1815")
          await send.click()
          await page.getByText(/^whatsapp\.template\.name must be the name of a template/).waitFor()
          await page.getByLabel("Name").fill("order_ready")
          await send.click()

          await page.getByRole("heading", { name: "order_ready" }).waitFor()
          const content = page.getByRole("region", { name: "Content" })
          await content.getByText("en_US", { exact: true }).waitFor()
          await content.getByText("B-1815", { exact: true }).waitFor()
          await page.getByText("It was delivered.").waitFor()
          await page.getByText("Billed as").waitFor()
          assert.strictEqual(await page.getByText("Service window until").count(), 0)

          await showView(page, "/handset")
          await page.getByRole("link", { name: phone }).click()
          await page.getByLabel(`Reply as ${phone}`).fill("I come at 10")
          await page.getByRole("button", { name: "Send reply" }).click()
          await page.getByText("The reply is received").waitFor()

          await showView(page, "/conversations")
          await page.getByRole("link", { name: phone }).click()
          const exchange = page.getByRole("list", { name: "Exchange" })
          await exchange.getByText("I come at 10").waitFor()
          await page.getByLabel(`Reply by WhatsApp to ${phone}`).fill("Welcome")
          await page.getByRole("button", { name: "Send reply" }).click()
          const answer = exchange.getByRole("listitem").filter({ hasText: "Welcome" })
          await answer.getByText("delivered", { exact: true }).waitFor()
          await answer.getByRole("link").click()
          await page.getByText("Service window until").waitFor()

          await showView(page, "/send?tab=whatsapp")
          await page.getByRole("textbox", { name: "To" }).fill(phone)
          await page.getByLabel("Content").selectOption("media")
          await page.getByLabel("Caption").fill("The plan of the shop")
          await send.click()
          await page.getByText("Choose the file to send.").waitFor()
          const plan = { name: "plan.pdf", mimeType: "application/pdf", buffer: Buffer.from("plan") }
          await page.getByLabel("Choose a file").setInputFiles(plan)
          await send.click()
          await page.getByRole("heading", { name: "The plan of the shop" }).waitFor()
          await page.getByText("It was delivered.").waitFor()
          await content.getByRole("link", { name: "plan.pdf" }).waitFor()

          await showView(page, "/contacts")
          await page.getByRole("link", { name: phone }).first().click()
          await page.getByRole("definition").filter({ hasText: "open until" }).waitFor()
        })
      })
    )

    it.scoped("are not sent to a phone that opted out, until its opt-out is lifted", () =>
      Effect.gen(function* () {
        const { page } = yield* ConsolePage
        yield* Effect.promise(async () => {
          await showView(page, "/numbers")
          await page.getByRole("rowheader", { name: "+15550100000" }).waitFor()
          await page
            .getByText(/switchboard numbers add NUMBER --organization .* --channels sms,whatsapp,voice/)
            .waitFor()
          await page.getByText("SMS, WhatsApp, Voice", { exact: true }).waitFor()

          await showView(page, "/opt-outs")
          await page.getByText("No opt-outs").waitFor()
          await page.getByRole("button", { name: "Add an opt-out" }).click()
          await page.getByLabel("Phone").fill("0151 99")
          await page.getByRole("button", { name: "Add", exact: true }).click()
          await page.getByText(/^phone /).waitFor()
          await page.getByLabel("Phone").fill("+49 151 99999999")
          await page.getByRole("button", { name: "Add", exact: true }).click()
          const row = page.getByRole("list", { name: "Opt-outs" }).getByText("+4915199999999 from +15550100000")
          await row.waitFor()

          const send = async () => {
            await showView(page, "/send?tab=sms")
            await page.getByRole("textbox", { name: "To" }).fill("+4915199999999")
            await page.getByRole("textbox", { name: "Text" }).fill("Hello")
            await page.getByRole("button", { name: "Send", exact: true }).click()
          }
          await send()
          await page.getByText("It was not sent: the phone opted out.").waitFor()

          await showView(page, "/opt-outs")
          await page.getByLabel("Find opt-outs").fill("+4915199999999")
          await page.getByRole("button", { name: "Lift" }).click()
          await page.locator("dialog").getByRole("button", { name: "Lift" }).click()
          await page.getByText("No opt-out matches").waitFor()
          await send()
          await page.getByText("It was delivered.").waitFor()
        })
      })
    )
  })
})
