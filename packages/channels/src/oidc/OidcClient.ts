import { sharedLookup } from "@switchboard/services/SharedLookup"
import { OidcFailure, type OidcPerson, OidcProvider } from "@switchboard/services/sessions/OidcProvider"
import { Context, Duration, Effect, Layer, Option, Predicate, Redacted } from "effect"
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  WWWAuthenticateChallengeError
} from "openid-client"
import { storableText } from "../StorableText.js"

/** The account of this service at the provider. */
export class OidcSettings extends Context.Tag("channels/OidcSettings")<
  OidcSettings,
  {
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret: Redacted.Redacted<string>
    /** The label of the button. */
    readonly name: string
  }
>() {}

/** The wait for one response of the provider. */
const requestTimeout = Duration.seconds(10)

/** The wait for all responses of a log-in: metadata, token, keys and claims of the user. */
const loginTimeout = Duration.seconds(20)

/** The provider's metadata is read again after this time. */
const metadataLifetime = "1 hour"

const scope = "openid email profile"

/** Sends the secret as the provider supports it. Providers that name no methods support HTTP Basic (RFC 8414 section 2). */
const clientAuth = (secret: string): ClientAuth => {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    return (methods.includes("client_secret_basic") ? basic : post)(server, ...request)
  }
}

/** The errors of the authorization response (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6). */
const reasonOf = (error: string) =>
  /^(server_error|temporarily_unavailable)$/.test(error)
    ? "unavailable"
    : /^(access_denied|.*_required)$/.test(error)
      ? "denied"
      : "invalid"

/** Whether there is no response, or one of a server that fails. */
const isOutage = (error: unknown): boolean =>
  (error instanceof TypeError && Predicate.hasProperty(error, "cause")) ||
  (Predicate.hasProperty(error, "code") && (error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_ABORT")) ||
  (Predicate.hasProperty(error, "cause") && error.cause instanceof Response && error.cause.status >= 500)

/** The maximum characters of an error in the log: its text is the provider's. */
const maxTextLength = 300

/** The details of an error: the error of a response (RFC 6749 section 5.2), or those of its cause. None has a token. */
const detailsOf = (error: Error): ReadonlyArray<string> => {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return [error.error, ...(error.error_description === undefined ? [] : [error.error_description])]
  }
  if (error instanceof WWWAuthenticateChallengeError) return ["check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET"]
  return messagesOf(error.cause)
}

const messagesOf = (error: unknown): ReadonlyArray<string> =>
  error instanceof Error ? [error.message, ...detailsOf(error)] : []

/** An error on one line of the log. */
const textOf = (error: unknown): string =>
  storableText(messagesOf(error).join(": ").replaceAll(/\s+/g, " "), maxTextLength)

const failureOf = (error: unknown) =>
  new OidcFailure({
    reason:
      error instanceof AuthorizationResponseError ? reasonOf(error.error) : isOutage(error) ? "unavailable" : "invalid",
    message: textOf(error)
  })

const late = () => new OidcFailure({ reason: "unavailable", message: "The provider does not respond in time" })

/** A claim with text. */
const textClaim = (claim: unknown) =>
  Option.filter(Option.liftPredicate(Predicate.isString)(claim), (text) => text !== "")

/** The limit of OpenID Connect Core section 2, without control characters. */
const subject = /^[\x20-\x7e]{1,255}$/

/** Some providers write a claim that is true as text or as a number. */
const isTrue = (claim: unknown) => ["true", "1"].includes(String(claim))

/** Logs in at a provider of OpenID Connect with its certified client: signature, issuer, audience, times and nonce. */
export const OidcClient = Layer.effect(
  OidcProvider,
  Effect.gen(function* () {
    const { clientId, clientSecret, issuer, name } = yield* OidcSettings
    const server = new URL(issuer)

    // An issuer with http is on loopback, by its setting.
    const extensions = server.protocol === "http:" ? [allowInsecureRequests] : []

    // A failure is not cached: the next log-in tries again.
    const configurations = yield* sharedLookup({
      capacity: 1,
      timeToLive: metadataLifetime,
      lookup: () =>
        Effect.tryPromise({
          try: () =>
            discovery(server, clientId, undefined, clientAuth(Redacted.value(clientSecret)), {
              // The library verifies the signature of an ID token only if it does not come from the provider over TLS.
              execute: [...extensions, enableNonRepudiationChecks],
              timeout: Duration.toSeconds(requestTimeout)
            }),
          catch: (error) =>
            new OidcFailure({
              reason: "unavailable",
              message: `The metadata of ${issuer} cannot be read: ${textOf(error)}`
            })
        }),
      idOf: (key: string) => key
    })

    const withConfiguration = <A>(use: (configuration: Configuration) => Promise<A>) =>
      Effect.flatMap(configurations.get(issuer), (configuration) =>
        Effect.tryPromise({ try: () => use(configuration), catch: failureOf })
      ).pipe(Effect.timeoutFail({ duration: loginTimeout, onTimeout: late }))

    return Option.some({
      name,
      authorizationUrl: ({ nonce, redirectUri, state, verifier }) =>
        withConfiguration(async (configuration) => {
          const parameters = {
            redirect_uri: redirectUri,
            scope,
            state: Redacted.value(state),
            nonce,
            code_challenge: await calculatePKCECodeChallenge(Redacted.value(verifier)),
            code_challenge_method: "S256"
          }
          return buildAuthorizationUrl(configuration, parameters).href
        }),
      authenticate: (response, { nonce, redirectUri, state, verifier }) =>
        withConfiguration(async (configuration): Promise<OidcPerson> => {
          const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${response}`), {
            expectedState: Redacted.value(state),
            expectedNonce: nonce,
            pkceCodeVerifier: Redacted.value(verifier),
            idTokenExpected: true
          })
          const idToken = tokens.claims()
          if (idToken === undefined) throw new Error("The response has no ID token")
          const { iss, sub } = idToken
          if (!subject.test(sub)) throw new Error("The claim sub is not 1 to 255 characters of ASCII")
          // OpenID Connect Core section 5.4: with an access token, the claims of scopes are at the UserInfo endpoint.
          const claims =
            idToken.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
              ? { ...idToken, ...(await fetchUserInfo(configuration, tokens.access_token, sub)) }
              : idToken
          return {
            account: { issuer: iss, subject: sub },
            email: textClaim(claims.email),
            // Microsoft Entra ID has `xms_edov` in place of `email_verified`.
            isEmailVerified: isTrue(claims.email_verified) || isTrue(claims.xms_edov),
            name: textClaim(claims.name)
          }
        })
    })
  })
)
