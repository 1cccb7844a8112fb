import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { publish } from "../email/domains/Zone.js"
import { ReceivingService } from "../email/ReceivingService.js"
import { LiveService } from "../LiveService.js"
import { logIn } from "./LogIn.js"

/** A name with markup, which must be shown as it is. Names cannot have angle brackets. */
const hostileName = "Ada &lt;b&gt; document.title={run}"

describeInBrowser("Domains and senders in a browser", () => {
  layer(ReceivingService.layer(), { excludeTestServices: true })((it) => {
    it.scoped("adds a domain, compares its records, verifies it and deletes it", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* LiveService
        const { zone } = yield* ReceivingService
        const { page, violations } = yield* openPage
        const find = page.getByLabel("Find domains")
        yield* logIn(page, baseUrl, undefined, "domains")
        yield* Effect.promise(async () => {
          await find.fill("nothing")
          await page.getByText("No domain matches").waitFor()
          await find.fill("")

          await page.getByRole("button", { name: "Add a domain" }).click()
          const dialog = page.getByRole("dialog", { name: "Add a domain" })
          await dialog.getByLabel("Domain").fill("not a domain")
          await dialog.getByRole("button", { name: "Add", exact: true }).click()
          assert.match((await dialog.getByRole("alert").textContent()) ?? "", /domain.*must/)
          await dialog.getByLabel("Domain").fill("shop.test")
          await dialog.getByRole("button", { name: "Add", exact: true }).click()
          await page.getByRole("heading", { name: "shop.test" }).waitFor()
          const records = page.getByRole("region", { name: "DNS records" })
          await records.getByText("0 of 6 records as expected, checked just now").waitFor()
          assert.strictEqual(await records.getByText("missing", { exact: true }).count(), 6)
          // The name server has no records of the zone yet.
          await page.getByText("No name servers were found").waitFor()
        })
        const { body } = yield* call("GET", "/v1/email/domains?limit=1")
        const { dnsRecords } = body.items[0]
        publish(zone, dnsRecords)
        zone["shop.test"] = [{ type: "NS", target: "ada.ns.cloudflare.com" }]
        zone["bounce.shop.test"] = [{ type: "MX", priority: 20, exchange: "mail.elsewhere.test" }]
        yield* Effect.promise(async () => {
          await page.reload()
          const records = page.getByRole("region", { name: "DNS records" })
          await page.getByRole("button", { name: "Verify" }).click()
          const failure = page.locator(".toast.failed")
          await failure.getByText("The domain is not verified: 4 of 6 records as expected").waitFor()
          await failure.getByRole("button", { name: "Close" }).click()
          const wrong = records.getByRole("listitem").filter({ hasText: "differs" })
          await wrong.getByText("10 mail.switchboard.test").waitFor()
          await wrong.getByText("20 mail.elsewhere.test").waitFor()
          await records.getByText("bounce", { exact: true }).first().waitFor()
          const provider = page.getByRole("region", { name: "DNS provider" })
          await provider.getByText("Publish the records at Cloudflare, in the zone shop.test.").waitFor()
          assert.match((await provider.getByRole("link").getAttribute("href")) ?? "", /^https:.*cloudflare/)
          await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
          await records.getByRole("button", { name: "Copy all" }).click()
          await page.getByText("Copied").waitFor()
          const lines = (await page.evaluate<string>("navigator.clipboard.readText()")).trim().split("\n")
          assert.lengthOf(lines, 6)
          assert.include(lines, "bounce.shop.test. 3600 IN MX 10 mail.switchboard.test.")
          assert.match(lines[1] ?? "", /^sm1\._domainkey\.shop\.test\. 3600 IN TXT "v=DKIM1; k=rsa; p=.{237}" ".+"$/)
        })
        publish(zone, dnsRecords)
        yield* Effect.promise(async () => {
          const records = page.getByRole("region", { name: "DNS records" })
          await page.getByRole("button", { name: "Verify" }).click()
          await page.getByText("The domain is verified").waitFor()
          await records.getByText("6 of 6 records as expected").waitFor()
          assert.strictEqual(await records.getByText("ok", { exact: true }).count(), 6)

          await page.getByRole("button", { name: "Rotate DKIM" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Rotate DKIM" }).click()
          await page.getByText("The other DKIM key signs from now on").waitFor()
          // The record of the new key is not published yet: the name has the earlier key.
          const unpublished = records.getByRole("listitem").filter({ hasText: "differs" })
          await unpublished.getByText("_domainkey.shop.test").waitFor()
          assert.strictEqual(await unpublished.count(), 1)

          await page.getByRole("button", { name: "Receive mail" }).click()
          await page.getByRole("textbox", { name: "Addresses" }).fill("support\nsales")
          await page.getByRole("button", { name: "Receive", exact: true }).click()
          await page.getByText("Mail is received for support@shop.test, sales@shop.test").waitFor()
          await records.getByText("MX", { exact: true }).nth(1).waitFor()

          const catchAll = page.getByRole("region", { name: "Catch-all" })
          await catchAll.getByRole("button", { name: "Switch on" }).click()
          await catchAll.getByText("active", { exact: true }).waitFor()
          await catchAll.getByRole("button", { name: "Edit catch-all" }).click()
          const edit = page.getByRole("dialog", { name: "Edit catch-all" })
          await edit.getByLabel("Exclude").fill("ada@elsewhere.test")
          await edit.getByRole("button", { name: "Save" }).click()
          await edit.getByRole("listitem").filter({ hasText: "exclude" }).waitFor()
          await edit.getByLabel("Exclude").fill("old")
          await edit.getByRole("button", { name: "Save" }).click()
          await catchAll.getByText("old@shop.test").waitFor()
          await catchAll.getByRole("button", { name: "Switch off" }).click()
          await page.getByRole("dialog", { name: "Switch off" }).getByRole("button", { name: "Switch off" }).click()
          await catchAll.getByText("off", { exact: true }).waitFor()

          await page.getByRole("button", { name: "Delete" }).click()
          const dialog = page.getByRole("dialog", { name: "Delete" })
          await page.keyboard.press("Escape")
          await dialog.waitFor({ state: "detached" })
          await page.getByRole("button", { name: "Delete" }).click()
          await dialog.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("heading", { name: "Domains" }).waitFor()
          await page.getByRole("link", { name: "localhost.test" }).waitFor()
          assert.strictEqual(await page.getByRole("link", { name: "shop.test" }).count(), 0)
        })
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped("adds and deletes a sender, follows its confirmation, and shows its name as text", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* LiveService
        const { page } = yield* openPage
        yield* call("POST", "/v1/email/domains", { domain: "news.test" })
        yield* logIn(page, baseUrl, undefined, "senders")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Add a sender" }).click()
          const dialog = page.getByRole("dialog", { name: "Add a sender" })
          await dialog.getByLabel("Address").fill("news@unknown.test")
          await dialog.getByLabel("Name").fill(hostileName)
          await dialog.getByRole("button", { name: "Add", exact: true }).click()
          assert.match((await dialog.getByRole("alert").textContent()) ?? "", /Request [\w-]{36}/)
          await dialog.getByLabel("Address").fill("news@news.test")
          await dialog.getByRole("button", { name: "Add", exact: true }).click()
          const row = page.getByRole("listitem").filter({ hasText: "news@news.test" })
          await row.getByText(hostileName).waitFor()
          await row.getByText("pending", { exact: true }).waitFor()
          await row.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
          await row.waitFor({ state: "detached" })
        })
      })
    )
  })
})
