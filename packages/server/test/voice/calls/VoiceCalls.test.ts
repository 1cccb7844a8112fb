import type { ServerResponse } from "node:http"
import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { Effect, Queue } from "effect"
import { verified } from "../../Hooks.js"
import { LiveService, until } from "../../LiveService.js"
import { failingCommand, runCommand } from "../../TestCommand.js"
import { agentWith, chain, delay, get, once, placed, recordedSeconds, speak, transcriptOf } from "./Calling.js"

const settings = { NETWORK_ALLOW: "127.0.0.0/8", WEBHOOK_RETRY_SCHEDULE: "1 second, 1 second" }

layer(LiveService.layer(settings), { excludeTestServices: true })("A voice call", (it) => {
  it.effect("goes from queued to completed, with transcript and recording", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const agent = yield* agentWith(call, chain(speak("Hello"), delay(2), speak("Goodbye")))
      const { id, ...queued } = yield* placed(call, agent, { from: "+4930123456" })
      assert.doesNotHaveAnyKeys(queued, ["sessionId", "summary"])
      assert.deepInclude(queued, { status: "queued", direction: "outbound", from: "+4930123456" })
      yield* once(call, id, "ringing")
      yield* once(call, id, "in_progress")
      const completed = yield* once(call, id, "completed")
      assert.strictEqual(completed.metadata.customFields.carrier, "sandbox")
      const { durationSeconds: lasted, sessionId, summary } = completed
      const ending = "The workflow came to its end."
      assert.deepStrictEqual(
        [sessionId, summary],
        [`sandbox-session-${id}`, `Front desk spoke twice and the caller not at all, in ${lasted} seconds. ${ending}`]
      )
      assert.isBelow(Date.parse(completed.initiatedAt), Date.parse(completed.answeredAt))
      assert.isBelow(Date.parse(completed.answeredAt), Date.parse(completed.endedAt))
      assert.closeTo(yield* recordedSeconds(completed), lasted, 0.5)
      assert.strictEqual(yield* transcriptOf(call, id), "[00:00] Agent: Hello\n[00:03] Agent: Goodbye\n")
    })
  )

  it.effect("follows the edge of the chosen option", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const items = [
        { id: "sales", label: "Sales" },
        { id: "help", label: "Support", keywords: ["broken"] }
      ]
      const graph = {
        nodes: [
          { id: "start", type: "trigger.callStarted" },
          { id: "menu", type: "action.menu", data: { config: { prompt: "Which department?", items } } },
          { id: "b", type: "action.speak", data: { config: { text: "We repair: {{reply}}" } } }
        ],
        edges: [
          { id: "1", source: "start", target: "menu" },
          { id: "3", source: "menu", target: "b", sourceHandle: "help" }
        ]
      }
      const { id } = yield* placed(call, yield* agentWith(call, graph), { sandbox: { answers: ["It is broken"] } })
      const { metadata } = yield* once(call, id, "completed")
      const match = { menuItemId: "help", menuItemLabel: "Support", matchedText: "It is broken", confidence: 0.8 }
      assert.deepStrictEqual(metadata.menuMatches, [match])
      assert.strictEqual(metadata.menuFinalSelection.menuItemId, "help")
      assert.match(
        yield* transcriptOf(call, id),
        /Agent: Which department\?\n.*Caller: It is broken\n.*Agent: We repair: It is broken\n$/
      )
    })
  )

  it.scoped("has a recording that ends where it was stopped, and is hung up", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const requests = yield* Queue.unbounded<ServerResponse>()
      const { url } = yield* receiver((response) => void requests.unsafeOffer(response))
      const steps = [speak("Please hold the line"), get(`${url}/1`), delay(3), get(`${url}/2`), delay(600)]
      const agent = yield* agentWith(call, chain(...steps, speak("Never spoken")))
      const { id } = yield* placed(call, agent)
      const control = (what: string, body?: unknown) =>
        Effect.map(call("POST", `/v1/voice/calls/${id}/${what}`, body), (answer) => [answer.status, answer.body])
      assert.strictEqual((yield* control("recording/stop"))[0], 409)
      yield* once(call, id, "in_progress")
      assert.strictEqual((yield* control("recording/start"))[0], 409)
      // The call waits for the response: only one sentence was spoken so far.
      const first = yield* requests.take
      assert.deepStrictEqual(yield* control("recording/stop", {}), [200, { success: true }])
      assert.strictEqual((yield* control("recording/stop"))[0], 409)
      first.end()
      const second = yield* requests.take
      second.end()
      assert.deepStrictEqual(yield* control("hangup"), [200, { success: true }])
      const completed = yield* once(call, id, "completed")
      for (const what of ["hangup", "recording/start", "recording/stop"]) {
        assert.strictEqual((yield* control(what))[0], 409, what)
      }
      const seconds = yield* recordedSeconds(completed)
      // Four words and the pause after them.
      assert.closeTo(seconds, 1.9, 0.01)
      assert.isAbove(completed.durationSeconds, seconds + 2)
      // The wait of ten minutes was interrupted.
      assert.isBelow(completed.durationSeconds, 600)
      const text = yield* transcriptOf(call, id)
      assert.match(text, /^\[00:00\] Agent: Please hold the line\n\[\d\d:\d\d\] \(GET /)
      assert.notInclude(text, "Never spoken")
    })
  )

  it.effect("ends with the status that the number selects", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { body: agent } = yield* call("POST", "/v1/voice/agents", { name: "Ada" })
      const become = (last: string, status: string) =>
        Effect.gen(function* () {
          const { id } = yield* placed(call, agent, { to: `+44207946${last}`, sandbox: { speed: 50 } })
          return yield* once(call, id, status)
        })
      const [busy, none, failed, greeted] = yield* Effect.all(
        [become("0001", "busy"), become("0002", "no_answer"), become("0003", "failed"), become("0018", "completed")],
        { concurrency: 4 }
      )
      assert.deepStrictEqual(
        [busy, none, failed].map(({ metadata: { errorCode } }) => errorCode),
        ["busy", "no_answer", "unreachable"]
      )
      assert.strictEqual(yield* transcriptOf(call, greeted.id), "[00:00] Agent: Hello, this is Ada.\n")
      const { body } = yield* call("GET", `/v1/voice/calls?filters={"voiceAgentId":"${agent.id}","status":"busy"}`)
      assert.deepStrictEqual([body.pagination.total, body.items[0].id], [1, busy.id])
    })
  )

  it.scoped("sends messages and HTTP requests, and continues if they fail", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const { received, url } = yield* receiver((response) => response.end("a room"))
      const message = { channel: "email", to: "ada@example.com", subject: "Your call", text: "You get {{room}}" }
      const graph = chain(
        { type: "action.httpRequest", config: { url: `${url}/x?y`, method: "GET", variable: "room" } },
        { type: "action.sendMessage", config: message },
        { type: "action.httpRequest", config: { url: "http://127.0.0.1:1/", method: "DELETE" } },
        speak("You get {{room}}")
      )
      const agent = yield* agentWith(call, graph)
      const { id } = yield* placed(call, agent, { sandbox: { speed: 20 } })
      yield* once(call, id, "completed")
      const text = yield* transcriptOf(call, id)
      assert.include(text, `(GET ${url}/x was answered with 200)`)
      assert.match(text, /\(The message [\da-f-]{36} was sent to ada@example\.com\)/)
      assert.include(text, "(DELETE http://127.0.0.1:1/ was not answered: The connection was refused)")
      assert.include(text, "Agent: You get a room\n")
      assert.deepStrictEqual(
        received.map(({ method, path }) => `${method} ${path}`),
        ["GET /x?y"]
      )
      yield* until(
        Effect.sync(() => mails.length),
        (count) => count === 1
      )
      const { body: key } = yield* call("POST", "/v1/api-keys", {
        name: "n",
        permissions: { voice: ["write", "read"] }
      })
      const weak = yield* call(
        "POST",
        "/v1/voice/calls",
        { voiceAgentId: agent.id, to: "+442079460018" },
        { "X-API-Key": key.key }
      )
      yield* once(call, weak.body.id, "completed")
      assert.include(yield* transcriptOf(call, weak.body.id), "was not sent: the key that placed the call may not send")
    })
  )

  it.scoped("is reported to the webhook of its agent by the subscribed events, signed, with retries", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { received, url } = yield* receiver((response) =>
        response.writeHead(received.length === 1 ? 500 : 204).end()
      )
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
      const receivedEvents = received.map((request) => {
        assert.strictEqual(request.headers["x-team"], "desk")
        verified(agent.webhookConfig.secret, request)
        const event = JSON.parse(request.body)
        assert.deepStrictEqual([event.id, event.data.id], [request.headers["webhook-id"], id])
        return event
      })
      // The failed event is retried with the same id.
      assert.sameMembers([...new Set(receivedEvents.map(({ type }) => type))], events)
      assert.strictEqual(new Set(receivedEvents.map((event) => event.id)).size, events.length)
      const { body: log } = yield* until(call("GET", `/v1/webhook-endpoints/${agent.id}/logs`), ({ body }) =>
        body.items.every((one: { readonly status: string }) => one.status === "succeeded")
      )
      assert.sameMembers(
        log.items.map((one: { readonly eventType: string }) => one.eventType),
        events
      )
      assert.strictEqual(
        log.items.flatMap((one: { readonly attempts: ReadonlyArray<unknown> }) => one.attempts).length,
        5
      )
      const ended = receivedEvents.find(({ type }) => type === "call.ended")
      const { recordingUrl: _, transcriptUrl: __, ...shown } = completed
      const { recordingUrl, transcriptUrl, ...data } = ended.data
      assert.deepStrictEqual(data, shown)
      assert.isString(recordingUrl)
      assert.isString(transcriptUrl)
    })
  )

  it.effect("to a number of the organization rings its agent, and joins the conversation with the caller", () =>
    Effect.gen(function* () {
      const { call, environment, organizationId } = yield* LiveService
      const agent = yield* agentWith(call, chain(speak("Good morning"), { type: "action.listen" }), {
        name: "Reception"
      })
      const [from, to] = ["+442079460077", "+442079460099"]
      const simulate = call("POST", "/v1/voice/calls/simulate", { from, to, sandbox: { answers: ["12#"], speed: 20 } })
      const refused = yield* simulate
      assert.deepStrictEqual([refused.status, Object.keys(refused.body.fields)], [422, ["to"]])
      const add = ["numbers", "add", to, "--organization", organizationId, "--channels", "voice", "--agent"]
      assert.match(yield* failingCommand([...add, organizationId], environment), /has no voice agent/)
      yield* runCommand([...add, agent.id], environment)
      const { body: numbers } = yield* call("GET", "/v1/numbers")
      const own = numbers.items.find(({ number }: { readonly number: string }) => number === to)
      assert.strictEqual(own.voiceAgentId, agent.id)

      const rung = yield* simulate
      assert.strictEqual(rung.status, 201, JSON.stringify(rung.body))
      const completed = yield* once(call, rung.body.id, "completed")
      assert.deepInclude(completed, { direction: "inbound", from, to, phoneNumberId: own.id, voiceAgentId: agent.id })
      assert.strictEqual(yield* transcriptOf(call, completed.id), "[00:00] Agent: Good morning\n[00:01] Caller: 12#\n")
      const back = yield* placed(call, agent, { to: from, from: to, sandbox: { speed: 100 } })
      assert.deepInclude(back, { from: to, phoneNumberId: own.id, conversationId: completed.conversationId })
      const { body: conversation } = yield* call("GET", `/v1/conversations/${completed.conversationId}`)
      assert.deepStrictEqual(conversation.channels, ["voice"])

      yield* call("PATCH", `/v1/voice/agents/${agent.id}`, { isActive: false })
      const { body: agents } = yield* call("GET", "/v1/voice/agents?limit=100")
      const oldest = agents.items.findLast((one: { readonly isActive: boolean }) => one.isActive)
      assert.strictEqual((yield* simulate).body.voiceAgentId, oldest.id)
    })
  )

  it.effect("requires an active agent", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { body: agent } = yield* call("POST", "/v1/voice/agents", { name: "Away", isActive: false })
      const { body, status } = yield* call("POST", "/v1/voice/calls", { voiceAgentId: agent.id, to: "+442079460018" })
      assert.deepStrictEqual([status, body.resource], [409, "voiceAgent"])
    })
  )
})
