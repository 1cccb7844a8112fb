import { assert, layer } from "@effect/vitest"
import { dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Effect, Layer } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { accepted, LiveService, settled } from "../LiveService.js"
import { examineView, loadAxe } from "./ExamineView.js"
import { logIn } from "./LogIn.js"

/** The service with direct delivery to a mail server that refuses connections. */
const Direct = Layer.unwrapScoped(
  Effect.gen(function* () {
    const { server } = yield* dnsServer({
      "refusing.test": [{ type: "MX", priority: 10, exchange: "mx.refusing.test" }],
      "mx.refusing.test": [{ type: "A", address: "127.0.0.1" }]
    })
    const port = String(yield* freePort)
    return LiveService.layer({
      SMTP_URL: "mx:",
      MX_PORT: port,
      MX_HOSTNAME: "out.switchboard.test",
      NETWORK_ALLOW: "127.0.0.0/8",
      DNS_SERVERS: server
    })
  })
)

describeInBrowser("The system in a browser", () => {
  layer(LiveService.Shared, { excludeTestServices: true })((it) => {
    it.scoped("shows queues, relay, findings and version to the operator, and repeats the request", () =>
      Effect.gen(function* () {
        const { baseUrl, call, key } = yield* LiveService
        const { body } = yield* call("GET", "/v1/system")
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, key)
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "System" }).click()
          await page.getByRole("heading", { name: "System", exact: true }).waitFor()
          await page.getByText(body.version, { exact: true }).waitFor()
          const queues = page.getByRole("table", { name: "Queues" })
          await queues.getByRole("rowheader", { name: "Messages", exact: true }).waitFor()
          const relays = page.getByRole("table", { name: "Relays" })
          await relays.getByRole("row", { name: `${body.relays[0].relay} closed` }).waitFor()
          const findings = page.getByRole("region", { name: "Findings" })
          const error = findings.getByRole("listitem").first()
          const worst = body.findings.find(({ level }: { readonly level: string }) => level === "error")
          assert.include((await error.textContent()) ?? "", worst.subject)
          assert.include((await error.textContent()) ?? "", worst.advice[0])
          await page.waitForResponse(`${baseUrl}/v1/system`)
          await page.waitForResponse(`${baseUrl}/v1/system`)
        })
        assert.deepStrictEqual(violations, [])
      })
    )
  })

  layer(Direct, { excludeTestServices: true })((it) => {
    it.scoped("shows the destinations of direct delivery without a serious violation", () =>
      Effect.gen(function* () {
        const { baseUrl, key } = yield* LiveService
        const { id } = yield* accepted({ to: [{ email: "ada@refusing.test" }] })
        yield* settled(id, "queued")
        const { page, violations } = yield* openPage
        yield* logIn(page, baseUrl, key, "system")
        const found = yield* Effect.promise(async () => {
          const destinations = page.getByRole("table", { name: "Destinations" })
          await destinations.getByRole("rowheader", { name: "mx.refusing.test" }).waitFor()
          await destinations.getByText("ECONNREFUSED").waitFor()
          await loadAxe(page)
          return examineView(page, "/system")
        })
        assert.deepStrictEqual([...found, ...violations], [])
      })
    )
  })
})
