import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser } from "../document/Browser.js"
import { ConsolePage, showView } from "./ConsolePage.js"

describeInBrowser("Voice in the console", () => {
  layer(ConsolePage.Live, { excludeTestServices: true })((it) => {
    it.scoped("begins with an agent and a workflow, and calls with them", () =>
      Effect.gen(function* () {
        const { page } = yield* ConsolePage
        yield* Effect.promise(async () => {
          const dialog = page.locator("dialog")
          await showView(page, "/voice/agents")
          await page.getByRole("button", { name: "Create an agent" }).click()
          await page.getByLabel("Name", { exact: true }).fill("Front desk")
          await page.getByLabel("Webhook", { exact: true }).fill("https://example.com/calls")
          await page.getByRole("button", { name: "Create", exact: true }).click()
          await dialog.getByText(/^whsec_/).waitFor()
          await dialog.getByRole("button", { name: "Done" }).click()
          await page.getByRole("heading", { name: "Front desk" }).waitFor()
          await page.getByRole("button", { name: "Edit" }).click()
          await page.getByLabel("Webhook", { exact: true }).fill("")
          await page.getByLabel("Description").fill("Takes the calls")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("Takes the calls").waitFor()
          assert.strictEqual(await page.getByText("https://example.com/calls").count(), 0)

          await showView(page, "/voice/workflows")
          await page.getByRole("button", { name: "Create a workflow" }).click()
          await page.getByLabel("Name", { exact: true }).fill("Department")
          await page.getByRole("button", { name: "Create", exact: true }).click()
          await page.getByRole("heading", { name: "Edit Department" }).waitFor()
          for (const step of ["action.menu", "action.speak"]) await page.getByRole("button", { name: step }).click()
          const graph = page.getByRole("textbox", { name: "Graph" })
          const json = await graph.inputValue()
          const save = page.getByRole("button", { name: "Save" })
          await graph.fill(json.replace('"target":"speak-4"', '"target":"nowhere"'))
          await save.click()
          await page.getByText("edges.2.target is not the id of a node").waitFor()
          await graph.fill(json.slice(0, -2))
          await save.click()
          await page.getByText(/The graph is no JSON object.*line/).waitFor()
          await page.getByRole("link", { name: "Department" }).click()
          await dialog.getByRole("button", { name: "Stay" }).click()
          await graph.fill(json)
          await save.click()
          await page.getByText("The draft is saved").waitFor()
          await page.getByRole("link", { name: "Department" }).click()

          await page.getByRole("button", { name: "Link with an agent" }).click()
          await dialog.getByRole("option", { name: "Front desk" }).waitFor({ state: "attached" })
          await dialog.getByRole("button", { name: "Link", exact: true }).click()
          await page.getByRole("button", { name: "Publish" }).click()
          await page.getByText("published", { exact: true }).waitFor()
          await page.getByRole("link", { name: "Agent", exact: true }).click()

          await page.getByRole("button", { name: "Call", exact: true }).click()
          await dialog.getByLabel("To", { exact: true }).fill("+44 20 7946 0018")
          await dialog.getByLabel("Answers").fill("Sales, please")
          await dialog.getByRole("button", { name: "Call", exact: true }).click()
          await page.getByRole("heading", { name: "+442079460018" }).waitFor()
          await page.getByText(/Caller: Sales, please/).waitFor()
        })
      })
    )
  })
})
