import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { noBrowser } from "../document/Browser.js"
import { deliver, ReceivingService } from "../email/ReceivingService.js"
import { clicks, loads, trap } from "../email/records/HostileHtml.js"
import { type ServiceResponse, until } from "../LiveService.js"
import { reached } from "./ConsoleData.js"
import { ConsolePage, goTo, overflows, showView } from "./ConsolePage.js"
import { Laptop } from "./Laptop.js"
import type { Page } from "./LogIn.js"

/** Texts for subjects, names, headers and file names. They must be shown as they are. */
const texts = [
  `<script>parent.postMessage("run", "*")</script>`,
  `"><img src=x onerror=parent.postMessage("run","*")>`,
  `</title><svg onload=postMessage("run")>`,
  `javascript:postMessage("run")`,
  `<iframe srcdoc="<script>top.postMessage('run', '*')</script>">`,
  `<base target=_top><a href=javascript:alert(1)>Open</a>`,
  `invoice \u202Efdp.exe\u2066`,
  "W".repeat(180)
]

/** The mails: each has one kind of hostile HTML, and one of the texts. */
const mailsWith = (url: string) =>
  Object.entries({ ...loads(url), ...clicks(url) }).map(([name, html], index) => ({
    name,
    html: `<html><body>${html}<p>The end</p></body></html>`,
    text: texts[index % texts.length] ?? ""
  }))

/** A mail as a view shows it. */
interface Shown {
  readonly id: string
  readonly subject: string
}

/** A name of a file: the service refuses folders and directions in it. */
const fileName = (text: string) => `${text.replace(/[/\\\u202E\u2066]/g, "")}.html`

/** Sends a mail as a reply to the message. */
const sendMail = ({ html, text }: ReturnType<typeof mailsWith>[number], inReplyToMessageId?: string) =>
  Effect.gen(function* () {
    const { call } = yield* Laptop
    const { body, status } = yield* call("POST", "/v1/email/send", {
      to: [{ email: "ada@example.com", name: text }],
      subject: text,
      html,
      text: `${text}\nThe end`,
      attachments: [{ filename: fileName(text), content: Buffer.from(html).toString("base64") }],
      ...(inReplyToMessageId === undefined ? {} : { inReplyToMessageId })
    })
    assert.strictEqual(status, 201, JSON.stringify(body))
    return { id: String(body.id), subject: text }
  })

/** Receives a mail that replies to the message, with the text in each part of its header. */
const receive = (text: string, html: string, messageId: string) =>
  Effect.gen(function* () {
    const { inboundPort, zone } = yield* Laptop
    const quoted = text.replace(/["\\]/g, "\\$&")
    const mail = [
      `From: "${quoted}" <mallory@example.com>`,
      `To: "${quoted}" <help@localhost.test>`,
      `Cc: ${"W".repeat(60)} <cc@example.com>`,
      `Subject: ${text}`,
      `X-Note: ${text}`,
      `In-Reply-To: ${messageId}`,
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=part",
      "",
      "--part",
      "Content-Type: text/html; charset=utf-8",
      "",
      html,
      "--part",
      "Content-Type: image/svg+xml",
      `Content-Disposition: attachment; filename="${quoted}"`,
      "",
      `<svg xmlns="http://www.w3.org/2000/svg"><script>parent.postMessage("run", "*")</script></svg>`,
      "--part--"
    ].join("\r\n")
    const reply = yield* deliver("mallory@example.com", "help@localhost.test", mail).pipe(
      Effect.provideService(ReceivingService, { inboundPort, zone })
    )
    assert.match(reply, /^250/, text)
  })

/** What the page did that a mail must not make it do. */
const watch = async (page: Page, baseUrl: string) => {
  const done: Array<string> = []
  const record = (what: string) => (url: string) => {
    // Frames that the policy blocks show an error page of the browser.
    if (!/^(?:about|data|chrome-error):/.test(url) && !url.startsWith(`${baseUrl}/`)) done.push(`${what} ${url}`)
  }
  page.context().on("response", (response) => record("loaded")(response.url()))
  // The policy blocks a request before it is sent. Other errors belong to requests that were sent.
  page.context().on("requestfailed", (request) => {
    if (request.failure()?.errorText !== "csp") record("requested")(request.url())
  })
  page.context().on("page", () => done.push("opened a page"))
  page.on("framenavigated", (frame) => record("went to")(frame.url()))
  page.on("download", (download) => done.push(`downloaded ${download.url()}`))
  page.on("dialog", (dialog) => done.push(`showed ${dialog.message()}`))
  await page.evaluate(`window.received = [], addEventListener("message", ({ data }) => received.push(data))`)
  return async () => {
    // A page that was loaded again does not have the variable.
    assert.deepStrictEqual(await page.evaluate("window.received"), [])
    return done
  }
}

const frameOf = (page: Page, id: string) => page.frameLocator(`.mail-frame[src*="${id}"]`)

/** Shows a view with the HTML of a message. Its heading is the subject. */
const openMail = async (page: Page, path: string, { id, subject }: Shown) => {
  await goTo(page, path)
  await frameOf(page, id).getByText("The end").waitFor()
  assert.strictEqual(await page.getByRole("heading", { level: 1 }).textContent(), subject, path)
}

/** A click on the element of a mail leaves the mail as it is. */
const click = async (page: Page, { id }: Shown) => {
  const frame = frameOf(page, id)
  if ((await frame.locator("#it").count()) === 0) return
  await frame.locator("#it").click()
  assert.strictEqual(await frame.getByText("The end").count(), 1)
}

/** Shows the other forms of a received mail. The headers and the raw mail can have the subject encoded. */
const openTexts = async (page: Page, { id, subject }: Shown) => {
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

interface Message {
  readonly id: string
  readonly direction: string
  readonly content: { readonly subject: string }
}

describe.skipIf(noBrowser !== null)(
  `Hostile mails in the console${noBrowser === null ? "" : ` (skipped: ${noBrowser})`}`,
  () => {
    layer(ConsolePage.Live, { timeout: "180 seconds", excludeTestServices: true })((it) => {
      it.scoped(
        "run no script, load nothing and navigate nowhere in the views of messages, the mailbox and threads",
        () =>
          Effect.gen(function* () {
            const { baseUrl, call } = yield* Laptop
            const { page, violations } = yield* ConsolePage
            const { isReached, url } = yield* trap
            const mails = mailsWith(url)
            assert.strictEqual(mails.length, 30)
            yield* call("POST", "/v1/email/domains/enable-receiving", { domain: "localhost.test", addresses: ["help"] })
            const sent: Array<Shown> = []
            for (const mail of mails) sent.push(yield* sendMail(mail, sent[0]?.id))
            const { body: original } = yield* call("GET", `/v1/messages/${sent[0]?.id}`)
            for (const { html, text } of mails.slice(0, texts.length)) {
              yield* receive(text, html, original.emailMetadata.messageId)
            }
            const { body: thread } = yield* until(
              call("GET", `/v1/email/threads/by-message/${original.id}`),
              ({ body }: ServiceResponse) => body.messageCount === mails.length + texts.length
            )
            for (const { id } of sent) yield* reached(id, "delivered")
            const { body: mailbox } = yield* call("GET", "/v1/mailbox?limit=100")
            const { body: all } = yield* call("GET", "/v1/messages?limit=100")
            const received: ReadonlyArray<Shown> = all.items
              .filter(({ direction }: Message) => direction === "inbound")
              .map(({ content, id }: Message) => ({ id, subject: content.subject }))
            assert.sameMembers(
              received.map(({ subject }) => subject),
              texts
            )
            yield* Effect.promise(async () => {
              await page.setViewportSize({ width: 390, height: 844 })
              const harm = await watch(page, baseUrl)
              for (const mail of [...sent, ...received]) {
                await openMail(page, `/messages/${mail.id}`, mail)
                await click(page, mail)
              }
              for (const mail of sent) {
                const { id } = mailbox.items.find((item: MailboxItem) => item.messageId.includes(mail.id))
                await openMail(page, `/mailbox/${id}`, mail)
              }
              for (const mail of received) await openTexts(page, mail)
              await showView(page, `/threads/${thread.id}`)
              await page.evaluate(`document.querySelectorAll(".mails details").forEach((part) => { part.open = true })`)
              for (const { id } of [...sent, ...received]) await frameOf(page, id).getByText("The end").waitFor()
              assert.deepStrictEqual(await overflows(page), [])
              for (const list of ["messages", "mailbox", "threads"]) await showView(page, `/${list}`)
              assert.deepStrictEqual(await harm(), [])
            })
            assert.isFalse(isReached())
            assert.deepStrictEqual(violations, [])
          }),
        300_000
      )
    })
  }
)
