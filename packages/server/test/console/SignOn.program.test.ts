import { assert, layer } from "@effect/vitest"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted } from "effect"
import { Secret, TOTP, URI } from "otpauth"
import decodeQr, { type Image } from "qr/decode.js"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { adminKey, caller } from "../LiveService.js"
import { oidcClient, oidcIssuer } from "../sessions/OidcIssuer.js"
import { startService, testSettings } from "../TestService.js"
import { goTo } from "./ConsolePage.js"
import { examineView, loadAxe } from "./ExamineView.js"
import type { Page } from "./LogIn.js"

/** The service with a provider of OpenID Connect. */
class Installation extends Context.Tag("test/Installation")<
  Installation,
  {
    readonly baseUrl: string
    readonly call: ReturnType<typeof caller>
    readonly provider: Effect.Effect.Success<ReturnType<typeof oidcIssuer>>["state"]
  }
>() {
  static readonly Live = Layer.scoped(
    Installation,
    Effect.gen(function* () {
      const port = yield* freePort
      const { issuer, state } = yield* oidcIssuer(`http://127.0.0.1:${port}/v1/session/oidc/callback`)
      const { baseUrl } = yield* startService({
        ...testSettings(Redacted.value(yield* TestDatabaseUrl), adminKey),
        PORT: String(port),
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: oidcClient.id,
        OIDC_CLIENT_SECRET: oidcClient.secret,
        OIDC_NAME: "Example ID"
      })
      return { baseUrl, call: caller(baseUrl), provider: state }
    })
  ).pipe(Layer.provideMerge(TestDatabaseUrl.Live))
}

const shown = (page: Page, heading: string) => page.getByRole("heading", { name: heading, exact: true }).waitFor()

/** Opens the link to the provider on the log-in page. */
const signOn = async (page: Page, baseUrl: string) => {
  await page.goto(`${baseUrl}/console/`)
  await page.getByRole("link", { name: "Log in with Example ID" }).click()
}

/** The text of the QR code in a screenshot. */
const decodedQr = async (page: Page, screenshot: Buffer) => {
  const pixels = await page.evaluate<Image>(`(async () => {
    const bytes = Uint8Array.from(atob("${screenshot.toString("base64")}"), (byte) => byte.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")
    context.drawImage(bitmap, 0, 0)
    const { data, height, width } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    return { data: Uint8Array.from(data), height, width }
  })()`)
  return decodeQr(pixels, { timeLimit: 10_000 })
}

describeInBrowser("Log-ins in a browser", () => {
  layer(Installation.Live, { excludeTestServices: true })((it) => {
    it.scoped("with a provider, for invited people, with their role", () =>
      Effect.gen(function* () {
        const { baseUrl, call, provider } = yield* Installation
        const { page, violations } = yield* openPage
        const email = "alan@people.test"
        const alan = { sub: "alan", email, email_verified: true, name: "Alan Turing" }
        provider.next = alan
        yield* Effect.promise(async () => {
          /** The violations of the log-in page with the link to the provider. */
          const examineLogIn = async (name: string) => {
            await page.getByRole("link", { name: "Log in with Example ID" }).waitFor()
            await loadAxe(page)
            assert.deepStrictEqual(await examineView(page, name), [])
          }
          await page.goto(`${baseUrl}/console/`)
          await examineLogIn("log-in")
          await signOn(page, baseUrl)
          await page.getByText("ask an admin for an invitation").waitFor()
          assert.strictEqual(page.url(), `${baseUrl}/console/`)
          await examineLogIn("refused log-in")
          provider.next = null
          await page.context().clearCookies()
          await signOn(page, baseUrl)
          await page.getByText("The log-in was cancelled").waitFor()
          await examineLogIn("cancelled log-in")
        })
        yield* call("POST", "/v1/users/invitations", { email, roleName: "sender" })
        yield* Effect.promise(async () => {
          provider.next = alan
          await page.context().clearCookies()
          await signOn(page, baseUrl)
          await shown(page, "Messages")
          await page.locator(".account").getByText("Alan Turing").waitFor()
          await page.locator(".account").getByText("sender").waitFor()
          await goTo(page, "/send")
          await shown(page, "Send a message")
          await goTo(page, "/people")
          await page.getByText("Not permitted").waitFor()
        })
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped("with a second factor, which a person adds and removes", () =>
      Effect.gen(function* () {
        const { call } = yield* Installation
        const { page, violations } = yield* openPage
        const [email, password] = ["ada@people.test", "correct horse battery"]
        const { body } = yield* call("POST", "/v1/users/invitations", { email, roleName: "viewer" })
        yield* Effect.promise(async () => {
          await page.goto(body.url)
          await page.getByLabel("Name").fill("Ada Lovelace")
          await page.getByLabel("Password").fill(password)
          await page.getByRole("button", { name: "Accept the invitation" }).click()

          await page.getByRole("button", { name: "Add a second factor" }).click()
          const begin = page.getByRole("dialog", { name: "Add a second factor" })
          await begin.getByLabel("Current password").fill(password)
          await begin.getByRole("button", { name: "Continue" }).click()
          const confirm = page.getByRole("dialog", { name: "Confirm the second factor" })
          const secret = (await confirm.locator("code").textContent()) ?? ""
          await confirm.getByLabel("Code", { exact: true }).fill("12345")
          await confirm.getByRole("button", { name: "Confirm" }).click()
          await confirm.getByRole("listitem").filter({ hasText: "code" }).waitFor()
          const image = confirm.getByRole("img", { name: "QR code of the key" })
          const link = confirm.getByRole("link", { name: "Open the app on this device" })
          const uri = (await link.getAttribute("href")) ?? ""
          assert.strictEqual(URI.parse(uri).secret.base32, secret)
          for (const colorScheme of ["dark", "light"] as const) {
            await page.emulateMedia({ colorScheme })
            assert.strictEqual(await decodedQr(page, await image.screenshot()), uri, colorScheme)
          }
          await loadAxe(page)
          assert.deepStrictEqual(await examineView(page, "second factor"), [])
          await confirm
            .getByLabel("Code", { exact: true })
            .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
          await confirm.getByRole("button", { name: "Confirm" }).click()
          const recovery = page.getByRole("dialog", { name: "Recovery codes" })
          const [first = "", second = ""] = ((await recovery.locator("code").textContent()) ?? "").split(" ")
          await recovery.getByRole("button", { name: "Done" }).click()

          await page.getByRole("button", { name: "Log out" }).click()
          await page.getByLabel("E-mail address").fill(email)
          await page.getByLabel("Password", { exact: true }).fill(password)
          await page.getByRole("button", { name: "Log in", exact: true }).click()
          await page.getByLabel("Code").fill("123456")
          await page.getByRole("button", { name: "Log in", exact: true }).click()
          await page.getByRole("alert").waitFor()
          await page.getByLabel("Code").fill(first)
          await page.getByRole("button", { name: "Log in", exact: true }).click()
          await shown(page, "Messages")

          await page.getByRole("button", { name: "Remove the second factor" }).click()
          const remove = page.getByRole("dialog", { name: "Remove the second factor" })
          await remove.getByLabel("Current password").fill(password)
          await remove.getByLabel("Code").fill(second)
          await remove.getByRole("button", { name: "Remove" }).click()
          await page.getByRole("button", { name: "Add a second factor" }).waitFor()
        })
        assert.deepStrictEqual(violations, [])
      })
    )
  })
})
