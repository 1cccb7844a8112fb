import { createServer, type IncomingHttpHeaders } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { LiveService, until } from "../../LiveService.js"
import { once, placed } from "./Calling.js"

interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver that fails the first request. */
const receiver = Effect.gen(function* () {
  const received: Array<ReceivedRequest> = []
  const server = yield* Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const listening = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          received.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") })
          response.writeHead(received.length === 1 ? 500 : 204).end()
        })
      })
      listening.listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
    }),
    (listening) => Effect.sync(() => void listening.close())
  )
  const address = server.address()
  return { received, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/calls` }
})

const settings = { NETWORK_ALLOW: "127.0.0.0/8", WEBHOOK_RETRY_SCHEDULE: "1 second, 1 second" }

layer(LiveService.layer(settings), { excludeTestServices: true, timeout: "60 seconds" })(
  "The webhook of an agent",
  (it) => {
    it.scoped("receives the subscribed events of its calls, signed, with retries", () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        const { received, url } = yield* receiver
        const events = ["call.started", "call.ended", "recording.ready", "transcript.ready"]
        const { body: agent } = yield* call("POST", "/v1/voice/agents", {
          name: "Desk",
          webhookConfig: { url, events, headers: { "X-Team": "desk" } }
        })
        const { id } = yield* placed(call, agent, { sandbox: { speed: 20 } })
        const completed = yield* once(call, id, "completed")
        yield* until(
          Effect.sync(() => received.length),
          (count) => count === events.length + 1
        )
        const webhook = new Webhook(agent.webhookConfig.secret)
        const receivedEvents = received.map(({ body, headers }) => {
          assert.strictEqual(headers["x-team"], "desk")
          webhook.verify(body, {
            "webhook-id": String(headers["webhook-id"]),
            "webhook-timestamp": String(headers["webhook-timestamp"]),
            "webhook-signature": String(headers["webhook-signature"])
          })
          const event = JSON.parse(body)
          assert.deepStrictEqual([event.id, event.data.id], [headers["webhook-id"], id])
          return event
        })
        // The failed event is retried with the same id.
        assert.sameMembers([...new Set(receivedEvents.map(({ type }) => type))], events)
        assert.strictEqual(new Set(receivedEvents.map((event) => event.id)).size, events.length)
        const ended = receivedEvents.find(({ type }) => type === "call.ended")
        const { recordingUrl: _, transcriptUrl: __, ...shown } = completed
        const { recordingUrl, transcriptUrl, ...data } = ended.data
        assert.deepStrictEqual(data, shown)
        assert.isString(recordingUrl)
        assert.isString(transcriptUrl)
      })
    )
  }
)
