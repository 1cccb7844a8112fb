import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describeInBrowser, openPage } from "../document/Browser.js"
import { adminKey, type ServiceResponse, send, until } from "../LiveService.js"
import { reached } from "./ConsoleData.js"
import { Laptop } from "./Laptop.js"
import { logIn } from "./LogIn.js"

/** A text with markup, which must be shown as it is. */
const hostile = `<img src=x onerror="document.title='run'"><b>bold</b>`

const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("Hello") }

/** Logs in and opens a view. */
const openView = (path: string) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* Laptop
    const { page, violations } = yield* openPage
    yield* logIn(page, baseUrl, adminKey, path)
    return { page, violations, baseUrl }
  })

/** A received reply to a sent mail with this subject. */
const exchange = Effect.fnUntraced(function* (email: Readonly<Record<string, unknown>>) {
  const { call } = yield* Laptop
  const { body: message } = yield* call("POST", "/v1/messages", send({}, email))
  const { body: mailbox } = yield* until(
    call("GET", `/v1/mailbox?messageId=${message.id}`),
    ({ body }: ServiceResponse) => body.items.length === 1
  )
  const reply = (text: string) => call("POST", `/v1/mailbox/${mailbox.items[0].id}/reply`, { text })
  yield* reply(`Thank you! ${hostile}`)
  yield* until(
    call("GET", `/v1/email/threads/by-message/${message.id}`),
    ({ body }: ServiceResponse) => body.messageCount === 2
  )
  return { reply }
})

const graph = {
  nodes: [
    { id: "start", type: "trigger.callStarted", position: { x: 40, y: 0 } },
    { id: "ask", type: "action.speak", position: { x: 300, y: 90 }, data: { config: { text: hostile } } },
    { id: "answer", type: "action.listen", position: { x: 600, y: 90 } }
  ],
  edges: [
    { id: "1", source: "start", target: "ask" },
    { id: "2", source: "ask", target: "answer" }
  ]
}

describeInBrowser("Exchanges, figures and calls in a browser", () => {
  layer(Laptop.Live, { excludeTestServices: true })((it) => {
    it.scoped(
      "shows a thread as it arrives, replies from the address that was written to, marks it as read, and resolves its conversation",
      () =>
        Effect.gen(function* () {
          const { baseUrl, page, violations } = yield* openView("threads")
          yield* Effect.promise(async () => {
            await page.getByText("No threads yet").waitFor()
            await page.goto(`${baseUrl}/console/conversations?status=resolved`)
            await page.getByText("No conversation matches").waitFor()
            await page.getByLabel("Status").selectOption("")
            await page.getByText("No conversations yet").waitFor()
            await page.getByRole("link", { name: "Threads" }).click()
            await page.getByText("No threads yet").waitFor()
          })
          const { call } = yield* Laptop
          yield* call("POST", "/v1/email/senders", { email: "support@localhost.test", name: "Support" })
          const { reply } = yield* exchange({ subject: hostile, from: "Support <support@localhost.test>" })
          const mails = page.getByRole("list", { name: "Exchange" })
          yield* Effect.promise(async () => {
            const row = page.getByRole("list", { name: "Threads" }).getByRole("link", { name: hostile })
            await row.getByText("1 unread").waitFor()
            await page.getByLabel("Find threads").fill("nothing")
            await page.getByText("No thread matches").waitFor()
            await page.getByLabel("Find threads").fill("onerror")
            await page.waitForURL(`${baseUrl}/console/threads?search=onerror`)
            await row.click()
            await page.getByRole("heading", { name: hostile, level: 1 }).waitFor()
            await mails.getByText(`Thank you! ${hostile}`).waitFor()
            assert.strictEqual(await mails.getByRole("listitem").count(), 2)
            await mails.getByText("HTML", { exact: true }).first().click()
            await page.frameLocator("iframe").getByText("Hello").waitFor()

            const text = page.getByLabel("Reply to ada@example.com")
            assert.strictEqual(await page.getByLabel("From").inputValue(), "Support <support@localhost.test>")
            await text.fill("You are welcome.")
            await page.context().setOffline(true)
            await text.press("Control+Enter")
            await page.getByText("The service cannot be reached.").waitFor()
            assert.strictEqual(await text.inputValue(), "You are welcome.")
            await page.context().setOffline(false)
            await text.press("Control+Enter")
            await mails.getByText("You are welcome.").waitFor()
            await mails.getByRole("article", { name: "Support <support@localhost.test>" }).nth(1).waitFor()
            assert.strictEqual(await mails.getByRole("listitem").count(), 3)
            await page.getByText("1 unread").waitFor({ state: "detached" })
            await page.locator("textarea[name=reply]:focus").waitFor()
            assert.strictEqual(await text.inputValue(), "")
          })
          yield* reply("One more question")
          yield* Effect.promise(async () => {
            await mails.getByText("One more question").waitFor()
            await page.getByRole("button", { name: "Mark as read" }).click()
            await page.getByText("The thread is marked as read").waitFor()
            await page.getByText("1 unread").waitFor({ state: "detached" })

            await page.getByRole("link", { name: "Conversation", exact: true }).click()
            const participants = page.getByRole("region", { name: "Participants" })
            await participants.getByRole("link", { name: "ada@example.com" }).waitFor()
            await participants.getByRole("button", { name: "Add a participant" }).click()
            const adding = page.getByRole("dialog", { name: "Add a participant" })
            await adding.getByLabel("Contact").fill("grace@example.com")
            await adding.getByRole("button", { name: "Add", exact: true }).click()
            await adding.getByText("No contact matches grace@example.com.").waitFor()
            await page.keyboard.press("Escape")
            await participants.getByRole("listitem").filter({ hasText: "ada@" }).getByText("Remove").click()
            await page.getByRole("dialog", { name: "Remove" }).getByRole("button", { name: "Remove" }).click()
            await participants.getByRole("link", { name: "ada@example.com" }).waitFor({ state: "detached" })
            await participants.getByRole("button", { name: "Add a participant" }).click()
            await adding.getByLabel("Contact").fill("ada@example.com")
            await adding.getByRole("button", { name: "Add", exact: true }).click()
            await participants.getByRole("link", { name: "ada@example.com" }).waitFor()
            await mails.getByText("You are welcome.").waitFor()
            await page.getByRole("button", { name: "Resolve" }).click()
            await page.getByText("The conversation is resolved").waitFor()
            await page.getByRole("button", { name: "Reopen" }).click()
            await page.getByText("The conversation is active again").waitFor()
            await page.goto(`${baseUrl}/console/threads/01a1fc22-5c40-7d1f-a3b2-3f4e5d6c7b8a`)
            const alert = page.getByRole("alert")
            await alert.waitFor()
            assert.match((await alert.textContent()) ?? "", /Request [\w-]{36}/)
          })
          assert.deepStrictEqual(violations, [])
        })
    )

    it.scoped(
      "keeps the text of a send on errors, navigation and loading, and sends copies and files at a chosen time",
      () =>
        Effect.gen(function* () {
          const { call } = yield* Laptop
          const { page, violations } = yield* openView("send")
          const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
          const stored = (label: string) => page.getByLabel(label, { exact: true }).inputValue()
          yield* Effect.promise(async () => {
            await page.getByLabel("To", { exact: true }).fill('"King, Ada" <ada@example.com>; grace@example.com')
            await page.getByText("Cc, Bcc").click()
            await page.getByLabel("Cc", { exact: true }).fill("mary@example.com")
            await page.getByLabel("Bcc").fill("george@example.com")
            await page.getByLabel("Reply-To").fill("Help <help@example.com>")
            await page.getByLabel("Tags").fill("order, spring")
            await page.getByLabel("Subject").fill(hostile)
            await page.getByLabel("Text").fill("Hello Ada")
            await page.locator("input[type=file]").setInputFiles([file, { ...file, name: "second.txt" }])
            await page.getByLabel("Send at").fill("2020-01-01T10:00")
            await page.getByText(/^Time zone \S+ \(GMT/).waitFor()
            await page.getByRole("button", { name: "Schedule" }).click()
            assert.match((await page.getByRole("alert").textContent()) ?? "", /scheduledAt.*future/)

            await page.getByRole("link", { name: "Drafts" }).click()
            await page.getByRole("heading", { name: "Drafts", exact: true }).waitFor()
            await page.goBack()
            await page.getByText("2 of at most 20 files, 10 B of").waitFor()
            assert.strictEqual(await page.getByText("Choose it again").count(), 0)

            await page.reload()
            await page.getByRole("button", { name: "Remove second.txt" }).click()
            assert.deepStrictEqual(
              [await stored("Cc"), await stored("Subject"), await stored("Send at")],
              ["mary@example.com", hostile, "2020-01-01T10:00"]
            )
            await page.getByLabel("Send at").fill(`${day}T10:00`)
            await page.getByRole("button", { name: "Schedule" }).click()
            await page.getByText("The file note.txt cannot be read.").waitFor()
            await page.locator("input[type=file]").setInputFiles(file)
            await page.getByRole("button", { name: "Schedule" }).click()
            await page.getByRole("heading", { name: hostile }).waitFor()
          })
          const { body } = yield* call("GET", `/v1/messages/${page.url().split("/").at(-1)}`)
          const zone = yield* Effect.promise(() => page.evaluate<string>(`new Date("${day}T10:00").toISOString()`))
          assert.deepInclude(body, { status: "scheduled", tags: ["order", "spring"], scheduledAt: zone })
          assert.deepInclude(body.emailMetadata, {
            to: ["ada@example.com", "grace@example.com"],
            cc: ["mary@example.com"],
            bcc: ["george@example.com"]
          })
          assert.deepStrictEqual(body.content.replyTo, ["Help <help@example.com>"])
          assert.deepStrictEqual(
            body.content.attachments.map(({ filename, size }: { filename: string; size: number }) => [filename, size]),
            [["note.txt", 5]]
          )
          yield* Effect.promise(async () => {
            await page.getByRole("link", { name: "Send", exact: true }).click()
            await page.getByLabel("Subject").waitFor()
            assert.strictEqual(await stored("Subject"), "")
            await page.getByLabel("Subject").fill("Mine")
            await page.getByRole("button", { name: "Log out" }).click()
            await page.getByText("You are logged out.").waitFor()
            assert.strictEqual(await page.evaluate("sessionStorage.length"), 0)
          })
          assert.deepStrictEqual(violations, [])
        })
    )

    it.scoped("creates, edits, sends and deletes drafts, and names the fields that a send refuses", () =>
      Effect.gen(function* () {
        const { call } = yield* Laptop
        const { baseUrl, page } = yield* openView("drafts")
        yield* Effect.promise(async () => {
          await page.getByText("No drafts yet").waitFor()
          await page.getByRole("button", { name: "Create a draft" }).click()
          await page.getByLabel("To", { exact: true }).fill("not an address")
          await page.getByLabel("Subject").fill(hostile)
          await page.getByLabel("Text").fill("Hello Ada")
          await page.locator("input[type=file]").setInputFiles({ ...file, name: hostile.replaceAll("/", "") })
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("heading", { name: hostile }).waitFor()
          await page.getByRole("button", { name: "Send" }).click()
          const dialog = page.getByRole("dialog", { name: "Send" })
          await dialog.getByRole("button", { name: "Send", exact: true }).click()
          assert.match((await dialog.getByRole("alert").textContent()) ?? "", /recipients\.0\.email.*Request/s)
          await dialog.getByRole("button", { name: "Cancel" }).click()
          await page.reload()
          await page.getByRole("list", { name: "Files" }).getByText("onerror").waitFor()
          await page.getByLabel("To", { exact: true }).fill('"King, Ada" <ada@example.com>')
          await page.getByRole("button", { name: "Send" }).click()
          await dialog.getByRole("button", { name: "Send", exact: true }).click()
          await page.waitForURL(`${baseUrl}/console/messages/*`)
          await page.getByRole("heading", { name: hostile }).waitFor()

          await page.getByText("onerror").filter({ hasText: "bold" }).first().waitFor()

          await page.getByRole("link", { name: "Drafts" }).click()
          await page.getByRole("link", { name: hostile }).click()
          await page.getByText("The draft was sent and can't be edited.").waitFor()
        })
        const { body: draft } = yield* call("POST", "/v1/drafts", {
          channel: "email",
          recipients: [{ email: "ada@example.com", name: "Ada" }],
          content: { subject: "News", variables: { name: "Ada" } }
        })
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/console/drafts/${draft.id}`)
          await page.getByLabel("Title").fill("Of May")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("The draft is saved").waitFor()
        })
        const { body: saved } = yield* call("GET", `/v1/drafts/${draft.id}`)
        assert.deepInclude(saved, { title: "Of May", recipients: [{ email: "ada@example.com", name: "Ada" }] })
        assert.deepInclude(saved.content, { subject: "News", variables: { name: "Ada" } })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("dialog", { name: "Delete" }).getByRole("button", { name: "Delete" }).click()
          await page.getByText("The draft is deleted").waitFor()
          await page.getByLabel("Find drafts").fill("Of May")
          await page.getByText("No draft matches").waitFor()
        })
      })
    )

    it.scoped("shows the figures of a range as charts and tables, and exports it", () =>
      Effect.gen(function* () {
        const { call } = yield* Laptop
        yield* call("POST", "/v1/messages", send())
        const { baseUrl, page, violations } = yield* openView("analytics")
        yield* Effect.promise(async () => {
          const figure = page.getByRole("figure").filter({ hasText: "Deliveries" })
          await figure.getByRole("img", { name: /^Deliveries: the highest value is \d+$/ }).waitFor()
          await figure.getByText("Values as a table").click()
          await figure.getByRole("columnheader", { name: "Delivered" }).waitFor()
          assert.isAtLeast(await figure.getByRole("row").count(), 30)
          await page.getByRole("region", { name: "Countries" }).first().getByText("unknown").waitFor()

          const started = page.waitForEvent("download")
          await page.getByRole("link", { name: "Messages as CSV" }).click()
          const download = await started
          assert.strictEqual(await download.failure(), null)
          assert.strictEqual(download.suggestedFilename().endsWith(".csv"), true)

          await page.goto(`${baseUrl}/console/analytics?from=2001-01-01&to=2001-01-31`)
          await page.getByText("No messages in this range").waitFor()
          await page.goto(`${baseUrl}/console/analytics?from=2026-05-02&to=2026-04-30`)
          const alert = page.getByRole("alert")
          await alert.waitFor()
          assert.match((await alert.textContent()) ?? "", /endDate must not be before startDate.*Request [\w-]{36}/)
          await page.getByLabel("Range").selectOption("7d")
          await page.getByRole("figure").first().waitFor()
          assert.strictEqual(page.url(), `${baseUrl}/console/analytics?range=7d`)
        })
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped("defines its figures, which add up in total, by channel and by tag", () =>
      Effect.gen(function* () {
        const { call } = yield* Laptop
        const tags = ["figures"]
        const sendTo = (email: string) =>
          Effect.map(call("POST", "/v1/messages", send({ to: [{ email }], tags })), ({ body }) => String(body.id))
        yield* reached(yield* sendTo("ada@example.com"), "delivered")
        yield* reached(yield* sendTo("george+bounce@example.com"), "bounced")
        const cancelled = yield* call("POST", "/v1/messages", {
          ...send({ tags }),
          scheduledAt: new Date(Date.now() + 86_400_000)
        })
        yield* call("POST", `/v1/messages/${cancelled.body.id}/cancel`)
        // Counts appear after up to two seconds.
        yield* until(call("GET", "/v1/analytics/channel-stats"), ({ body }: ServiceResponse) =>
          body.some(({ failed, refused }: { failed: number; refused: number }) => failed > 0 && refused > 0)
        )
        const { page, violations } = yield* openView("analytics?range=today")
        yield* Effect.promise(async () => {
          const outcomes = page.getByRole("region", { name: "Sent messages" })
          const text = (await outcomes.getByText("attempted. A status").textContent()) ?? ""
          const [sent = 0, refused = 0, failed = 0, attempted = 0] = (text.match(/\d+/g) ?? []).map(Number)
          assert.strictEqual(sent + refused + failed, attempted)
          assert.isAtLeast(Math.min(sent, refused, failed), 1)
          const shares = (await outcomes.locator("dd small").allTextContents()).map((share) => Number.parseFloat(share))
          const [ofAttempted, ofSent = 0, ofDelivered = 0] = shares
          assert.strictEqual(ofAttempted, 100)
          assert.closeTo(ofSent, (100 * sent) / attempted, 0.06)
          assert.isAtMost(ofDelivered, ofSent)
          const channel = page.getByRole("table", { name: "Channels" }).getByRole("row", { name: /^email/ })
          assert.strictEqual(await channel.getByRole("cell").first().textContent(), String(attempted))

          const term = page.getByRole("button", { name: "Bounced" })
          const definition = page.getByRole("tooltip").filter({ hasText: "recipient's side refused" })
          await term.hover()
          await definition.waitFor()
          await definition.hover()
          await definition.waitFor()
          await page.mouse.move(0, 0)
          await definition.waitFor({ state: "hidden" })
          await term.focus()
          await definition.waitFor()
          await page.keyboard.press("Escape")
          await definition.waitFor({ state: "hidden" })
          await term.dispatchEvent("click")
          await definition.waitFor()
          assert.strictEqual(await term.getAttribute("aria-describedby"), await definition.getAttribute("id"))

          await page.getByLabel("Tag").fill("figures")
          await page.keyboard.press("Enter")
          const rows = page.getByRole("table", { name: "Messages with the tag figures" }).getByRole("row")
          await rows.first().waitFor()
          assert.deepStrictEqual((await rows.allTextContents()).slice(1), [
            "delivered133.3 %",
            "bounced133.3 %",
            "failed133.3 %",
            "All3100 %"
          ])
          await rows.getByRole("link", { name: "bounced" }).click()
          await page.getByRole("list", { name: "Messages" }).getByText("george+bounce@example.com").waitFor()
          assert.match(page.url(), /messages\?tag=figures&status=bounced$/)
        })
        assert.deepStrictEqual(violations, [])
      })
    )

    it.scoped("draws a workflow, publishes it, and shows a call with its transcript and its recording", () =>
      Effect.gen(function* () {
        const { call } = yield* Laptop
        const { baseUrl, page, violations } = yield* openView("voice/agents")
        yield* Effect.promise(async () => {
          await page.getByText("No agents yet").waitFor()
          await page.getByRole("link", { name: "Workflows" }).click()
          await page.getByText("No workflows yet").waitFor()
          await page.getByRole("link", { name: "Calls" }).click()
          await page.getByText("No calls yet").waitFor()
        })
        const { body: agent } = yield* call("POST", "/v1/voice/agents", { name: hostile, transport: "pstn" })
        const { body: workflow } = yield* call("POST", "/v1/voice/workflows", { name: hostile, ...graph })
        yield* call("POST", `/v1/voice/workflows/${workflow.id}/link/${agent.id}`)
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/console/voice/workflows/${workflow.id}`)
          await page.getByText("unpublished").waitFor()
          await page.getByRole("img", { name: /^3 nodes, 2 edges/ }).waitFor()
          await page.getByRole("region", { name: "Steps" }).first().getByRole("rowheader", { name: hostile }).waitFor()
          await page.getByRole("button", { name: "Publish" }).click()
          await page.getByText("The workflow is published").waitFor()
          await page.getByText("version 1").waitFor()
        })
        yield* call("POST", "/v1/voice/calls", {
          voiceAgentId: agent.id,
          to: "+442079460018",
          sandbox: { answers: [`Sales ${hostile}`], speed: 100 }
        })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Calls" }).click()
          const row = page.getByRole("list", { name: "Calls" }).getByRole("link", { name: "+442079460018" })
          await row.getByText("completed").waitFor()
          await row.click()
          const transcript = page.getByRole("list", { name: "Transcript" })
          await transcript.getByText(`Caller: Sales ${hostile}`).waitFor()
          await page.locator("audio").waitFor()
          const seconds = await page.evaluate(`new Promise((resolve, reject) => {
                const player = document.querySelector("audio")
                player.onloadedmetadata = () => resolve(player.duration)
                player.onerror = () => reject(new Error("The recording can't be played"))
                player.preload = "metadata"
                player.load()
              })`)
          assert.isAbove(Number(seconds), 1)
          await page.goto(`${baseUrl}/console/voice/calls?status=failed`)
          await page.getByText("No call matches").waitFor()
          await page.goto(`${baseUrl}/console/voice/calls/unknown`)
          await page.getByRole("alert").waitFor()
        })
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/console/voice/agents/${agent.id}`)
          await page.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("dialog", { name: "Delete" }).getByRole("button", { name: "Delete" }).click()
          await page.getByText("The agent is deleted").waitFor()
          await page.getByText("No agents yet").waitFor()
        })
        assert.deepStrictEqual(violations, [])
      })
    )
  })
})
