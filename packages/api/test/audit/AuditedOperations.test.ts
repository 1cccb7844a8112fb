import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { AuditLog } from "@switchboard/services/audit/AuditLog"
import { Effect, Exit, Fiber } from "effect"
import { call, keys, LiveApi, organization } from "../LiveApi.js"

/** The entries of the organization, newest first. */
const entries = (filters: object = {}, key: string = keys.admin) =>
  Effect.map(
    call("GET", `/v1/audit?limit=100&filters=${encodeURIComponent(JSON.stringify(filters))}`, { key }),
    ({ body, status, text }) => {
      assert.strictEqual(status, 200, text)
      return body.items
    }
  )

const newest = (filters: object = {}) => Effect.map(entries(filters), ([entry]) => entry)

/** All stored rows as text, to find secrets in them. */
const storedText = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ text: string }>`SELECT a::text AS text FROM audit_entries AS a`, (rows) =>
    rows.map(({ text }) => text).join("\n")
  )
)

const change = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  Effect.map(call(method, path, { ...(body === undefined ? {} : { body }), headers }), (response) => {
    assert.include([200, 201], response.status, response.text)
    return response.body
  })

/** Makes statements on the table of entries fail like statements that the database gives up. */
const withFailing = <A, E, R>(statement: "INSERT" | "UPDATE", run: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.as(
        sql.unsafe(`CREATE FUNCTION refuse_entry() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '57014'; END $$;
          CREATE TRIGGER refuse_entry BEFORE ${statement} ON audit_entries EXECUTE FUNCTION refuse_entry()`),
        sql
      )
    ),
    () => run,
    (sql) => Effect.orDie(sql`DROP FUNCTION refuse_entry CASCADE`)
  )

const refuse = (method: string, path: string, body: unknown, status: number) =>
  Effect.gen(function* () {
    const before = yield* entries()
    const response = yield* call(method, path, { body })
    assert.strictEqual(response.status, status, response.text)
    assert.deepStrictEqual(yield* entries(), before)
  })

const absent = "01a1fc1d-e1a0-7029-814e-d493ca640e3f"

layer(LiveApi.layer, { excludeTestServices: true })("The audit log", (it) => {
  it.effect("records who created a key, and not its value", () =>
    Effect.gen(function* () {
      const { id, key, start } = yield* change(
        "POST",
        "/v1/api-keys",
        { name: "Shop", roleName: "viewer" },
        { "User-Agent": "console", "X-Request-Id": "the-request", "X-Forwarded-For": "203.0.113.7" }
      )
      const { at, changes, id: entryId, ...entry } = yield* newest()
      assert.match(entryId, /^[0-9a-f-]{36}$/)
      assert.closeTo(Date.parse(at), Date.now(), 60_000)
      assert.deepStrictEqual(entry, {
        organizationId: organization,
        actor: { type: "apiKey", id: "01a1fc1d-cf9d-766f-8d6a-43d494c19441", name: "Key 1" },
        operation: "apiKeys.create",
        resource: "apiKeys",
        resourceId: id,
        outcome: "succeeded",
        ipAddress: "203.0.113.7",
        userAgent: "console",
        requestId: "the-request"
      })
      assert.deepInclude(changes, { name: { after: "Shop" }, key: { after: `${start}…` }, isActive: { after: true } })
      const rotated = yield* change("POST", `/v1/api-keys/${id}/rotate`, {})
      assert.deepInclude(yield* newest(), {
        operation: "apiKeys.rotate",
        resourceId: id,
        changes: {
          start: { before: start, after: rotated.start },
          key: { before: `${start}…`, after: `${rotated.start}…` }
        }
      })
      const resend = yield* change("POST", "/resend/api-keys", { name: "Resend" })
      assert.deepInclude(yield* newest(), {
        operation: "resend.apiKeys.create",
        resource: "apiKeys",
        resourceId: resend.id
      })
      assert.deepInclude((yield* newest()).changes, { name: { after: "Resend" } })
      const text = yield* storedText
      for (const secret of [key, rotated.key, resend.token]) assert.notInclude(text, secret)
    })
  )

  it.effect("records the changed fields of an update, and all fields of a removal", () =>
    Effect.gen(function* () {
      const { id } = yield* change("POST", "/v1/api-keys", { name: "Old", roleName: "viewer" })
      yield* change("PATCH", `/v1/api-keys/${id}`, { name: "New", description: "d", isActive: true })
      assert.deepStrictEqual((yield* newest()).changes, {
        name: { before: "Old", after: "New" },
        description: { after: "d" }
      })
      yield* change("DELETE", `/v1/api-keys/${id}`)
      const { changes, operation, resourceId } = yield* newest()
      assert.deepStrictEqual([operation, resourceId], ["apiKeys.remove", id])
      assert.deepInclude(changes, { name: { before: "New" }, isActive: { before: true } })
    })
  )

  it.effect("records resources without a GET of their own, actions, and operations on a domain", () =>
    Effect.gen(function* () {
      const { id } = yield* change("POST", "/v1/email/blocks", { email: "ada@example.org", reason: "manual" })
      assert.deepInclude((yield* newest()).changes, { value: { after: "ada@example.org" } })
      yield* change("PATCH", `/v1/email/blocks/${id}`, { reason: "complaint" })
      const update = yield* newest()
      assert.deepStrictEqual(update.resourceId, id)
      assert.deepInclude(update.changes, { reason: { before: "manual", after: "complaint" } })
      yield* change("DELETE", `/v1/email/blocks/${id}`)
      assert.deepInclude((yield* newest()).changes, { value: { before: "ada@example.org" } })

      yield* change("PATCH", "/v1/organizations/current", { name: "Renamed" })
      assert.deepInclude((yield* newest()).changes.name, { after: "Renamed" })
      yield* change("PATCH", "/v1/email/catch-all/config", { domain: "caught.test", forwardTo: ["ada@example.org"] })
      assert.deepInclude(yield* newest(), { operation: "catchAll.update", resourceId: "caught.test" })
      assert.deepInclude((yield* newest()).changes, { forwardTo: { before: [], after: ["ada@example.org"] } })

      const verified = yield* call("POST", "/v1/email/domains/verify", { body: { domain: "pending.test" } })
      assert.strictEqual(verified.status, 200, verified.text)
      assert.deepInclude(yield* newest(), { operation: "domains.verify", resourceId: "pending.test" })
      assert.deepInclude((yield* newest()).changes, { success: { after: false } })
    })
  )

  it.effect("records the id of a resource that the path names", () =>
    Effect.gen(function* () {
      const { id } = yield* change("POST", "/resend/templates", { name: "welcome", subject: "Hello", html: "<p>a</p>" })
      yield* change("PATCH", "/resend/templates/welcome", { name: "greeting", subject: "Good day" })
      const { changes, ...update } = yield* newest()
      assert.deepInclude(update, { operation: "resend.templates.update", resourceId: id })
      assert.deepInclude(changes, {
        name: { before: "welcome", after: "greeting" },
        subject: { before: "Hello", after: "Good day" }
      })
      assert.notProperty(changes, "html")
      const copy = yield* change("POST", "/resend/templates/greeting/duplicate")
      assert.deepInclude(yield* newest(), { operation: "resend.templates.duplicate", resourceId: copy.id })
      yield* change("PATCH", `/resend/templates/${id}`, { name: "welcome" })
      assert.deepInclude(yield* newest(), { operation: "resend.templates.update", resourceId: id })
      assert.strictEqual((yield* withFailing("UPDATE", call("DELETE", "/resend/templates/welcome"))).status, 200)
      assert.deepInclude(yield* newest(), { resourceId: id, outcome: "unknown" })
      yield* change("DELETE", "/resend/templates/Copy%20of%20greeting")
      const removal = yield* newest()
      assert.deepInclude(removal, { operation: "resend.templates.remove", resourceId: copy.id })
      assert.deepInclude(removal.changes, { name: { before: "Copy of greeting" } })
    })
  )

  it.effect("has no secrets of webhooks, and no values of headers", () =>
    Effect.gen(function* () {
      const { configuration, id } = yield* change("POST", "/v1/webhook-endpoints", {
        name: "Hooks",
        url: "https://hooks.test/in",
        events: ["message.*"],
        headers: { Authorization: "Bearer first-credential" }
      })
      assert.isString(configuration.secret)
      assert.deepInclude((yield* newest()).changes.configuration.after, {
        url: "https://hooks.test/in",
        headers: { Authorization: "…" }
      })
      yield* change("PATCH", `/v1/webhook-endpoints/${id}`, { headers: { Authorization: "Bearer second-credential" } })
      assert.deepInclude((yield* newest()).changes.configuration.before, { headers: { Authorization: "…" } })
      const { secret } = yield* change("POST", `/v1/webhook-endpoints/${id}/regenerate-secret`, {})
      assert.deepInclude(yield* newest(), { operation: "webhookEndpoints.regenerateSecret", resourceId: id })
      const text = yield* storedText
      assert.include(text, "https://hooks.test/in")
      for (const one of [configuration.secret, secret, "first-credential", "second-credential"]) {
        assert.notInclude(text, one)
      }
    })
  )

  it.effect("has no keys of domains, and no headers of voice agents", () =>
    Effect.gen(function* () {
      const domain = yield* change("POST", "/v1/email/domains", { domain: "audited.test" })
      assert.deepInclude((yield* newest()).changes, { domain: { after: "audited.test" } })
      yield* change("POST", `/v1/email/domains/${domain.id}/rotate-dkim`, {})
      assert.deepInclude(yield* newest(), { operation: "domains.rotateDkim", resourceId: domain.id })
      const agent = yield* change("POST", "/v1/voice/agents", {
        name: "Agent",
        transport: "webrtc",
        webhookConfig: { url: "https://hooks.test/agent", headers: { "X-Credential": "agent-credential" } }
      })
      const copy = yield* change("POST", `/v1/voice/agents/${agent.id}/duplicate`, {})
      assert.deepInclude(yield* newest(), { operation: "voiceAgents.duplicate", resourceId: copy.id })
      assert.deepInclude((yield* newest()).changes, { transport: { after: "webrtc" } })
      const text = yield* storedText
      assert.include(text, "https://hooks.test/agent")
      for (const secret of ["PRIVATE KEY", "agent-credential", agent.webhookConfig.secret])
        assert.notInclude(text, secret)
    })
  )

  it.effect("has no content of drafts and contacts", () =>
    Effect.gen(function* () {
      const { id } = yield* change("POST", "/v1/participants", { name: "Grace", email: "grace@secret.test" })
      const { changes, ...entry } = yield* newest()
      assert.deepInclude(entry, { operation: "participants.create", resourceId: id })
      assert.isUndefined(changes)
      assert.notInclude(yield* storedText, "grace@secret.test")
    })
  )

  it.effect("records log-ins and log-outs", () =>
    Effect.gen(function* () {
      const logIn = yield* call("POST", "/v1/session", { key: null, body: { apiKey: keys.admin } })
      assert.strictEqual(logIn.status, 200, logIn.text)
      assert.deepInclude(yield* newest(), { operation: "sessions.create", resource: "sessions", outcome: "succeeded" })
      const cookie = (logIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
      const headers = { Cookie: cookie, "X-CSRF-Token": logIn.body.csrfToken }
      const made = yield* call("POST", "/v1/api-keys", {
        key: null,
        headers,
        body: { name: "By page", roleName: "viewer" }
      })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepInclude(yield* newest(), { operation: "apiKeys.create", resourceId: made.body.id })
      yield* call("DELETE", "/v1/session", { key: null, headers })
      assert.deepInclude(yield* newest(), { operation: "sessions.remove", outcome: "succeeded" })
      const text = yield* storedText
      for (const secret of [keys.admin, cookie.split("=")[1] ?? "", logIn.body.csrfToken])
        assert.notInclude(text, secret)
      yield* call("POST", "/v1/session", { key: null, body: { apiKey: `${keys.admin.slice(0, -1)}x` } })
      assert.strictEqual((yield* newest()).operation, "sessions.remove")
    })
  )

  it.effect("has no entry of a refused change, a repeated request, a read or a send", () =>
    Effect.gen(function* () {
      yield* refuse("PATCH", `/v1/api-keys/${absent}`, { name: "n" }, 404)
      yield* refuse("POST", "/v1/api-keys", { name: "n" }, 422)
      yield* refuse("POST", "/v1/email/domains", { domain: "pending.test" }, 409)
      yield* refuse("POST", "/v1/email/blocks/import", {}, 400)
      yield* refuse("POST", "/v1/email/domains/check-verification", { domain: "pending.test" }, 200)
      const before = yield* entries()
      const headers = { "Idempotency-Key": "audited once" }
      const body = { name: "Once", roleName: "viewer" }
      const { id } = yield* change("POST", "/v1/api-keys", body, headers)
      assert.strictEqual((yield* change("POST", "/v1/api-keys", body, headers)).id, id)
      assert.strictEqual((yield* entries()).length, before.length + 1)
    })
  )

  it.effect("lists the entries of its organization by filter, for keys with the permission", () =>
    Effect.gen(function* () {
      const { id } = yield* change("POST", "/v1/api-keys", { name: "Listed", roleName: "viewer" })
      const made = yield* newest()
      yield* change("PATCH", `/v1/api-keys/${id}`, { name: "Listed again" })
      const ofKey = yield* entries({ resourceId: id })
      assert.deepStrictEqual(
        ofKey.map(({ operation }: { readonly operation: string }) => operation),
        ["apiKeys.update", "apiKeys.create"]
      )
      assert.strictEqual((yield* entries({ resourceId: id, operation: "apiKeys.create" })).length, 1)
      assert.strictEqual((yield* entries({ resourceId: id, resource: "apiKeys", actorId: made.actor.id })).length, 2)
      assert.strictEqual((yield* entries({ resourceId: id, actorId: absent })).length, 0)
      const after = new Date(Date.parse(ofKey[0].at) + 1).toISOString()
      assert.strictEqual((yield* entries({ resourceId: id, since: ofKey[0].at, until: after })).length, 1)
      assert.strictEqual((yield* entries({ resourceId: id, since: after })).length, 0)

      yield* call("POST", "/v1/api-keys", { key: keys.otherOrganization, body: { name: "Theirs", roleName: "viewer" } })
      assert.strictEqual((yield* entries({}, keys.otherOrganization)).length, 1)
      assert.notInclude(JSON.stringify(yield* entries()), "Theirs")

      for (const path of ["/v1/audit", "/v1/audit/export"]) {
        assert.strictEqual((yield* call("GET", path, { key: keys.reader })).status, 403)
        assert.strictEqual((yield* call("GET", `${path}?actor=1`)).status, 400)
        assert.strictEqual((yield* call("GET", `${path}?filters={"actorId":"x"}`)).status, 400)
        assert.strictEqual((yield* call("GET", `${path}?filters={"since":"yesterday"}`)).status, 400)
      }
      const viewer = yield* change("POST", "/v1/api-keys", { name: "Viewer", roleName: "viewer" })
      assert.strictEqual((yield* call("GET", "/v1/audit", { key: viewer.key })).status, 200)
    })
  )

  it.effect("exports entries as lines, oldest first, with the same filters", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO audit_entries (organization_id, id, at, actor_type, actor_id, actor_name, operation, resource,
          outcome, changes, ip_address, user_agent)
        SELECT ${organization}, uuidv7(n * interval '-1 second'), now() - n * interval '1 second', 'apiKey', ${absent}, 'Many',
          'things.update', 'things', 'succeeded', json_build_object('n', json_build_object('after', n)), '', ''
        FROM generate_series(1, 10000) AS n`
      const filters = encodeURIComponent(JSON.stringify({ operation: "things.update" }))
      const { headers, status, text } = yield* call("GET", `/v1/audit/export?filters=${filters}`)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/x-ndjson")
      const lines = text.trimEnd().split("\n")
      assert.strictEqual(lines.length, 10_000)
      const numbers = lines.map((one) => JSON.parse(one).changes.n.after)
      assert.deepStrictEqual(
        numbers,
        numbers.toSorted((a, b) => b - a)
      )
      const page = yield* call("GET", `/v1/audit?filters=${filters}`)
      assert.deepStrictEqual(page.body.items[0], JSON.parse(lines.at(-1) ?? ""))
      assert.strictEqual(page.body.pagination.total, 10_000)
      yield* sql`DELETE FROM audit_entries WHERE operation = 'things.update'`
    })
  )

  it.effect("makes no change that it cannot record, and leaves the outcome unknown if it cannot record the end", () =>
    Effect.gen(function* () {
      const count = Effect.map(call("GET", "/v1/api-keys?limit=1"), ({ body }) => body.pagination.total)
      const before = yield* count
      const create = call("POST", "/v1/api-keys", { body: { name: "Unrecorded", roleName: "viewer" } })
      assert.strictEqual((yield* withFailing("INSERT", create)).status, 503)
      assert.strictEqual(yield* count, before)
      assert.strictEqual((yield* withFailing("UPDATE", create)).status, 201)
      assert.strictEqual(yield* count, before + 1)
      const { changes, ...entry } = yield* newest()
      assert.deepInclude(entry, { operation: "apiKeys.create", outcome: "unknown" })
      assert.isUndefined(changes)
    })
  )

  it.effect(
    "leaves the outcome unknown after an interruption, a defect or an outage, and no entry after a refusal",
    () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const outcomeOf = <E>(operation: string, made: Effect.Effect<void, E>) =>
          Effect.gen(function* () {
            const intended = {
              organizationId: organization,
              apiKeyId: ApiKeyId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441"),
              operation,
              resource: "things",
              resourceId: null,
              ipAddress: "",
              userAgent: "",
              requestId: null
            }
            const exit = yield* Effect.exit(
              log.audited(intended, made, () => Effect.succeed({ resourceId: null, changes: {} }))
            )
            return [Exit.isSuccess(exit), (yield* newest({ operation }))?.outcome]
          })
        assert.deepStrictEqual(yield* outcomeOf("a.success", Effect.void), [true, "succeeded"])
        assert.deepStrictEqual(yield* outcomeOf("a.interruption", Effect.interrupt), [false, "unknown"])
        assert.deepStrictEqual(yield* outcomeOf("a.defect", Effect.die("defect")), [false, "unknown"])
        const outage = new ServiceUnavailableError({ message: "m", retryAfterSeconds: 1 })
        assert.deepStrictEqual(yield* outcomeOf("an.outage", outage), [false, "unknown"])
        const conflict = new ConflictError({ message: "m", resource: "thing" })
        assert.deepStrictEqual(yield* outcomeOf("a.refusal", conflict), [false, undefined])
        const begun = yield* Effect.fork(outcomeOf("a.killed", Effect.never))
        yield* Effect.repeat(newest({ operation: "a.killed" }), { until: (entry) => entry !== undefined })
        yield* Fiber.interrupt(begun)
        assert.strictEqual((yield* newest({ operation: "a.killed" })).outcome, "unknown")
      }).pipe(Effect.provide(AuditLog.Default))
  )
})
