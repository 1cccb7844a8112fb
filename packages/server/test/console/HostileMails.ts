import { assert } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { Context, Effect, Layer } from "effect"
import { deliver, ReceivingService } from "../email/ReceivingService.js"
import { clicks, loads } from "../email/records/HostileHtml.js"
import { type ServiceResponse, until } from "../LiveService.js"
import { reached } from "./ConsoleData.js"
import { ConsolePage } from "./ConsolePage.js"
import { Laptop } from "./Laptop.js"
import type { Page } from "./LogIn.js"

/** Texts for subjects, names, headers and file names. They must be shown as they are. */
export const texts = [
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
export interface ShownMail {
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

interface Message {
  readonly id: string
  readonly direction: string
  readonly content: { readonly subject: string }
}

/** Sends the mails in one thread and receives a reply with each text. Returns the mails as the views show them. */
const makeMails = Effect.fnUntraced(function* (url: string) {
  const { call } = yield* Laptop
  const mails = mailsWith(url)
  assert.strictEqual(mails.length, 30)
  yield* call("POST", "/v1/email/domains/enable-receiving", { domain: "localhost.test", addresses: ["help"] })
  const sent: Array<ShownMail> = []
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
  const { body: all } = yield* call("GET", "/v1/messages?limit=100")
  const received: ReadonlyArray<ShownMail> = all.items
    .filter(({ direction }: Message) => direction === "inbound")
    .map(({ content, id }: Message) => ({ id, subject: content.subject }))
  assert.sameMembers(
    received.map(({ subject }) => subject),
    texts
  )
  return { sent, received, threadId: String(thread.id) }
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

/** A page of the console on a service with hostile mails. */
export class HostileMails extends Context.Tag("test/HostileMails")<
  HostileMails,
  {
    /** The mails with each kind of hostile HTML. The first ones have all the texts. */
    readonly sent: ReadonlyArray<ShownMail>
    /** A mail with each text. */
    readonly received: ReadonlyArray<ShownMail>
    /** The thread of all mails. */
    readonly threadId: string
    /** Fails if HTML ran a script, loaded something or navigated. */
    readonly assertContained: Effect.Effect<void>
    /** Fails in addition if the page had a violation of its policy. */
    readonly assertHarmless: Effect.Effect<void>
  }
>() {
  static readonly Live = Layer.scoped(
    HostileMails,
    Effect.gen(function* () {
      const { baseUrl } = yield* Laptop
      const { page, violations } = yield* ConsolePage
      // The server must get no connection.
      const { connections, url } = yield* receiver((response) => response.end("<h1>Trapped</h1>"))
      const mails = yield* makeMails(url)
      yield* Effect.promise(() => page.setViewportSize({ width: 390, height: 844 }))
      const harm = yield* Effect.promise(() => watch(page, baseUrl))
      const assertContained = Effect.gen(function* () {
        assert.deepStrictEqual(yield* Effect.promise(harm), [])
        assert.strictEqual(connections(), 0)
      })
      const assertHarmless = Effect.andThen(assertContained, () => assert.deepStrictEqual(violations, []))
      return { ...mails, assertContained, assertHarmless }
    })
  ).pipe(Layer.provideMerge(ConsolePage.Live))
}
