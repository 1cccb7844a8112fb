import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser } from "../document/Browser.js"
import { ConsolePage, goTo, overflows, showView } from "./ConsolePage.js"
import { HostileMails, type ShownMail, texts } from "./HostileMails.js"
import { Laptop } from "./Laptop.js"
import type { Page } from "./LogIn.js"

const frameOf = (page: Page, id: string) => page.frameLocator(`.mail-frame[src*="${id}"]`)

/** Shows a view with the HTML of a message. Its heading is the subject. */
const openMail = async (page: Page, path: string, { id, subject }: ShownMail) => {
  await goTo(page, path)
  await frameOf(page, id).getByText("The end").waitFor()
  assert.strictEqual(await page.getByRole("heading", { level: 1 }).textContent(), subject, path)
}

/** A click on the element of a mail leaves the mail as it is. */
const click = async (page: Page, { id }: ShownMail) => {
  const frame = frameOf(page, id)
  if ((await frame.locator("#it").count()) === 0) return
  await frame.locator("#it").click()
  assert.strictEqual(await frame.getByText("The end").count(), 1)
}

/** Shows the other forms of a received mail. The headers and the raw mail can have the subject encoded. */
const openTexts = async (page: Page, { id, subject }: ShownMail) => {
  for (const tab of ["text", "headers", "raw"]) {
    await showView(page, `/messages/${id}?tab=${tab}`)
    assert.include(await page.getByRole("tabpanel").textContent(), tab === "text" ? "The end" : "mallory", subject)
    assert.deepStrictEqual(await overflows(page), [], `${subject} ${tab}`)
  }
}

interface MailboxItem {
  readonly id: string
  readonly messageId: string
}

describeInBrowser("Hostile mails in the console", () => {
  layer(HostileMails.Live, { excludeTestServices: true })("run no script, load nothing and navigate nowhere", (it) => {
    it.effect("in the views of sent messages, when clicked", () =>
      Effect.gen(function* () {
        const { assertHarmless, sent } = yield* HostileMails
        const { page } = yield* ConsolePage
        yield* Effect.promise(async () => {
          for (const mail of sent) {
            await openMail(page, `/messages/${mail.id}`, mail)
            await click(page, mail)
          }
        })
        yield* assertHarmless
      })
    )

    it.effect("in any form of received messages", () =>
      Effect.gen(function* () {
        const { assertHarmless, received } = yield* HostileMails
        const { page } = yield* ConsolePage
        yield* Effect.promise(async () => {
          for (const mail of received) {
            await openMail(page, `/messages/${mail.id}`, mail)
            await openTexts(page, mail)
          }
        })
        yield* assertHarmless
      })
    )

    // The mailbox shows the HTML in the same frame as the views of messages.
    it.effect("in the mailbox, with any text", () =>
      Effect.gen(function* () {
        const { assertHarmless, sent } = yield* HostileMails
        const { page } = yield* ConsolePage
        const { call } = yield* Laptop
        const { body: mailbox } = yield* call("GET", "/v1/mailbox?limit=100")
        yield* Effect.promise(async () => {
          for (const mail of sent.slice(0, texts.length)) {
            const { id } = mailbox.items.find((item: MailboxItem) => item.messageId.includes(mail.id))
            await openMail(page, `/mailbox/${id}`, mail)
          }
        })
        yield* assertHarmless
      })
    )

    it.effect("in a thread and the lists", () =>
      Effect.gen(function* () {
        const { assertHarmless, received, sent, threadId } = yield* HostileMails
        const { page } = yield* ConsolePage
        yield* Effect.promise(async () => {
          await showView(page, `/threads/${threadId}`)
          await page.evaluate(`document.querySelectorAll(".mails details").forEach((part) => { part.open = true })`)
          for (const { id } of [...sent, ...received]) await frameOf(page, id).getByText("The end").waitFor()
          assert.deepStrictEqual(await overflows(page), [])
          for (const list of ["messages", "mailbox", "threads"]) await showView(page, `/${list}`)
        })
        yield* assertHarmless
      })
    )

    // The last one: the script of the frame for previews records what the policy of the frame blocks.
    it.effect("in the preview of a template, when clicked", () =>
      Effect.gen(function* () {
        const { assertContained, sent } = yield* HostileMails
        const { page } = yield* ConsolePage
        const { call } = yield* Laptop
        for (const { id } of sent) {
          const { body: message } = yield* call("GET", `/v1/messages/${id}`)
          const { html } = message.content
          const { body: template } = yield* call("POST", "/v1/email/templates", { name: id, subject: "Preview", html })
          yield* Effect.promise(async () => {
            await goTo(page, `/templates/${template.id}`)
            await page.getByRole("heading", { name: id }).waitFor()
            const frame = page.frameLocator("iframe[title='HTML of the preview']")
            await frame.getByText("The end").waitFor()
            if ((await frame.locator("#it").count()) > 0) await frame.locator("#it").click()
            assert.strictEqual(await frame.getByText("The end").count(), 1)
          })
        }
        yield* assertContained
      })
    )
  })
})
