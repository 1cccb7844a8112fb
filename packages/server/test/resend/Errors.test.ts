import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { Resend } from "resend"
import { LiveService } from "../LiveService.js"
import { email, errorOf } from "./ResendSdk.js"

layer(LiveService.Shared, { excludeTestServices: true })("Errors of the Resend API", (it) => {
  it.effect("name wrong fields", () =>
    Effect.gen(function* () {
      const { baseUrl, key } = yield* LiveService
      const send = yield* email
      const post = (body: object, path = "/emails") =>
        Effect.promise(() =>
          fetch(`${baseUrl}/resend${path}`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            body: JSON.stringify(body)
          }).then(async (response) => {
            const error = JSON.parse(await response.text())
            assert.strictEqual(error.statusCode, response.status)
            return [error.statusCode, error.name, error.message]
          })
        )
      const { from, to, ...rest } = send
      assert.deepStrictEqual(yield* post({ ...rest, to }), [422, "missing_required_field", "Missing `from` field."])
      assert.deepStrictEqual(yield* post({ ...rest, from }), [422, "missing_required_field", "Missing `to` field."])
      assert.deepStrictEqual(yield* post({ ...send, from: "no address" }), [
        422,
        "invalid_from_address",
        "The `from` field must be an email address like ada@example.com."
      ])
      assert.deepStrictEqual(yield* post({ ...send, react: {} }), [
        422,
        "validation_error",
        "The `react` field is not a known field."
      ])
      assert.deepStrictEqual(yield* post({ ...send, topic_id: "t", to: ["no address"] }), [
        422,
        "validation_error",
        "The `topic_id` field is not a known field. The `to.0` field must be an email address like ada@example.com."
      ])
      assert.deepStrictEqual(yield* post({ ...send, scheduled_at: "in 1 hour" }), [
        422,
        "validation_error",
        "The `scheduled_at` field must be an ISO 8601 date-time: natural language like `in 1 hour` is not supported."
      ])
      assert.deepStrictEqual(yield* post({ ...send, scheduled_at: "2020-01-01T00:00:00Z" }), [
        422,
        "validation_error",
        "The `scheduled_at` field must be in the future."
      ])
      assert.deepStrictEqual(yield* post({ ...send, headers: { Bcc: "eve@example.com" } }), [
        422,
        "validation_error",
        "The `headers.Bcc` field is set by the service."
      ])
      assert.deepStrictEqual(yield* post({ ...send, attachments: [{ filename: "a", path: "https://x.test/a" }] }), [
        422,
        "invalid_attachment",
        "The `attachments.0.path` field is not supported: files are not fetched from URLs; send the content in base64."
      ])
      assert.deepStrictEqual(yield* post({ ...send, tags: [{ name: "a:b", value: "" }] }), [
        422,
        "validation_error",
        "The `tags.0.name` field must have only ASCII letters, digits, underscores and dashes. The `tags.0.value` field must have only ASCII letters, digits, underscores and dashes."
      ])
      assert.deepStrictEqual(yield* post(send, "/emails/batch"), [
        400,
        "validation_error",
        "The body must be an array of emails"
      ])
      assert.deepStrictEqual(yield* post([send, null], "/emails/batch"), [
        422,
        "validation_error",
        "The `1` field must be an object."
      ])
      assert.deepStrictEqual(yield* post({ ...send, attachments: [{ filename: "a", content: "a-_=" }] }), [
        422,
        "invalid_attachment",
        "The `attachments.0.content` field must be base64."
      ])
      assert.deepStrictEqual(yield* post({ endpoint: "http://example.com/", events: ["email.sent"] }, "/webhooks"), [
        422,
        "validation_error",
        "`endpoint`: The URL must be https: NETWORK_ALLOW is empty, so http is not allowed."
      ])
      assert.deepStrictEqual(yield* post([send]), [400, "validation_error", "The body must be a JSON object"])
    })
  )

  it.effect("name keys, routes and resources", () =>
    Effect.gen(function* () {
      const { baseUrl, call, key } = yield* LiveService
      const send = yield* email
      const sdk = (apiKey: string) => new Resend(apiKey, { baseUrl: `${baseUrl}/resend` })
      assert.deepStrictEqual(yield* errorOf(() => sdk(`${key.slice(0, -4)}0000`).emails.send(send)), {
        statusCode: 403,
        name: "invalid_api_key",
        message: "The API key is missing or invalid"
      })
      const { body: reader } = yield* call("POST", "/v1/api-keys", { name: "reader", roleName: "viewer" })
      assert.deepStrictEqual(yield* errorOf(() => sdk(reader.key).emails.send(send)), {
        statusCode: 401,
        name: "restricted_api_key",
        message: "The API key lacks the permission messages.send"
      })
      const id = randomUUID()
      assert.deepStrictEqual(yield* errorOf(() => sdk(key).emails.get(id)), {
        statusCode: 404,
        name: "not_found",
        message: `The message does not exist: ${id}`
      })
      assert.deepInclude(yield* errorOf(() => sdk(key).emails.get("1")), { statusCode: 400, name: "validation_error" })
      const message = "This service does not have GET /audiences of Resend"
      assert.deepInclude(yield* errorOf(() => sdk(key).contacts.list()), { statusCode: 501, name: "not_implemented" })
      assert.deepInclude(yield* errorOf(() => sdk(key).emails.metrics()), { statusCode: 501, name: "not_implemented" })
      const raw = (method: string, path: string) =>
        Effect.promise(() =>
          fetch(`${baseUrl}/resend${path}`, { method }).then(async (response) => [
            await response.json(),
            response.headers.get("www-authenticate")
          ])
        )
      assert.deepStrictEqual(yield* raw("GET", "/emails"), [
        { statusCode: 401, name: "missing_api_key", message: "Missing API key in the authorization header." },
        "Bearer"
      ])
      assert.deepStrictEqual(yield* raw("GET", "/audiences"), [
        { statusCode: 501, name: "not_implemented", message, error: message },
        null
      ])
      assert.deepStrictEqual(yield* raw("PUT", "/emails"), [
        { statusCode: 405, name: "method_not_allowed", message: "Method is not allowed for the requested path." },
        null
      ])
      assert.deepStrictEqual(yield* raw("GET", "/emails/batch"), [
        { statusCode: 405, name: "method_not_allowed", message: "Method is not allowed for the requested path." },
        null
      ])
      assert.deepStrictEqual(yield* raw("GET", ""), [
        { statusCode: 404, name: "not_found", message: "The requested endpoint does not exist." },
        null
      ])
      assert.deepStrictEqual(yield* raw("GET", "/elsewhere"), [
        { statusCode: 404, name: "not_found", message: "The requested endpoint does not exist." },
        null
      ])
    })
  )

  it.effect("are not_implemented for every operation of the SDK that the service lacks", () =>
    Effect.gen(function* () {
      const { baseUrl, key } = yield* LiveService
      const source = readFileSync(repositoryFile("node_modules/resend/dist/index.mjs"), "utf8")
      const requests = [
        ...source.matchAll(/resend\.(get|post|patch|put|delete)\(\s*[`"]([^`"]+)[`"]/g),
        ...source.matchAll(/buildPaginationUrl()\([`"]([^`"]+)[`"]/g)
      ].map(([, method, path = ""]) => ({
        method: (method || "get").toUpperCase(),
        path: path
          .replace(/\$\{inboxPath\}/, "/inboxes/1")
          .replace(/\$\{get\w+\(options\)\}/, "")
          .replace(/\$\{[^}]*\}/g, randomUUID())
      }))
      assert.isAtLeast(requests.length, 120)
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const nameOf = async (method: string, path: string) => {
        const body = method === "GET" ? {} : { body: "{}" }
        const { name } = JSON.parse(
          await (await fetch(`${baseUrl}/resend${path}`, { method, headers, ...body })).text()
        )
        return { path, name, request: `${method} ${path}` }
      }
      const results = yield* Effect.forEach(
        requests,
        ({ method, path }) => Effect.promise(() => nameOf(method, path)),
        { concurrency: 5 }
      )
      const absent = results.filter(({ name }) => name === "not_implemented")
      assert.deepStrictEqual([...new Set(absent.map(({ path }) => path.split("/")[1]))].sort(), [
        ...["audiences", "automations", "broadcasts", "contact-properties", "contacts", "domains", "emails", "events"],
        ...["inboxes", "logs", "oauth", "segments", "suppressions", "topics", "usage", "webhooks"]
      ])
      const present =
        /^\w+ \/(?:api-keys|emails(?!\/[^/]+\/share)|domains(?!\/.*claim)|templates|webhooks(?!\/.*\/events))/
      for (const { name, request } of results) {
        assert.notStrictEqual(name, "method_not_allowed", request)
        assert.strictEqual(name === "not_implemented", !present.test(request), request)
      }
      const guide = readFileSync(repositoryFile("docs/moving-from-resend.md"), "utf8")
      const resources = Object.entries(new Resend(key)).flatMap(([name, value]) =>
        typeof value === "object" && name !== "headers" ? [name] : []
      )
      assert.isAtLeast(resources.length, 17)
      for (const resource of resources) assert.match(guide, new RegExp(`\`${resource}[.\`]`), resource)
    })
  )
})
