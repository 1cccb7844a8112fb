import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Schema } from "effect"
import Provider from "oidc-provider"

/** What the issuer says about a person. */
export interface Person {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

/** The client of the service. */
export const oidcClient = { id: "switchboard", secret: "a secret with : and /" }

const rsaKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" })

const kid = "key-1"

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const ownKey = { ...rsaKey(), kid, use: "sig", alg: "RS256" }
const otherKey = rsaKey()

/** An ID token with these claims. */
const signed = (claims: object, key = ownKey as typeof otherKey) => {
  const content = `${base64url({ alg: "RS256", kid })}.${base64url(claims)}`
  const signature = sign("RSA-SHA256", Buffer.from(content), createPrivateKey({ key, format: "jwk" }))
  return `${content}.${signature.toString("base64url")}`
}

/** Forges an ID token by the claims of the real one. */
export type Forgery = (claims: Readonly<Record<string, unknown>>, idToken: string) => string

/** Signs changed claims with the key of the issuer, as another client of it could get them. */
export const withClaims =
  (changed: object): Forgery =>
  (claims) =>
    signed({ ...claims, ...changed })

/** Signs the claims with a key that is not one of the issuer's. */
export const withOtherKey: Forgery = (claims) => signed(claims, otherKey)

/** The claims without a signature. */
export const withoutSignature: Forgery = (claims) => `${base64url({ alg: "none" })}.${base64url(claims)}.`

const decodeTokens = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Struct({ id_token: Schema.String }, { key: Schema.String, value: Schema.Unknown }))
)
const decodeClaims = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

/** Replaces the ID token of a token response. */
const forged = (response: ServerResponse, forge: Forgery) => {
  const end = response.end.bind(response)
  response.end = (body: unknown) => {
    const tokens = decodeTokens(String(body))
    const claims = decodeClaims(Buffer.from(tokens.id_token.split(".")[1] ?? "", "base64url").toString())
    const changed = JSON.stringify({ ...tokens, id_token: forge(claims, tokens.id_token) })
    response.setHeader("content-length", Buffer.byteLength(changed))
    return end(changed)
  }
}

/** A certified provider of OpenID Connect, which logs the person `next` in without a page. */
export const oidcIssuer = (redirectUri: string) =>
  Effect.gen(function* () {
    const state = {
      /** The person that logs in; null: they refuse. */
      next: null as Person | null,
      /** Changes ID tokens. */
      forge: null as Forgery | null,
      /** Connections are closed without a response. */
      isDown: false,
      tokenRequests: 0
    }
    const people = new Map<string, Person>()
    const server = createServer()
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    const { port } = server.address() as AddressInfo
    const issuer = `http://127.0.0.1:${port}`
    const provider = new Provider(issuer, {
      clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: [redirectUri] }],
      jwks: { keys: [ownKey] },
      cookies: { keys: ["a key of cookies"] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, accountId) => ({
        accountId,
        claims: () => ({ ...people.get(accountId), sub: accountId })
      })
    })
    const callback = provider.callback()

    /** Logs the person in and consents. */
    const interact = async (request: IncomingMessage, response: ServerResponse) => {
      const person = state.next
      if (person === null) return provider.interactionFinished(request, response, { error: "access_denied" })
      people.set(person.sub, person)
      const grant = new provider.Grant({ accountId: person.sub, clientId: oidcClient.id })
      grant.addOIDCScope("openid email profile")
      const grantId = await grant.save()
      return provider.interactionFinished(request, response, {
        login: { accountId: person.sub },
        consent: { grantId }
      })
    }

    server.on("request", (request, response) => {
      if (state.isDown) return request.socket.destroy()
      if (request.url?.startsWith("/interaction/") === true) return interact(request, response)
      if (request.url === "/token") {
        state.tokenRequests += 1
        if (state.forge !== null) forged(response, state.forge)
      }
      return callback(request, response)
    })
    return { issuer, state }
  })
