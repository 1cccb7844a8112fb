import { Context, Data, type Effect, Layer, Option, type Redacted } from "effect"
import type { OidcAccount } from "../users/UserRepo.js"

/** Why a log-in with OpenID Connect failed, as the console reads it. */
export type OidcFailureReason = "denied" | "invalid" | "unknown_user" | "unverified_email" | "unavailable"

/** A log-in with OpenID Connect failed. The message is for the log. */
export class OidcFailure extends Data.TaggedError("OidcFailure")<{
  readonly reason: OidcFailureReason
  readonly message: string
}> {}

/** The values that bind a log-in to the browser and the request with which it began. */
export interface OidcChecks {
  readonly redirectUri: string
  readonly state: Redacted.Redacted<string>
  readonly nonce: string
  /** The code verifier (RFC 7636). */
  readonly verifier: Redacted.Redacted<string>
}

/** A person, as the provider describes them. */
export interface OidcPerson {
  readonly account: OidcAccount
  readonly email: Option.Option<string>
  readonly isEmailVerified: boolean
  readonly name: Option.Option<string>
}

/** The provider of OpenID Connect that people can log in with; none without its settings. */
export class OidcProvider extends Context.Tag("services/OidcProvider")<
  OidcProvider,
  Option.Option<{
    /** The label of its button. */
    readonly name: string
    /** The URL at which a log-in begins. */
    readonly authorizationUrl: (checks: OidcChecks) => Effect.Effect<string, OidcFailure>
    /** The person of a response of the provider, which is the query of the redirect URI. Verifies the ID token. */
    readonly authenticate: (response: URLSearchParams, checks: OidcChecks) => Effect.Effect<OidcPerson, OidcFailure>
  }>
>() {}

/** No provider. */
export const NoOidcProvider = Layer.succeed(OidcProvider, Option.none())
