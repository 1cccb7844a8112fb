import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { UserId } from "@switchboard/domain/users/User"
import { UserRepo } from "@switchboard/services/users/UserRepo"
import { Array, Clock, DateTime, Effect, Schedule } from "effect"
import { Secret, TOTP } from "otpauth"
import { type ApiResponse, call, keys, LiveApi, organization } from "../LiveApi.js"
import { sentLink } from "../SentLink.js"

const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3f"
const password = "correct horse battery"

let count = 0
const newAddress = () => {
  count += 1
  return `person${count}@example.com`
}

const outcome = ({ body, status }: ApiResponse) => [status, body._tag].join(" ").trim()

/** The session that a response started. */
const sessionOf = ({ body, headers, status, text }: ApiResponse) => {
  assert.strictEqual(status, 200, text)
  const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";")
  assert.match(cookie, /^switchboard_session=[\w-]{43}$/)
  return (method: string, path: string, body_?: unknown) =>
    call(method, path, { key: null, body: body_, headers: { Cookie: cookie, "X-CSRF-Token": body.csrfToken } })
}

const invite = (body: Readonly<Record<string, unknown>> = {}, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", "/v1/users/invitations", { body: { email: newAddress(), roleName: "admin", ...body }, headers })

const tokenOf = (url: string) => {
  const [, token] = /^https?:\/\/[^/]+\/console\/#invitation=([\w.-]+)$/.exec(url) ?? []
  return token ?? assert.fail(`no link: ${url}`)
}

const accept = (token: string, body: Readonly<Record<string, unknown>> = {}) =>
  call("POST", "/v1/users/invitations/accept", { key: null, body: { token, name: "Ada", password, ...body } })

const logIn = (email: string, given = password, code?: string) =>
  call("POST", "/v1/session", { key: null, body: { email, password: given, code } })

/** The code of a secret that an authenticator app shows now, or a number of time steps later. */
const codeOf = (secret: string, steps = 0) =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * 30_000 })
  )

/** A user who has accepted an invitation, with its session. */
const newUser = (roleName = "admin") =>
  Effect.gen(function* () {
    const { body } = yield* invite({ roleName })
    const accepted = yield* accept(tokenOf(body.url))
    const send = sessionOf(accepted)
    const { body: session } = yield* send("GET", "/v1/session")
    return { email: String(body.email), id: String(session.user.id), send, session }
  })

/** A user with a confirmed second factor. The code of the present time step is used. */
const newFactor = (roleName = "viewer") =>
  Effect.gen(function* () {
    const user = yield* newUser(roleName)
    const begun = yield* user.send("POST", "/v1/session/totp", { password })
    const secret = String(begun.body.secret)
    const code = yield* codeOf(secret)
    const confirmed = yield* user.send("POST", "/v1/session/totp/confirm", { code })
    assert.strictEqual(confirmed.status, 200, confirmed.text)
    const recoveryCodes: ReadonlyArray<string> = confirmed.body.recoveryCodes
    return { ...user, secret, code, recoveryCodes, confirmed }
  })

/** The token of the mailed link for a new password. It is mailed after the response. */
const resetToken = (email: string) =>
  sentLink(email).pipe(
    Effect.flatMap(({ link }) => Effect.fromNullable(/#reset=([\w.-]+)$/.exec(link)?.[1])),
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 250 })
  )

/** Repeats a request until it has a status: sessions end within a second. */
const untilStatus = (request: Effect.Effect<ApiResponse, never, LiveApi>, status: number) =>
  Effect.repeat(request, {
    until: (response) => response.status === status,
    schedule: Schedule.spaced("50 millis")
  }).pipe(Effect.timeout("3 seconds"))

layer(LiveApi.layer, { excludeTestServices: true })("The users of an organization", (it) => {
  it.effect("begin with an invitation, which shows its link once and is accepted once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const key = { "Idempotency-Key": "invitation-1" }
      const email = newAddress()
      const created = yield* invite({ email, roleName: "viewer", name: "Ada" }, key)
      const { body } = created
      assert.strictEqual(created.status, 201, created.text)
      assert.hasAllKeys(body, ["id", "email", "name", "roleName", "createdAt", "expiresAt", "url", "isMailed"])
      assert.strictEqual(Date.parse(body.expiresAt) - Date.parse(body.createdAt), 7 * 24 * 3_600_000)
      const token = tokenOf(body.url)
      const { isMailed: _, url: __, ...shown } = body
      assert.deepStrictEqual((yield* invite({ email, roleName: "viewer", name: "Ada" }, key)).body, shown)
      const listed = yield* call("GET", "/v1/users/invitations")
      assert.deepInclude(listed.body.items, shown)
      const [stored] = yield* sql`SELECT i::text AS row FROM user_invitations AS i WHERE id = ${body.id}`
      for (const text of [listed.text, JSON.stringify(stored)]) assert.notInclude(text, token)

      const accepted = yield* Effect.replicateEffect(accept(token), 3, { concurrency: 3 })
      assert.deepStrictEqual(accepted.map(outcome).sort(), ["200", "409 ConflictError", "409 ConflictError"])
      assert.strictEqual(outcome(yield* accept(token)), "409 ConflictError")
      const send = sessionOf(accepted.find(({ status }) => status === 200) ?? assert.fail("not accepted"))
      const { body: session } = yield* send("GET", "/v1/session")
      assert.deepInclude(session, {
        user: { id: session.user.id, email, name: "Ada", hasTotp: false },
        roleName: "viewer"
      })
      assert.strictEqual((yield* send("GET", "/v1/messages")).status, 200)
      assert.strictEqual(outcome(yield* send("POST", "/v1/users/invitations", {})), "403 ForbiddenError")
      const found = yield* call("GET", `/v1/users/${session.user.id}`)
      assert.hasAllKeys(found.body, [
        "id",
        "email",
        "name",
        "roleName",
        "hasPassword",
        "hasTotp",
        "lastLoginAt",
        "createdAt",
        "updatedAt"
      ])
      assert.strictEqual(outcome(yield* invite({ email: email.toUpperCase() })), "409 ConflictError")
      const [row] = yield* sql<{ hash: string }>`SELECT password_hash AS hash FROM users WHERE id = ${session.user.id}`
      assert.match(row?.hash ?? "", /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
    })
  )

  it.effect("cannot accept an invitation that was replaced, withdrawn or has expired, nor with a weak password", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const email = newAddress()
      const first = yield* invite({ email })
      const second = yield* invite({ email: email.replace("p", "P") })
      assert.strictEqual(outcome(yield* accept(tokenOf(first.body.url))), "401 UnauthorizedError")
      const token = tokenOf(second.body.url)
      for (const weak of ["short", "a".repeat(201), ` ${email.toUpperCase()}`]) {
        const { body, status } = yield* accept(token, { password: weak })
        assert.deepStrictEqual([status, Object.keys(body.fields)], [422, ["password"]], weak)
      }
      yield* sql`UPDATE user_invitations SET expires_at = now() WHERE id = ${second.body.id}`
      assert.strictEqual(outcome(yield* accept(token)), "401 UnauthorizedError")
      const third = yield* invite()
      const path = `/v1/users/invitations/${third.body.id}`
      assert.deepStrictEqual((yield* call("DELETE", path)).body, { success: true })
      assert.strictEqual(outcome(yield* call("DELETE", path)), "404 ResourceNotFoundError")
      for (const wrong of [tokenOf(third.body.url), "a".repeat(43), "", "x"]) {
        assert.strictEqual(outcome(yield* accept(wrong)), "401 UnauthorizedError")
      }
    })
  )

  it.effect("log in with their address in any case and their password, with one error for all that is wrong", () =>
    Effect.gen(function* () {
      const { email, id } = yield* newUser("sender")
      const send = sessionOf(yield* logIn(` ${email.toUpperCase()}`))
      const { body } = yield* send("GET", "/v1/session")
      assert.strictEqual(body.user.id, id)
      assert.hasAllKeys(body.permissions, ["messages", "templates", "email", "domains", "drafts"])
      const wrong = yield* Effect.forEach(
        [logIn(email, "another password"), logIn("unknown@example.com"), logIn("no address"), logIn(email, "")],
        (request) => Effect.map(request, ({ text }) => text)
      )
      assert.lengthOf(Array.dedupe(wrong), 1)
      assert.include(wrong[0], "The e-mail address or the password is wrong")
      const fields = (given: object) =>
        Effect.map(call("POST", "/v1/session", { key: null, body: given }), (response) => response.body.fields)
      assert.deepStrictEqual(yield* fields({ email }), { password: ["is required with email"] })
      assert.deepStrictEqual(yield* fields({ email, password, apiKey: keys.admin }), {
        email: ["must be left out where apiKey is given"],
        password: ["must be left out where apiKey is given"]
      })
    })
  )

  it.effect("cannot log in after ten wrong passwords, also with the right one", () =>
    Effect.gen(function* () {
      const { email } = yield* newUser()
      const attempts = yield* Effect.replicateEffect(logIn(email, "another password"), 12, { concurrency: 4 })
      assert.deepStrictEqual(attempts.map(outcome).sort(), [
        ...Array.replicate("401 UnauthorizedError", 10),
        "429 RateLimitedError",
        "429 RateLimitedError"
      ])
      const { body } = yield* logIn(email)
      assert.strictEqual(body._tag, "RateLimitedError")
      assert.isAtMost(body.retryAfterSeconds, 90)
      const other = yield* newUser()
      assert.strictEqual((yield* logIn(other.email)).status, 200)
    })
  )

  it.effect("change their password, which ends their other sessions and their links for a new one", () =>
    Effect.gen(function* () {
      const { email, send } = yield* newUser()
      const other = sessionOf(yield* logIn(email))
      yield* call("POST", "/v1/users/password-resets", { key: null, body: { email } })
      const token = yield* resetToken(email)
      const change = (currentPassword: string, newPassword: string, by = send) =>
        by("POST", "/v1/session/password", { currentPassword, newPassword })
      assert.deepStrictEqual((yield* change("wrong password", "new password 1")).body.fields, {
        currentPassword: ["is wrong"]
      })
      assert.deepStrictEqual(Object.keys((yield* change(password, email)).body.fields), ["newPassword"])
      // é as one code point, and as e with an accent.
      assert.deepStrictEqual((yield* change(password, "caf\u00e9 caf\u00e9 caf\u00e9")).body, { success: true })
      const confirm = { key: null, body: { token, password } }
      assert.strictEqual(
        outcome(yield* call("POST", "/v1/users/password-resets/confirm", confirm)),
        "401 UnauthorizedError"
      )
      yield* untilStatus(other("GET", "/v1/session"), 401)
      assert.strictEqual((yield* send("GET", "/v1/session")).status, 200)
      assert.strictEqual(outcome(yield* logIn(email)), "401 UnauthorizedError")
      assert.strictEqual((yield* logIn(email, "cafe\u0301 cafe\u0301 cafe\u0301")).status, 200)
      const ofKey = sessionOf(yield* call("POST", "/v1/session", { key: null, body: { apiKey: keys.admin } }))
      assert.strictEqual(outcome(yield* change(password, "new password 2", ofKey)), "403 ForbiddenError")
      assert.strictEqual(
        outcome(
          yield* call("POST", "/v1/session/password", {
            body: { currentPassword: password, newPassword: "new password 2" }
          })
        ),
        "401 UnauthorizedError"
      )
    })
  )

  it.effect("are invited by mail, whose stored form has no valid link", () =>
    Effect.gen(function* () {
      const { body } = yield* invite()
      const { link, text } = yield* sentLink(body.email)
      assert.isTrue(body.isMailed)
      assert.isTrue(body.url.endsWith(link), link)
      const [, stored = ""] = /#invitation=(\S+)/.exec(text) ?? []
      assert.strictEqual(stored.split(".").length, 3, text)
      assert.strictEqual(outcome(yield* accept(stored)), "401 UnauthorizedError")
      assert.strictEqual((yield* accept(tokenOf(body.url))).status, 200)
    })
  )

  it.effect("set a forgotten password by a mailed link, once, which ends their sessions", () =>
    Effect.gen(function* () {
      const { email, send } = yield* newUser("viewer")
      const post = (path: string, body: unknown) =>
        call("POST", `/v1/users/password-resets${path}`, { key: null, body })
      const confirm = (token: string, next: string) => post("/confirm", { token, password: next })
      const requested = yield* post("", { email: email.toUpperCase() })
      assert.deepStrictEqual([requested.status, requested.body], [202, { success: true }])
      const token = yield* resetToken(email)
      assert.deepStrictEqual(Object.keys((yield* confirm(token, email)).body.fields), ["password"])
      assert.deepStrictEqual(Object.keys((yield* confirm(token, "short")).body.fields), ["password"])
      assert.strictEqual(outcome(yield* confirm(`${token}0`, "new password 1")), "401 UnauthorizedError")
      const used = yield* Effect.replicateEffect(confirm(token, "new password 1"), 3, { concurrency: 3 })
      assert.deepStrictEqual(used.map(outcome).sort(), ["200", "401 UnauthorizedError", "401 UnauthorizedError"])
      yield* untilStatus(send("GET", "/v1/session"), 401)
      assert.strictEqual(outcome(yield* logIn(email)), "401 UnauthorizedError")
      assert.strictEqual((yield* logIn(email, "new password 1")).status, 200)
    })
  )

  it.effect("have at most three links for a new password, and an unknown address gets the same response", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, id } = yield* newUser("viewer")
      const other = yield* newUser("viewer")
      const request = (to: string) => call("POST", "/v1/users/password-resets", { key: null, body: { email: to } })
      const count = Effect.map(
        sql<{ count: number }>`SELECT count(*)::int AS count FROM password_resets WHERE user_id = ${id}`,
        ([row]) => row?.count
      )
      const unknownAddress = yield* request(newAddress())
      assert.deepStrictEqual([unknownAddress.status, unknownAddress.body], [202, { success: true }])
      const repo = yield* UserRepo
      const expiresAt = DateTime.add(yield* DateTime.now, { hours: 1 })
      const inserts = Array.makeBy(8, (at) =>
        repo.insertReset(UserId.make(other.id), { tokenHash: `${at}`.repeat(64), expiresAt }, 3)
      )
      const inserted = yield* Effect.all(inserts, { concurrency: "unbounded" })
      assert.lengthOf(inserted.filter(Boolean), 3)
      yield* Effect.replicateEffect(request(email), 3)
      yield* Effect.repeat(count, { until: (found) => found === 3, schedule: Schedule.spaced("20 millis") }).pipe(
        Effect.timeout("5 seconds")
      )
      yield* request(email)
      const last = yield* newUser("viewer")
      yield* request(last.email)
      yield* resetToken(last.email)
      assert.strictEqual(yield* count, 3)
    })
  )

  it.effect("are the actors of their changes in the audit log", () =>
    Effect.gen(function* () {
      const { email, id, send } = yield* newUser()
      const invited = (yield* send("POST", "/v1/users/invitations", { email: newAddress(), roleName: "viewer" })).body
      yield* send("PATCH", `/v1/users/${id}`, { name: "Ada King" })
      yield* send("POST", "/v1/session/password", { currentPassword: password, newPassword: "new password 1" })
      yield* send("DELETE", "/v1/session")
      const filters = encodeURIComponent(JSON.stringify({ actorId: id }))
      const { body, text } = yield* call("GET", `/v1/audit?filters=${filters}`)
      const entries: ReadonlyArray<Record<string, unknown>> = body.items
      assert.deepStrictEqual(
        entries.map(({ operation, resourceId }) => [operation, resourceId]),
        [
          ["sessions.remove", undefined],
          ["sessions.changePassword", undefined],
          ["users.update", id],
          ["users.invite", invited.id],
          ["users.acceptInvitation", undefined]
        ]
      )
      const [, , updated, created] = entries
      assert.deepStrictEqual(updated?.actor, { type: "user", id, name: "Ada", email })
      assert.deepInclude(updated?.changes, { name: { before: "Ada", after: "Ada King" } })
      assert.deepInclude(created?.changes, { email: { after: invited.email } })
      for (const secret of [tokenOf(invited.url), password, "new password 1"]) assert.notInclude(text, secret)
    })
  )

  it.effect("have keys that are not among the API keys", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* newUser()
      const [user] = yield* sql<{ key: string }>`SELECT api_key_id AS key FROM users WHERE id = ${id}`
      const path = `/v1/api-keys/${user?.key}`
      const requests = [
        call("GET", path),
        call("PATCH", path, { body: { permissions: {} } }),
        call("DELETE", path),
        call("POST", `${path}/rotate`, { body: {} }),
        call("GET", `${path}/activity`),
        call("GET", `${path}/stats`),
        call("DELETE", `/resend/api-keys/${user?.key}`)
      ]
      for (const request of requests) assert.strictEqual((yield* request).status, 404)
      for (const list of ["/v1/api-keys?limit=100", "/resend/api-keys?limit=100"]) {
        assert.notInclude((yield* call("GET", list)).text, user?.key ?? "")
      }
    })
  )

  it.effect("are listed, and get another name or role at once", () =>
    Effect.gen(function* () {
      const { email, id, send } = yield* newUser("viewer")
      const { body: current } = yield* call("GET", "/v1/organizations/current")
      const { body: all } = yield* call("GET", "/v1/users?limit=100")
      assert.strictEqual(current.teamMembersUsed, all.pagination.total)
      const filtered = (filters: object) =>
        Effect.map(
          call("GET", `/v1/users?filters=${encodeURIComponent(JSON.stringify(filters))}`),
          ({ body }): ReadonlyArray<string> => body.items.map((item: { readonly id: string }) => item.id)
        )
      assert.deepStrictEqual(yield* filtered({ search: email.toUpperCase() }), [id])
      assert.include(yield* filtered({ roleName: "viewer" }), id)
      assert.notInclude(yield* filtered({ roleName: "admin" }), id)

      assert.strictEqual(outcome(yield* send("PATCH", `/v1/users/${id}`, { roleName: "admin" })), "403 ForbiddenError")
      const changed = yield* call("PATCH", `/v1/users/${id}`, { body: { name: "Countess", roleName: "sender" } })
      assert.deepInclude(changed.body, { id, email, name: "Countess", roleName: "sender" })
      assert.deepStrictEqual((yield* call("GET", `/v1/users/${id}`)).body, changed.body)
      yield* untilStatus(send("GET", "/v1/users"), 403)
      assert.strictEqual((yield* send("GET", "/v1/session")).body.roleName, "sender")
      for (const [method, body] of [
        ["GET", undefined],
        ["PATCH", {}],
        ["DELETE", undefined]
      ] as const) {
        const missing = yield* call(method, `/v1/users/${unknown}`, { body })
        assert.strictEqual(outcome(missing), "404 ResourceNotFoundError")
        const foreign = yield* call(method, `/v1/users/${id}`, { body, key: keys.otherOrganization })
        assert.strictEqual(outcome(foreign), "404 ResourceNotFoundError")
      }
    })
  )

  it.effect("end with their sessions and the invitations that they made", () =>
    Effect.gen(function* () {
      const one = yield* newUser()
      const invitation = yield* one.send("POST", "/v1/users/invitations", { email: newAddress(), roleName: "viewer" })
      const { hasTotp: _, ...inviter } = one.session.user
      assert.deepStrictEqual(invitation.body.invitedBy, inviter)
      assert.strictEqual((yield* call("DELETE", `/v1/users/${one.id}`)).status, 200)
      yield* untilStatus(one.send("GET", "/v1/session"), 401)
      assert.strictEqual(outcome(yield* logIn(one.email)), "401 UnauthorizedError")
      assert.strictEqual(outcome(yield* accept(tokenOf(invitation.body.url))), "401 UnauthorizedError")

      const two = yield* newUser()
      const { body } = yield* two.send("POST", "/v1/users/invitations", { email: newAddress(), roleName: "admin" })
      yield* call("PATCH", `/v1/users/${two.id}`, { body: { roleName: "viewer" } })
      assert.strictEqual(outcome(yield* accept(tokenOf(body.url))), "401 UnauthorizedError")
      // The address is free again.
      const again = yield* invite({ email: one.email })
      assert.strictEqual((yield* accept(tokenOf(again.body.url))).status, 200)
    })
  )

  it.effect("make no invitations after their removal or a change of their role", () =>
    Effect.gen(function* () {
      for (const [method, body] of [
        ["DELETE", undefined],
        ["PATCH", { roleName: "viewer" }]
      ] as const) {
        const { id, send } = yield* newUser()
        const email = newAddress()
        // The session is known to the process: it is not looked up again for half a second.
        const requests = Array.makeBy(6, () => send("POST", "/v1/users/invitations", { email, roleName: "admin" }))
        const change = call(method, `/v1/users/${id}`, { body })
        const [, changed] = yield* Effect.all([requests[0] ?? assert.fail(), change, ...requests], { concurrency: 8 })
        assert.strictEqual(changed.status, 200)
        for (const response of yield* Effect.all(requests)) {
          assert.include(["401 UnauthorizedError", "403 ForbiddenError"], outcome(response), response.text)
        }
        const { items } = (yield* call("GET", "/v1/users/invitations?limit=100")).body
        assert.notInclude(JSON.stringify(items), email)
      }
    })
  )

  it.effect("cannot be managed beyond the permissions of the caller", () =>
    Effect.gen(function* () {
      const { body } = yield* call("POST", "/v1/api-keys", {
        body: { name: "Limited", permissions: { users: ["read", "write"], messages: ["read", "send"] } }
      })
      const limited = (method: string, path: string, given?: unknown) =>
        call(method, path, { key: body.key, body: given })
      const { id } = yield* newUser()
      for (const request of [
        limited("POST", "/v1/users/invitations", { email: newAddress(), roleName: "admin" }),
        limited("PATCH", `/v1/users/${id}`, { name: "Other" }),
        limited("DELETE", `/v1/users/${id}`)
      ]) {
        assert.strictEqual(outcome(yield* request), "403 ForbiddenError")
      }
    })
  )

  it.effect("keep one admin, also with concurrent requests", () =>
    Effect.gen(function* () {
      const key = keys.otherOrganization
      const newAdmin = Effect.gen(function* () {
        const { body } = yield* call("POST", "/v1/users/invitations", {
          key,
          body: { email: newAddress(), roleName: "admin" }
        })
        const send = sessionOf(yield* accept(tokenOf(body.url)))
        return String((yield* send("GET", "/v1/session")).body.user.id)
      })
      const ids = yield* Effect.replicateEffect(newAdmin, 4)
      const endings = ids.map((id, at) =>
        at % 2 === 0
          ? call("DELETE", `/v1/users/${id}`, { key })
          : call("PATCH", `/v1/users/${id}`, { key, body: { roleName: "viewer" } })
      )
      const outcomes = yield* Effect.all(endings, { concurrency: "unbounded" })
      assert.deepStrictEqual(outcomes.map(outcome).sort(), ["200", "200", "200", "409 ConflictError"])
      const { body } = yield* call("GET", `/v1/users?filters=${encodeURIComponent('{"roleName":"admin"}')}`, { key })
      assert.strictEqual(body.pagination.total, 1)
    })
  )

  it.effect("count admins one change after another", () =>
    Effect.gen(function* () {
      const repo = yield* UserRepo
      const sql = yield* SqlClient.SqlClient
      const [one, two] = [yield* newUser(), yield* newUser()]
      yield* sql`DELETE FROM users WHERE organization_id = ${organization} AND id NOT IN (${one.id}, ${two.id})`
      let deciding = 0
      const waits = sql`SELECT FROM pg_locks WHERE NOT granted AND transactionid IS NOT NULL`
      /** Both changes have read their user, or one waits for the other. */
      const met = Effect.repeat(waits, {
        until: (rows) => deciding > 1 || rows.length > 0,
        schedule: Schedule.spaced("10 millis")
      }).pipe(Effect.timeout("5 seconds"), Effect.orDie)
      const remove = ({ id }: { readonly id: string }) =>
        repo.change(organization, UserId.make(id), (user) =>
          Effect.gen(function* () {
            deciding += 1
            if (deciding === 1) yield* met
            return { user, removed: true }
          })
        )
      const removals = yield* Effect.forEach([one, two], (user) => Effect.either(remove(user)), {
        concurrency: 2
      })
      assert.deepStrictEqual(removals.map(({ _tag }) => _tag).sort(), ["Left", "Right"])
    })
  )

  it.effect("add a second factor with their password and a code, which ends their other sessions", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, id, send } = yield* newUser("viewer")
      const other = sessionOf(yield* logIn(email))
      const begin = (given: unknown = { password }, by = send) => by("POST", "/v1/session/totp", given)
      const confirm = (code: unknown, by = send) => by("POST", "/v1/session/totp/confirm", { code })
      assert.strictEqual(outcome(yield* confirm("123456")), "409 ConflictError")
      assert.deepStrictEqual((yield* begin({ password: "another password" })).body.fields, { password: ["is wrong"] })
      assert.deepStrictEqual(Object.keys((yield* begin({})).body.fields), ["password"])
      const { body: first } = yield* begin()
      const { body: second } = yield* begin()
      assert.match(second.secret, /^[A-Z2-7]{32}$/)
      const uri = new URL(second.uri)
      assert.strictEqual(uri.pathname, `/Switchboard:${encodeURIComponent(email)}`, second.uri)
      assert.deepStrictEqual(Object.fromEntries(uri.searchParams), {
        issuer: "Switchboard",
        secret: second.secret,
        algorithm: "SHA1",
        digits: "6",
        period: "30"
      })
      assert.strictEqual((yield* logIn(email)).status, 200, "not confirmed")
      for (const wrong of [yield* codeOf(first.secret), yield* codeOf(second.secret, 3), "12345", "abc", "-"]) {
        assert.deepStrictEqual((yield* confirm(wrong)).body.fields, { code: ["is wrong or was used before"] }, wrong)
      }
      for (const malformed of [undefined, "", 123456, "1".repeat(101)]) {
        assert.deepStrictEqual(Object.keys((yield* confirm(malformed)).body.fields), ["code"])
      }
      const code = yield* codeOf(second.secret)
      const confirmed = yield* confirm(` ${code.slice(0, 3)} ${code.slice(3)}`)
      assert.strictEqual(confirmed.status, 200, confirmed.text)
      assert.lengthOf(Array.dedupe(confirmed.body.recoveryCodes), 10)
      for (const one of confirmed.body.recoveryCodes) assert.match(one, /^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/)
      const [stored] = yield* sql`SELECT u::text AS row, s::text AS secret FROM users AS u
        JOIN secrets AS s ON s.owner = u.id::text WHERE u.id = ${id}`
      for (const text of [second.secret, ...confirmed.body.recoveryCodes]) {
        assert.notInclude(JSON.stringify(stored), text)
      }
      yield* untilStatus(other("GET", "/v1/session"), 401)
      assert.isTrue((yield* send("GET", "/v1/session")).body.user.hasTotp)
      assert.isTrue((yield* call("GET", `/v1/users/${id}`)).body.hasTotp)
      assert.strictEqual(outcome(yield* begin()), "409 ConflictError")
      assert.strictEqual(outcome(yield* confirm(yield* codeOf(second.secret, 1))), "409 ConflictError")

      const ofKey = sessionOf(yield* call("POST", "/v1/session", { key: null, body: { apiKey: keys.admin } }))
      for (const [path, given] of [
        ["", { password }],
        ["/confirm", { code: "123456" }],
        ["/remove", { password, code: "123456" }]
      ] as const) {
        assert.strictEqual(outcome(yield* ofKey("POST", `/v1/session/totp${path}`, given)), "403 ForbiddenError")
        assert.strictEqual(
          outcome(yield* call("POST", `/v1/session/totp${path}`, { body: given })),
          "401 UnauthorizedError"
        )
      }
    })
  )

  it.effect("log in with a code of their second factor, which works once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { code, email, id, secret } = yield* newFactor()
      assert.strictEqual(outcome(yield* logIn(email)), "401 SecondFactorRequiredError")
      assert.strictEqual(outcome(yield* logIn(email, "another password")), "401 UnauthorizedError")
      assert.strictEqual(outcome(yield* logIn(email, password, code)), "401 UnauthorizedError", "used to confirm")
      for (const steps of [-3, 3]) {
        assert.strictEqual(
          outcome(yield* logIn(email, password, yield* codeOf(secret, steps))),
          "401 UnauthorizedError"
        )
      }
      const next = yield* codeOf(secret, 1)
      assert.strictEqual(outcome(yield* logIn(email, "another password", next)), "401 UnauthorizedError")
      const attempts = yield* Effect.replicateEffect(logIn(email, password, next), 3, { concurrency: 3 })
      assert.deepStrictEqual(attempts.map(outcome).sort(), ["200", "401 UnauthorizedError", "401 UnauthorizedError"])
      assert.strictEqual(outcome(yield* logIn(email, password, next)), "401 UnauthorizedError")
      yield* sql`UPDATE users SET totp_last_step = 1 WHERE id = ${id}`
      assert.strictEqual((yield* logIn(email, password, yield* codeOf(secret))).status, 200)
      const fields = (given: object) =>
        Effect.map(call("POST", "/v1/session", { key: null, body: given }), (response) => response.body.fields)
      assert.deepStrictEqual(yield* fields({ apiKey: keys.admin, code }), {
        code: ["must be left out where apiKey is given"]
      })
      assert.deepStrictEqual(yield* fields({ email, password, code: 1 }), { code: ["must be text"] })
    })
  )

  it.effect("log in with each recovery code once, in any case and grouping", () =>
    Effect.gen(function* () {
      const { email, recoveryCodes } = yield* newFactor()
      const [first = "", second = ""] = recoveryCodes
      const attempts = yield* Effect.replicateEffect(logIn(email, password, first), 3, { concurrency: 3 })
      assert.deepStrictEqual(attempts.map(outcome).sort(), ["200", "401 UnauthorizedError", "401 UnauthorizedError"])
      assert.strictEqual(outcome(yield* logIn(email, password, first)), "401 UnauthorizedError")
      assert.strictEqual((yield* logIn(email, password, second.replaceAll("-", " ").toUpperCase())).status, 200)
      const other = yield* newFactor()
      assert.strictEqual(
        outcome(yield* logIn(other.email, password, recoveryCodes[2])),
        "401 UnauthorizedError",
        "of another user"
      )
    })
  )

  it.effect("cannot log in after ten wrong codes; a password without a code neither counts nor resets the count", () =>
    Effect.gen(function* () {
      const { email, secret } = yield* newFactor()
      const wrong = Effect.flatMap(codeOf(secret, 5), (code) => logIn(email, password, code))
      for (const failed of yield* Effect.replicateEffect(wrong, 5)) {
        assert.strictEqual(outcome(failed), "401 UnauthorizedError")
      }
      for (const required of yield* Effect.replicateEffect(logIn(email), 6)) {
        assert.strictEqual(outcome(required), "401 SecondFactorRequiredError")
      }
      const more = yield* Effect.replicateEffect(wrong, 6)
      assert.deepStrictEqual(more.map(outcome), [
        ...Array.replicate("401 UnauthorizedError", 5),
        "429 RateLimitedError"
      ])
      assert.strictEqual(outcome(yield* logIn(email, password, yield* codeOf(secret, 1))), "429 RateLimitedError")
    })
  )

  it.effect("cannot guess codes beyond the limit in a session, also with right passwords in between", () =>
    Effect.gen(function* () {
      const { secret, send } = yield* newFactor()
      const post = (path: string, body: unknown) => Effect.map(send("POST", `/v1/session${path}`, body), outcome)
      const guess = Effect.flatMap(codeOf(secret, 5), (code) => post("/totp/remove", { password, code }))
      assert.deepStrictEqual(yield* Effect.replicateEffect(guess, 9), Array.replicate("422 ValidationError", 9))
      assert.strictEqual(yield* post("/totp", { password }), "409 ConflictError")
      assert.strictEqual(yield* post("/password", { currentPassword: password, newPassword: password }), "200")
      assert.strictEqual(yield* guess, "422 ValidationError")
      assert.strictEqual(yield* guess, "429 RateLimitedError")
    })
  )

  it.effect("remove their second factor with password and code, and keep it with a new password", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, id, recoveryCodes, send } = yield* newFactor("admin")
      const [first = "", second = ""] = recoveryCodes
      const remove = (given: unknown) => send("POST", "/v1/session/totp/remove", given)
      assert.deepStrictEqual((yield* remove({ password: "another password", code: first })).body.fields, {
        password: ["is wrong"]
      })
      assert.deepStrictEqual((yield* remove({ password, code: "123" })).body.fields, {
        code: ["is wrong or was used before"]
      })
      assert.deepStrictEqual(Object.keys((yield* remove({})).body.fields).sort(), ["code", "password"])
      assert.strictEqual(outcome(yield* send("DELETE", `/v1/users/${id}/totp`)), "403 ForbiddenError")
      yield* call("POST", "/v1/users/password-resets", { key: null, body: { email } })
      const token = yield* resetToken(email)
      yield* call("POST", "/v1/users/password-resets/confirm", { key: null, body: { token, password } })
      assert.strictEqual(outcome(yield* logIn(email)), "401 SecondFactorRequiredError")
      const again = sessionOf(yield* logIn(email, password, first))
      const removed = yield* again("POST", "/v1/session/totp/remove", { password, code: second })
      assert.deepStrictEqual(removed.body, { success: true })
      assert.deepStrictEqual(yield* sql`SELECT FROM secrets WHERE owner = ${id}`, [])
      assert.strictEqual((yield* logIn(email)).status, 200)
      assert.strictEqual(
        outcome(yield* again("POST", "/v1/session/totp/remove", { password, code: second })),
        "409 ConflictError"
      )
    })
  )

  it.effect("lose their second factor by an admin, and with their account", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, id, recoveryCodes } = yield* newFactor("admin")
      const path = `/v1/users/${id}/totp`
      const limited = yield* call("POST", "/v1/api-keys", {
        body: { name: "Limited", permissions: { users: ["read", "write"] } }
      })
      assert.strictEqual(outcome(yield* call("DELETE", path, { key: limited.body.key })), "403 ForbiddenError")
      const foreign = yield* call("DELETE", path, { key: keys.otherOrganization })
      assert.strictEqual(outcome(foreign), "404 ResourceNotFoundError")
      assert.strictEqual(outcome(yield* logIn(email)), "401 SecondFactorRequiredError")
      assert.deepStrictEqual((yield* call("DELETE", path)).body, { success: true })
      assert.deepStrictEqual((yield* call("DELETE", path)).body, { success: true }, "without one")
      assert.strictEqual((yield* logIn(email)).status, 200)
      assert.isFalse((yield* call("GET", `/v1/users/${id}`)).body.hasTotp)
      assert.strictEqual((yield* logIn(email, password, recoveryCodes[0])).status, 200, "the code is ignored")

      const other = yield* newFactor()
      yield* call("DELETE", `/v1/users/${other.id}`)
      assert.deepStrictEqual(yield* sql`SELECT FROM secrets WHERE owner IN (${id}, ${other.id})`, [])
    })
  )
})
