import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { type ServiceResponse, send, until } from "../LiveService.js"
import { Laptop } from "./Laptop.js"
import { logIn } from "./LogIn.js"

describeInBrowser("A mail of the local mailbox in the console", () => {
  layer(Laptop.Live, { excludeTestServices: true })((it) => {
    it.scoped("is read, comes back and is reported as spam", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* Laptop
        const becomes = (id: string, status: string) =>
          until(call("GET", `/v1/messages/${id}`), ({ body }: ServiceResponse) => body.status === status)
        /** Delivers a message, and returns its id and the path of its mail in the console. */
        const arrived = (recipient: string, email: Readonly<Record<string, unknown>> = {}) =>
          Effect.gen(function* () {
            const { body } = yield* call("POST", "/v1/messages", send({ to: [{ email: recipient }] }, email))
            yield* becomes(body.id, "delivered")
            const { body: mailbox } = yield* call("GET", "/v1/mailbox?limit=1")
            return { id: body.id, path: `mailbox/${mailbox.items[0].id}` }
          })
        const { page } = yield* openPage
        const press = (path: string, button: string, result: string | RegExp) =>
          Effect.promise(async () => {
            await page.goto(`${baseUrl}/console/${path}`)
            const simulations = page.getByRole("region", { name: "Simulate" })
            await simulations.getByRole("button", { name: button }).click()
            await page.getByText(result).waitFor()
          })

        const read = yield* arrived("ada@example.com", { trackOpens: true })
        yield* logIn(page, baseUrl, undefined, read.path)
        yield* Effect.promise(() => page.getByRole("heading", { name: "Simulate" }).waitFor())
        yield* press(read.path, "Read", "The mail is read")
        yield* becomes(read.id, "read")

        const returned = yield* arrived("bob@example.com")
        yield* press(returned.path, "Read", /The mail has no tracking pixel/)
        yield* press(returned.path, "Bounce", "The mail comes back")
        yield* becomes(returned.id, "bounced")

        const unwanted = yield* arrived("carol@example.com")
        yield* press(unwanted.path, "Complain", "The mail is reported as spam")
        yield* becomes(unwanted.id, "complained")
      })
    )
  })
})
