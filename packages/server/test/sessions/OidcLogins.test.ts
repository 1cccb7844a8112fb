import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { assert, it, layer } from "@effect/vitest"
import { OidcClient, OidcSettings } from "@switchboard/channels/oidc/OidcClient"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { OidcProvider } from "@switchboard/services/sessions/OidcProvider"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { caller, LiveService } from "../LiveService.js"
import {
  type Forgery,
  oidcClient,
  oidcIssuer,
  type Person,
  withClaims,
  withOtherKey,
  withoutSignature
} from "./OidcIssuer.js"

class Issuer extends Context.Tag("test/Issuer")<Issuer, Effect.Effect.Success<ReturnType<typeof oidcIssuer>>>() {}

const Live = Layer.unwrapScoped(
  Effect.gen(function* () {
    const port = yield* freePort
    const publicUrl = `http://127.0.0.1:${port}`
    const issuer = yield* oidcIssuer(`${publicUrl}/v1/session/oidc/callback`)
    const service = LiveService.layer({
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer.issuer,
      OIDC_CLIENT_ID: oidcClient.id,
      OIDC_CLIENT_SECRET: oidcClient.secret,
      OIDC_NAME: "Example ID"
    })
    return Layer.merge(Layer.succeed(Issuer, issuer), Layer.provideMerge(TestDatabase, service))
  })
)

/** A browser: stores cookies by origin, and shows the redirects that it follows. */
const newBrowser = (baseUrl: string) => {
  const beginUrl = `${baseUrl}/v1/session/oidc`
  const jar = new Map<string, Map<string, string>>()
  const get = async (url: string) => {
    const { origin } = new URL(url)
    const cookies = jar.get(origin) ?? new Map<string, string>()
    jar.set(origin, cookies)
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
    })
    const setCookies = response.headers.getSetCookie()
    for (const cookie of setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get("location")
    const next = location === null ? null : new URL(location, url).href
    return { status: response.status, next, setCookies, text: await response.text() }
  }
  /** Follows redirects until one that leads to a URL with this beginning, which is returned. */
  const follow = async (url: string, end: string): Promise<string> => {
    const { next, status, text } = await get(url)
    if (next === null) throw new Error(`${url}: ${status} ${text}`)
    return next.startsWith(end) ? next : follow(next, end)
  }
  const cookieOf = (name: string) => jar.get(baseUrl)?.get(name) ?? ""
  return {
    cookieOf,
    setCookie: (name: string, value: string) => jar.get(baseUrl)?.set(name, value),
    get: (url: string) =>
      Effect.map(
        Effect.promise(() => get(url)),
        ({ next, ...response }) => ({ ...response, next: next?.replace(baseUrl, "") ?? "" })
      ),
    /** Begins a log-in; returns the URL of the callback that the issuer leads to. */
    begin: Effect.promise(() => follow(beginUrl, `${beginUrl}/callback`)),
    /** Logs in; returns the part of the URL after the console's that the callback leads to. */
    logIn: Effect.map(
      Effect.promise(() => follow(beginUrl, `${baseUrl}/console/`)),
      (url) => url.slice(baseUrl.length)
    ),
    /** The session of the browser. */
    session: Effect.map(
      Effect.suspend(() => {
        const Cookie = `switchboard_session=${cookieOf("switchboard_session")}`
        return caller(baseUrl, null)("GET", "/v1/session", undefined, { Cookie })
      }),
      ({ body }) => body
    )
  }
}

/** The claims of an address that no user has. With them, the UserInfo endpoint is not read. */
const verified = { email: "unknown@example.com", email_verified: true }

let lastPerson = 0

/** A person that the issuer knows. */
const newPerson = (changed: Partial<Person> = {}): Person => {
  lastPerson += 1
  return {
    sub: `person-${lastPerson}`,
    email: `person-${lastPerson}@example.com`,
    email_verified: true,
    name: "Ada Lovelace",
    ...changed
  }
}

const invite = (person: Person, roleName = "viewer") =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const { status } = yield* call("POST", "/v1/users/invitations", { email: person.email, roleName })
    assert.strictEqual(status, 201)
  })

/** Prepares the log-in of a person in a new browser. */
const browserOf = (person: Person | null, forge: Forgery | null = null) =>
  Effect.gen(function* () {
    const { state } = yield* Issuer
    state.next = person
    state.forge = forge
    return newBrowser((yield* LiveService).baseUrl)
  })

const logIn = (...person: Parameters<typeof browserOf>) => Effect.flatMap(browserOf(...person), ({ logIn: url }) => url)

/** The page after a log-in. */
const consolePath = "/console/"

const failed = (reason: string) => `${consolePath}#error=oidc_${reason}`

layer(Live, { excludeTestServices: true })("A log-in with OpenID Connect", (it) => {
  it.effect("is unavailable while the issuer is down, and works when it is up again", () =>
    Effect.gen(function* () {
      const { state } = yield* Issuer
      const person = newPerson()
      yield* invite(person)
      const browser = yield* browserOf(person)
      state.isDown = true
      assert.strictEqual(yield* browser.logIn, failed("unavailable"))
      state.isDown = false
      const callback = yield* browser.begin
      state.isDown = true
      assert.strictEqual((yield* browser.get(callback)).next, failed("unavailable"))
      state.isDown = false
      assert.strictEqual(yield* browser.logIn, consolePath)
    })
  )

  it.effect("creates the user of an invitation without a password, and later finds the user by the account", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* LiveService
      const person = newPerson({ email: "Ada@Example.com" })
      yield* invite({ ...person, email: "ada@example.com" }, "sender")
      const browser = yield* browserOf(person)
      const { next, setCookies } = yield* browser.get(`${baseUrl}/v1/session/oidc`)
      const parameters = new URL(next).searchParams
      assert.deepInclude(Object.fromEntries(parameters), {
        response_type: "code",
        client_id: oidcClient.id,
        redirect_uri: `${baseUrl}/v1/session/oidc/callback`,
        scope: "openid email profile",
        code_challenge_method: "S256"
      })
      for (const name of ["state", "nonce", "code_challenge"]) assert.match(parameters.get(name) ?? "", /^[\w-]{43}$/)
      assert.match(
        String(setCookies),
        /^switchboard_oidc=[\w-]{43}; Max-Age=600; Path=\/v1\/session\/oidc\/callback; HttpOnly; SameSite=Lax$/
      )
      const finished = yield* browser.get(yield* browser.begin)
      assert.deepStrictEqual([finished.status, finished.next], [303, consolePath])
      assert.match(
        finished.setCookies.find((one) => one.startsWith("switchboard_session")) ?? "",
        /; Path=\/; HttpOnly; SameSite=Strict$/
      )
      const { roleName, user } = yield* browser.session
      assert.deepStrictEqual(
        [roleName, user],
        ["sender", { id: user.id, email: "ada@example.com", name: person.name, hasTotp: false }]
      )
      const path = `/v1/users/${user.id}`
      assert.deepInclude((yield* call("GET", path)).body, { hasPassword: false, roleName: "sender" })
      assert.isEmpty((yield* call("GET", "/v1/users/invitations")).body.items)

      // The account decides, not the address, which can be of another person by now.
      const again = yield* browserOf({ sub: person.sub, email: "other@example.com", email_verified: false })
      assert.strictEqual(yield* again.logIn, consolePath)
      assert.strictEqual((yield* again.session).user.id, user.id)
      assert.strictEqual(yield* logIn(newPerson({ email: "ada@example.com" })), failed("invalid"))
      const { items } = (yield* call(
        "GET",
        `/v1/audit?filters=${encodeURIComponent(JSON.stringify({ actorId: user.id }))}`
      )).body
      assert.deepStrictEqual(
        items.map(({ operation }: { readonly operation: string }) => operation),
        ["sessions.create", "users.acceptInvitation"]
      )
      assert.strictEqual((yield* call("DELETE", path)).status, 200)
      assert.strictEqual(yield* logIn(person), failed("unknown_user"))
    })
  )

  it.effect("binds a user who has a password, and binds again after a change of the issuer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { baseUrl, call } = yield* LiveService
      const person = newPerson()
      const { body } = yield* call("POST", "/v1/users/invitations", { email: person.email, roleName: "viewer" })
      const password = "a long password"
      const accepted = { token: body.url.split("#invitation=")[1], name: "Grace", password }
      const session = yield* caller(baseUrl, null)("POST", "/v1/users/invitations/accept", accepted)
      assert.strictEqual(session.status, 200, JSON.stringify(session.body))
      for (const email of [person.email?.toUpperCase(), "changed@example.com"]) {
        const browser = yield* browserOf({ ...person, ...(email === undefined ? {} : { email }) })
        assert.strictEqual(yield* browser.logIn, consolePath)
        assert.strictEqual((yield* browser.session).user.name, "Grace")
      }
      yield* sql`UPDATE users SET oidc_issuer = 'https://former.example' WHERE email = ${person.email}`
      const other = newPerson({ sub: "other-sub", email: person.email ?? "" })
      assert.strictEqual(yield* logIn(other), consolePath)
      assert.strictEqual(yield* logIn(person), failed("invalid"))
      const credentials = { email: person.email, password }
      assert.strictEqual((yield* caller(baseUrl, null)("POST", "/v1/session", credentials)).status, 200)
    })
  )

  it.effect("fails without a user, without a verified address, and when it is denied", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      assert.strictEqual(yield* logIn(newPerson()), failed("unknown_user"))
      for (const changed of [{ email_verified: false }, { email: "" }]) {
        const person = newPerson()
        yield* invite(person)
        assert.strictEqual(yield* logIn({ ...person, ...changed }), failed("unverified_email"))
      }
      const { email_verified: _, ...unverified } = newPerson()
      yield* invite(unverified)
      assert.strictEqual(yield* logIn(unverified), failed("unverified_email"))
      assert.strictEqual(yield* logIn(null), failed("denied"))
      const methods = yield* caller(baseUrl, null)("GET", "/v1/session/methods")
      assert.deepStrictEqual(methods.body, { oidc: { name: "Example ID" } })
    })
  )

  it.effect("ends once, in the browser in which it began, within 10 minutes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { baseUrl } = yield* LiveService
      const { state } = yield* Issuer
      const person = newPerson()
      yield* invite(person)
      const [own, other] = [yield* browserOf(person), yield* browserOf(person)]
      const callback = yield* own.begin
      const requests = state.tokenRequests
      yield* other.begin
      for (const browser of [other, yield* browserOf(person)]) {
        assert.strictEqual((yield* browser.get(callback)).next, failed("invalid"))
      }
      const cookie = own.cookieOf("switchboard_oidc")
      const [stored] = yield* sql<{ rows: string }>`SELECT json_agg(o)::text AS rows FROM oidc_logins AS o`
      for (const secret of [cookie, new URL(callback).searchParams.get("state") ?? ""]) {
        assert.notInclude(stored?.rows, secret)
      }
      assert.strictEqual((yield* own.get(callback.replace("iss=", "iss=x"))).next, failed("invalid"))
      const next = yield* own.begin
      const nextCookie = own.cookieOf("switchboard_oidc")
      assert.strictEqual((yield* own.get(next)).next, consolePath)
      assert.strictEqual(state.tokenRequests, requests + 1)
      own.setCookie("switchboard_oidc", nextCookie)
      assert.strictEqual((yield* own.get(next)).next, failed("invalid"))
      const late = yield* own.begin
      yield* sql`UPDATE oidc_logins SET expires_at = now()`
      assert.strictEqual((yield* own.get(late)).next, failed("invalid"))
      for (const query of ["", "?state=x&state=y", "?code=x", "?error=access_denied"]) {
        assert.strictEqual(
          (yield* own.get(`${baseUrl}/v1/session/oidc/callback${query}`)).next,
          failed("invalid"),
          query
        )
      }
      assert.strictEqual(state.tokenRequests, requests + 1)
    })
  )

  it.effect.each([
    { is: "signed with another key", forge: withOtherKey },
    { is: "not signed", forge: withoutSignature },
    { is: "for another client", forge: withClaims({ aud: "other" }) },
    { is: "of another issuer", forge: withClaims({ iss: "https://other.example" }) },
    { is: "expired", forge: withClaims({ exp: 1_700_000_000 }) },
    { is: "of another log-in", forge: withClaims({ nonce: "a".repeat(43) }) },
    { is: "without a nonce", forge: withClaims({ nonce: undefined }) },
    { is: "without a subject", forge: withClaims({ sub: undefined }) },
    { is: "with NUL in its subject", forge: withClaims({ ...verified, sub: "person\0" }) },
    {
      is: "with a subject that is too long",
      forge: withClaims({ ...verified, sub: randomBytes(3_000).toString("hex") })
    }
  ])("rejects an ID token that is $is", ({ forge }) =>
    Effect.gen(function* () {
      const person = newPerson()
      yield* invite(person)
      assert.strictEqual(yield* logIn(person, forge), failed("invalid"))
      assert.strictEqual(yield* logIn(person, withClaims({})), consolePath)
    })
  )

  it.effect("rejects the ID token of an earlier log-in", () =>
    Effect.gen(function* () {
      const person = newPerson()
      yield* invite(person)
      let earlier = ""
      const keep: Forgery = (_, idToken) => {
        earlier = idToken
        return idToken
      }
      assert.strictEqual(yield* logIn(person, keep), consolePath)
      assert.strictEqual(yield* logIn(person, () => earlier), failed("invalid"))
    })
  )
})

it.scoped("The client describes a failure on one line, without the secret", () =>
  Effect.gen(function* () {
    const redirectUri = "https://mail.example.net/v1/session/oidc/callback"
    const { issuer } = yield* oidcIssuer(redirectUri)
    const settings = { issuer, clientId: oidcClient.id, clientSecret: Redacted.make("a wrong secret"), name: "Example" }
    const provider = Effect.provide(OidcProvider, Layer.provide(OidcClient, Layer.succeed(OidcSettings, settings)))
    const { authenticate } = Option.getOrThrow(yield* provider)
    const checks = { redirectUri, state: Redacted.make("s"), nonce: "n", verifier: Redacted.make("v".repeat(43)) }
    const failureOf = (response: Readonly<Record<string, string>>) =>
      Effect.map(
        Effect.flip(authenticate(new URLSearchParams({ state: "s", iss: issuer, ...response }), checks)),
        ({ message, reason }) => `${reason}: ${message}`
      )
    assert.match(yield* failureOf({ code: "x" }), /^invalid: .*: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET$/)
    assert.match(
      yield* failureOf({ error: "access_denied", error_description: "Not\r\ntoday\0" }),
      /^denied: .*: access_denied: Not today\ufffd$/
    )
    assert.match(yield* failureOf({ error: "temporarily_unavailable" }), /^unavailable: /)
    assert.match(yield* failureOf({ error: "invalid_scope" }), /^invalid: /)
  })
)
