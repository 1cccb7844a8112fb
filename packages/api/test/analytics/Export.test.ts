import { assert, layer } from "@effect/vitest"
import { isEmail } from "@switchboard/domain/messages/Message"
import { Effect } from "effect"
import { call, LiveApi, message } from "../LiveApi.js"

const path = "/v1/analytics/export"

layer(LiveApi.layer, { excludeTestServices: true })("GET /v1/analytics/export", (it) => {
  it.effect("returns messages without bodies as a JSON array, as a file", () =>
    Effect.gen(function* () {
      const { body, headers, status, text } = yield* call("GET", path)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.match(headers.get("content-disposition") ?? "", /^attachment; filename="messages-\d{4}-\d\d-\d\d\.json"$/)
      assert.lengthOf(body, 1)
      assert.strictEqual(body[0].id, message.id)
      assert.isTrue(isEmail(message))
      if (!isEmail(message)) return
      const { html, text: plain, ...content } = message.content
      assert.deepStrictEqual(body[0].content, content)
      assert.notInclude(text, plain)
      assert.notInclude(text, html)
      assert.deepStrictEqual(body, (yield* call("GET", `${path}?type=messages&format=json`)).body)
    })
  )

  it.effect("returns NDJSON with one object per line", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* call("GET", `${path}?format=ndjson&type=events`)
      assert.strictEqual(headers.get("content-type"), "application/x-ndjson")
      assert.match(headers.get("content-disposition") ?? "", /filename="events-.*\.ndjson"$/)
      assert.isTrue(text.endsWith("}\n"))
      const { data, ...envelope } = JSON.parse(text)
      assert.deepStrictEqual(envelope, {
        id: message.id,
        type: "message.created",
        timestamp: "2026-11-20T09:30:00.000Z",
        organizationId: message.organizationId
      })
      assert.propertyVal(message.content, "subject", data.content.subject)
      assert.notProperty(data.content, "html")
    })
  )

  it.effect("returns CSV with a header line and fixed columns", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* call("GET", `${path}?format=csv`)
      assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
      assert.match(headers.get("content-disposition") ?? "", /filename="messages-.*\.csv"$/)
      const [names, row, ...rest] = text.split("\r\n")
      assert.deepStrictEqual(rest, [""])
      assert.strictEqual(
        names,
        "id,createdAt,channel,direction,status,from,to,cc,bcc,subject,attachments,templateId,conversationId,threadId,parentMessageId,externalId,referenceId,tags,categories,isTest,isInternal,isAutomated,scheduledAt,sentAt,deliveredAt,readAt,failedAt,lastError,deliveryAttempts,retryCount,cost,currency,provider,providerMessageId,apiKeyId,updatedAt"
      )
      assert.isTrue(row?.startsWith(`${message.id},2026-11-20T09:30:00.000Z,email,outbound,pending,`))
      const events = yield* call("GET", `${path}?format=csv&type=events`)
      assert.isTrue(events.text.startsWith(`id,type,timestamp,organizationId,data\r\n${message.id},message.created,`))
    })
  )

  it.effect("rejects unknown types and formats, and invalid ranges", () =>
    Effect.gen(function* () {
      for (const [query, said] of [
        ["type=drafts", "The parameter type must be one of messages, events"],
        ["format=xlsx", "The parameter format must be one of csv, json, ndjson"],
        [
          "startDate=2026-11-01T00:00:00Z&endDate=2026-10-31T00:00:00Z",
          "The parameter endDate must not be before startDate"
        ]
      ]) {
        const { body, status } = yield* call("GET", `${path}?${query}`)
        assert.deepStrictEqual([status, body], [400, { _tag: "BadRequestError", message: said }])
      }
    })
  )
})
