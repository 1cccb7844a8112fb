import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, LiveApi, message } from "../../LiveApi.js"

const path = "/v1/email/send"
const plain = { to: "ada@example.com", subject: "Hello", html: "<p>Hello</p>" }

const sending = (change: object = {}) => call("POST", path, { body: { ...plain, ...change } })

const file = (given: object = {}) => ({ filename: "a.txt", content: "aGVsbG8=", ...given })

layer(LiveApi.layer, { excludeTestServices: true })("POST /v1/email/send", (it) => {
  it.effect("sends a message and returns its id and status", () =>
    Effect.gen(function* () {
      const { sent } = yield* LiveApi
      const { body, headers, status } = yield* sending({ to: ["Ada@EXAMPLE.com", "bob@example.com"] })
      assert.deepStrictEqual([status, body], [201, { id: message.id, status: "pending" }])
      assert.isNull(headers.get("idempotent-replayed"))
      assert.deepEqual<unknown>(sent.at(-1), {
        channel: "email",
        to: [{ email: "Ada@example.com" }, { email: "bob@example.com" }],
        email: { subject: "Hello", html: "<p>Hello</p>" }
      })
    })
  )

  it.effect("accepts recipients with display names", () =>
    Effect.gen(function* () {
      const { sent } = yield* LiveApi
      const ada = { email: "ada@example.com", name: "Ada Lovelace" }
      const { status } = yield* sending({ to: [ada, "bob@example.com"] })
      assert.strictEqual(status, 201)
      assert.deepEqual<unknown>(sent.at(-1)?.to, [ada, { email: "bob@example.com" }])
    })
  )

  it.effect.each<readonly [string, object, Readonly<Record<string, ReadonlyArray<string>>>]>([
    [
      "one invalid address of two",
      { to: ["a@b.test", "b"] },
      { "to.1": ["must be an email address like ada@example.com"] }
    ],
    [
      "neither subject nor html",
      { subject: undefined, html: undefined },
      {
        subject: ["is required without a template"],
        html: ["is required without a text or a template"]
      }
    ],
    [
      "a path as content",
      { attachments: [file({ content: "/etc/passwd" })] },
      { "attachments.0.content": ["must be base64"] }
    ],
    ["an unknown field", { email: {} }, { email: ["is not a known field"] }]
  ])("rejects %s", ([_, change, fields]) =>
    Effect.gen(function* () {
      const { body, status } = yield* sending(change)
      assert.deepStrictEqual([status, body._tag, body.fields], [422, "ValidationError", fields])
    })
  )
})
