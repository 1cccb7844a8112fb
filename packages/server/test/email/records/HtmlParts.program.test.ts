import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../../document/Browser.js"
import { LiveService, send, until } from "../../LiveService.js"
import { clicks, loads } from "./HostileHtml.js"

const htmlPage = (html: string) => ({ contentType: "text/html", body: html })

describeInBrowser("The HTML of an e-mail in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("runs, loads and navigates nothing in a frame", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { page } = yield* openPage
        const harmful: Array<string> = []
        yield* Effect.promise(() => page.setExtraHTTPHeaders({ "X-API-Key": key }))
        for (const make of [loads, clicks]) {
          for (const name of Object.keys(make(""))) {
            // The server must get no connection.
            const { connections, url } = yield* receiver((response) => response.end("<h1>Trapped</h1>"))
            const html = `<html><body>${make(url)[name]}<p>The end</p></body></html>`
            const { body } = yield* call("POST", "/v1/messages", send({}, { html }))
            const framed = `${baseUrl}/v1/email/${body.id}/html`
            yield* Effect.promise(async () => {
              await page.route("**/framing", (route) => route.fulfill(htmlPage(`<iframe src="${framed}"></iframe>`)))
              await page.goto(`${baseUrl}/framing`)
              const frame = page.frame({ url: framed }) ?? assert.fail("no frame")
              assert.strictEqual(await frame.getByText("The end").count(), 1, name)
              if (make === clicks) await frame.locator("#it").click()
              assert.strictEqual(await frame.getByText("The end").count(), 1, name)
              // Blocked frames of the content show an error page of the browser.
              const [top, shown] = page.frames().map((one) => one.url())
              assert.deepStrictEqual([top, shown], [`${baseUrl}/framing`, framed], name)
              assert.strictEqual(page.context().pages().length, 1, name)
            })
            if (connections() > 0) harmful.push(name)

            // The same content without protection does harm: the test would notice it.
            yield* Effect.promise(async () => {
              await page.route("**/unprotected", (route) => route.fulfill(htmlPage(html)))
              await page.route("**/framing", (route) => route.fulfill(htmlPage('<iframe src="/unprotected"></iframe>')))
              await page.goto(`${baseUrl}/framing`)
              if (make === clicks) await page.frames()[1]?.locator("#it").click()
            })
            yield* until(Effect.sync(connections), (count) => count > 0)
            yield* Effect.promise(() => page.unrouteAll())
          }
        }
        assert.deepStrictEqual(harmful, [])
      })
    )

    it.scoped("shows text, styles and inline images", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { page, problems } = yield* openPage
        const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        const { body } = yield* call(
          "POST",
          "/v1/messages",
          send(
            {},
            {
              html: '<!DOCTYPE html><style>p { color: rgb(1, 2, 3) }</style><p>Hello</p><img src="cid:logo@shop.test">',
              attachments: [{ filename: "logo.png", content: pixel, contentId: "logo@shop.test" }]
            }
          )
        )
        yield* Effect.promise(async () => {
          await page.setExtraHTTPHeaders({ "X-API-Key": key })
          await page.goto(`${baseUrl}/v1/email/${body.id}/html`)
          assert.strictEqual(await page.evaluate("document.querySelector('img').naturalWidth"), 1)
          const color = await page.evaluate("getComputedStyle(document.querySelector('p')).color")
          assert.strictEqual(color, "rgb(1, 2, 3)")
          assert.strictEqual(await page.evaluate("document.compatMode"), "CSS1Compat")
        })
        assert.deepStrictEqual(problems, [])
      })
    )
  })
})
