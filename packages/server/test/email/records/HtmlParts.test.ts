import { createServer, type Server } from "node:http"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { noBrowser, openPage } from "../../document/Browser.js"
import { adminKey, LiveService, send } from "../../LiveService.js"

/** A server that must get no connection. */
const trap = Effect.acquireRelease(
  Effect.async<{
    readonly url: string
    readonly isReached: () => boolean
    readonly reached: Promise<void>
    readonly server: Server
  }>((resume) => {
    let isReached = false
    const server = createServer((_, response) => response.end("<h1>Trapped</h1>"))
    const reached = new Promise<void>((resolve) =>
      server.on("connection", () => {
        isReached = true
        resolve()
      })
    )
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" ? address?.port : undefined
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, isReached: () => isReached, reached, server }))
    })
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
)

/** Content that loads something without a click. */
const loads = (url: string): Readonly<Record<string, string>> => ({
  script: `<script src="${url}/script"></script><script>new Image().src = "${url}/inline"</script>`,
  "event handler": `<img src="data:," onerror="new Image().src = '${url}/error'">`,
  "meta refresh": `<meta http-equiv="refresh" content="0; url=${url}/refresh">`,
  stylesheet: `<link rel="stylesheet" href="${url}/sheet">`,
  "css import": `<style>@import url("${url}/import"); body { background: url("${url}/background") }</style>`,
  "style attribute": `<p style="background: url(${url}/style)">Styled</p>`,
  image: `<img src="${url}/image" srcset="${url}/set 2x">`,
  base: `<base href="${url}/"><img src="relative">`,
  svg: `<svg><image href="${url}/svg" width="9" height="9"/><use href="${url}/use#a"/></svg>`,
  frame: `<iframe src="${url}/frame"></iframe><iframe srcdoc="<script src='${url}/srcdoc'></script>"></iframe>`,
  object: `<object data="${url}/object"></object><embed src="${url}/embed">`,
  media: `<video poster="${url}/poster" src="${url}/video"></video><audio src="${url}/audio"></audio>`
})

/** Content that navigates when its element `#it` is clicked. */
const clicks = (url: string): Readonly<Record<string, string>> => ({
  link: `<a id="it" href="${url}/link">It</a>`,
  "link to the frame": `<a id="it" href="${url}/self" TARGET = "_self">It</a>`,
  "link to the top": `<a id="it" target=_top href="${url}/top">It</a>`,
  "link to the parent": `<a id="it" href="${url}/parent"target='_parent'>It</a>`,
  "link after another base": `<base target="_self"><a id="it" href="${url}/base">It</a>`,
  "script link": `<a id="it" href="javascript:location = '${url}/script'">It</a>`,
  "svg link": `<svg><a href="${url}/svg" target="_self"><text id="it" y="20">It</text></a></svg>`,
  "animated svg link": `<svg><a href="${url}/set"><set attributeName="t&#97;rget" to="_self"/><text id="it" y="20">It</text></a></svg>`,
  form: `<form action="${url}/form" target="_top"><button id="it">It</button></form>`,
  "button of a form": `<form><button id="it" formaction="${url}/button" formtarget="_self">It</button></form>`
})

const htmlPage = (html: string) => ({ contentType: "text/html", body: html })

describe.skipIf(noBrowser !== null)(
  `The HTML of an e-mail in a browser${noBrowser === null ? "" : ` (skipped: ${noBrowser})`}`,
  () => {
    layer(LiveService.layer(), { timeout: "60 seconds", excludeTestServices: true })((it) => {
      it.scoped(
        "runs, loads and navigates nothing in a frame",
        () =>
          Effect.gen(function* () {
            const { baseUrl, call } = yield* LiveService
            const { page } = yield* openPage
            const harmful: Array<string> = []
            yield* Effect.promise(() => page.setExtraHTTPHeaders({ "X-API-Key": adminKey }))
            for (const make of [loads, clicks]) {
              for (const name of Object.keys(make(""))) {
                const { isReached, reached, url } = yield* trap
                const html = `<html><body>${make(url)[name]}<p>The end</p></body></html>`
                const { body } = yield* call("POST", "/v1/messages", send({}, { html }))
                const framed = `${baseUrl}/v1/email/${body.id}/html`
                yield* Effect.promise(async () => {
                  await page.route("**/framing", (route) =>
                    route.fulfill(htmlPage(`<iframe src="${framed}"></iframe>`))
                  )
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
                if (isReached()) harmful.push(name)

                // The same content without protection does harm: the test would notice it.
                yield* Effect.promise(async () => {
                  await page.route("**/unprotected", (route) => route.fulfill(htmlPage(html)))
                  await page.route("**/framing", (route) =>
                    route.fulfill(htmlPage('<iframe src="/unprotected"></iframe>'))
                  )
                  await page.goto(`${baseUrl}/framing`)
                  if (make === clicks) await page.frames()[1]?.locator("#it").click()
                  await reached
                  await page.unrouteAll()
                })
              }
            }
            assert.deepStrictEqual(harmful, [])
          }),
        300_000
      )

      it.scoped("shows text, styles and inline images", () =>
        Effect.gen(function* () {
          const { baseUrl, call } = yield* LiveService
          const { page, problems } = yield* openPage
          const pixel =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
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
            await page.setExtraHTTPHeaders({ "X-API-Key": adminKey })
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
  }
)
