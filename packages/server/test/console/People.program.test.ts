import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { type ServiceResponse, until } from "../LiveService.js"
import { addSecondFactor } from "./ConsoleData.js"
import { goTo } from "./ConsolePage.js"
import { examineView, loadAxe } from "./ExamineView.js"
import { Laptop } from "./Laptop.js"
import { logIn, type Page } from "./LogIn.js"

const email = "grace@people.test"
const password = "correct horse battery"
const changed = "another horse battery"
const newest = "a third long password"

const shown = (page: Page, heading: string) => page.getByRole("heading", { name: heading, exact: true }).waitFor()

/** Logs in on the log-in page that is shown. */
const logInWith = async (page: Page, secret: string) => {
  await page.getByLabel("E-mail address").fill(email)
  await page.getByLabel("Password", { exact: true }).fill(secret)
  await page.getByRole("button", { name: "Log in", exact: true }).click()
}

/** Invites the person as a viewer; returns the link. */
const invite = async (page: Page) => {
  await page.getByRole("button", { name: "Invite" }).click()
  const dialog = page.getByRole("dialog", { name: "Invite" })
  await dialog.getByLabel("E-mail address").fill("grace@")
  await dialog.getByRole("button", { name: "Invite" }).click()
  await dialog.getByRole("listitem").filter({ hasText: "email" }).waitFor()
  await dialog.getByLabel("E-mail address").fill(email)
  await dialog.getByLabel("Role").selectOption("viewer")
  await dialog.getByRole("button", { name: "Invite" }).click()
  const result = page.getByRole("dialog", { name: "The invitation" })
  await result.getByText(`The link was sent to ${email}.`).waitFor()
  const link = (await result.locator("code").textContent()) ?? ""
  await result.getByRole("button", { name: "Copy the link" }).click()
  assert.strictEqual(await page.evaluate<string>("navigator.clipboard.readText()"), link)
  await result.getByRole("button", { name: "Done" }).click()
  await shown(page, "Invitations")
  await page.getByRole("list", { name: "Invitations" }).getByText(email).waitFor()
  assert.notInclude(await page.content(), link)
  return link
}

/** The link of the newest mail to the person that sets a new password. */
const resetLink = Effect.gen(function* () {
  const { call } = yield* Laptop
  const { body: found } = yield* until(call("GET", "/v1/mailbox"), ({ body }: ServiceResponse) =>
    body.items.some(({ subject }: { readonly subject: string }) => subject === "Set a new password")
  )
  const { id } = found.items.find(({ subject }: { readonly subject: string }) => subject === "Set a new password")
  const { body: mail } = yield* call("GET", `/v1/mailbox/${id}`)
  return /\S+#reset=[\w.-]+/.exec(mail.text)?.[0] ?? assert.fail(mail.text)
})

describeInBrowser("People in a browser", () => {
  layer(Laptop.Live, { excludeTestServices: true })((it) => {
    it.scoped("accept an invitation, act with their role, set a password, lose a second factor, and are removed", () =>
      Effect.gen(function* () {
        const { baseUrl, call } = yield* Laptop
        const { page: admin, violations } = yield* openPage
        const { page: person, violations: others } = yield* openPage
        yield* logIn(admin, baseUrl, undefined, "people")
        const link = yield* Effect.promise(async () => {
          await admin.context().grantPermissions(["clipboard-read", "clipboard-write"])
          await admin.getByText("No people yet").waitFor()
          const replaced = await invite(admin)
          const link = await invite(admin)
          assert.notStrictEqual(link, replaced)
          assert.strictEqual(await admin.getByRole("list", { name: "Invitations" }).getByRole("listitem").count(), 1)
          return link
        })

        yield* Effect.promise(async () => {
          await person.goto(link)
          await shown(person, "Accept the invitation")
          assert.strictEqual(person.url(), `${baseUrl}/console/`)
          await loadAxe(person)
          assert.deepStrictEqual(await examineView(person, "invitation"), [])
          await person.getByLabel("Name").fill("Grace Hopper")
          await person.getByLabel("Password").fill("short")
          await person.getByRole("button", { name: "Accept the invitation" }).click()
          await person.getByRole("listitem").filter({ hasText: "password" }).waitFor()
          await person.getByLabel("Password").fill(password)
          await person.getByRole("button", { name: "Accept the invitation" }).click()
          await shown(person, "Messages")
          await person.locator(".account").getByText("Grace Hopper").waitFor()
          await person.locator(".account").getByText("viewer").waitFor()
          await person.getByRole("link", { name: "API keys" }).click()
          await shown(person, "API keys")
          assert.strictEqual(await person.getByRole("button", { name: "Create a key" }).count(), 0)
          await goTo(person, "/send")
          await person.getByText("Not permitted").waitFor()
          await goTo(person, "/people")
          await person.getByText("you", { exact: true }).waitFor()
          assert.strictEqual(await person.getByRole("button", { name: "Invite" }).count(), 0)
        })

        const { page: late } = yield* openPage
        yield* Effect.promise(async () => {
          await late.goto(link)
          await late.getByLabel("Name").fill("Mallory")
          await late.getByLabel("Password").fill(password)
          await late.getByRole("button", { name: "Accept the invitation" }).click()
          await late.getByText("The invitation was accepted before").waitFor()
          await late.getByRole("button", { name: "Go to the log-in" }).click()
          await logInWith(late, "a wrong password")
          await late.getByText("The e-mail address or the password is wrong").waitFor()
          await logInWith(late, password)
          await shown(late, "Messages")
        })

        yield* Effect.promise(async () => {
          await goTo(admin, "/people")
          const row = admin.getByRole("list", { name: "People" }).getByRole("listitem")
          await row.getByRole("button", { name: "Edit" }).click()
          const edit = admin.getByRole("dialog", { name: "Edit" })
          await edit.getByLabel("Role").selectOption("admin")
          await edit.getByRole("button", { name: "Save" }).click()
          await row.getByText("admin", { exact: true }).waitFor()
          // The only admin cannot be removed.
          await row.getByRole("button", { name: "Remove" }).click()
          const confirmation = admin.getByRole("dialog", { name: "Remove" })
          await confirmation.getByRole("button", { name: "Remove" }).click()
          await confirmation.getByText("The organization needs an admin").waitFor()
          await admin.keyboard.press("Escape")
        })

        yield* Effect.promise(async () => {
          // Changing the password ends the other session.
          await person.reload()
          await person.getByRole("button", { name: "Change the password" }).click()
          const dialog = person.getByRole("dialog", { name: "Change the password" })
          await dialog.getByLabel("Current password").fill("a wrong password")
          await dialog.getByLabel("New password").fill(changed)
          await dialog.getByRole("button", { name: "Change", exact: true }).click()
          await dialog.getByRole("listitem").filter({ hasText: "currentPassword" }).waitFor()
          await dialog.getByLabel("Current password").fill(password)
          await dialog.getByRole("button", { name: "Change", exact: true }).click()
          await person.getByText("The password is changed").waitFor()
          await goTo(late, "/templates")
          await late.getByText("Your session has ended").waitFor()

          await person.getByRole("button", { name: "Log out" }).click()
          await person.getByRole("button", { name: "Forgot password?" }).click()
          await shown(person, "Forgot password")
          await loadAxe(person)
          assert.deepStrictEqual(await examineView(person, "forgotten"), [])
          await person.getByLabel("E-mail address").fill(email)
          await person.getByRole("button", { name: "Send a link" }).click()
          await person.getByText("If the address has an account").waitFor()
        })
        const reset = yield* resetLink
        yield* Effect.promise(async () => {
          await late.goto(reset)
          await shown(late, "Set a new password")
          assert.strictEqual(late.url(), `${baseUrl}/console/`)
          await loadAxe(late)
          assert.deepStrictEqual(await examineView(late, "reset"), [])
          await late.getByLabel("New password", { exact: true }).fill(newest)
          await late.getByRole("button", { name: "Set the password" }).click()
          await late.getByText("The password is set.").waitFor()
          await logInWith(late, newest)
          await shown(late, "Messages")
        })

        yield* addSecondFactor(email, newest)
        yield* Effect.promise(async () => {
          await goTo(late, "/templates")
          await late.getByText("Your session has ended").waitFor()
          await logInWith(late, newest)
          await late.getByLabel("Code").waitFor()

          await admin.reload()
          const row = admin.getByRole("list", { name: "People" }).getByRole("listitem").filter({ hasText: email })
          await row.getByRole("button", { name: "Remove factor" }).click()
          const confirmation = admin.getByRole("dialog", { name: "Remove factor" })
          await confirmation.getByText(`The next log-in of ${email} needs only the password.`).waitFor()
          await confirmation.getByRole("button", { name: "Remove factor" }).click()
          await admin.getByText("The second factor of Grace Hopper is removed").waitFor()
          await row.getByRole("button", { name: "Remove factor" }).waitFor({ state: "detached" })

          await late.reload()
          await logInWith(late, newest)
          await shown(late, "Templates")
        })

        const { body: second } = yield* call("POST", "/v1/users/invitations", {
          email: "mary@people.test",
          roleName: "admin"
        })
        const token = new URL(second.url).hash.replace("#invitation=", "")
        yield* call("POST", "/v1/users/invitations/accept", { token, name: "Mary", password })
        yield* Effect.promise(async () => {
          await admin.reload()
          const row = admin.getByRole("list", { name: "People" }).getByRole("listitem").filter({ hasText: email })
          await row.getByRole("button", { name: "Remove" }).click()
          await admin.getByRole("dialog", { name: "Remove" }).getByRole("button", { name: "Remove" }).click()
          await admin.getByText("Grace Hopper is removed").waitFor()
          await row.waitFor({ state: "detached" })
        })
        yield* until(
          Effect.promise(async () => {
            await goTo(late, "/domains")
            await goTo(late, "/templates")
            return late.getByText("Your session has ended").isVisible()
          }),
          (isEnded) => isEnded
        )
        yield* Effect.promise(async () => {
          await logInWith(late, newest)
          await late.getByText("The e-mail address or the password is wrong").waitFor()
        })
        assert.deepStrictEqual([...violations, ...others], [])
      })
    )
  })
})
