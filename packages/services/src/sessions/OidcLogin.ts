import { hash } from "node:crypto"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { AddressParameter } from "@switchboard/domain/email/EmailAddress"
import { UserName } from "@switchboard/domain/users/User"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { PublicUrl } from "../PublicUrl.js"
import { RateLimits } from "../rateLimits/RateLimits.js"
import { InvitationRepo, type StoredInvitation } from "../users/InvitationRepo.js"
import { Invitations } from "../users/Invitations.js"
import { type OidcAccount, type StoredUser, UserRepo } from "../users/UserRepo.js"
import { freshToken, isToken, tokenHash } from "./LoginLinks.js"
import { OidcFailure, type OidcPerson, OidcProvider } from "./OidcProvider.js"
import { SessionRepo } from "./SessionRepo.js"
import { Sessions } from "./Sessions.js"

/** The path of the redirect URI. */
export const oidcCallbackPath = "/v1/session/oidc/callback"

/** The minutes within which a log-in at the provider must end. */
export const oidcLoginMinutes = 10

const noProvider = new ResourceNotFoundError({ resource: "oidc", id: "current" })

const invalid = (message: string) => new OidcFailure({ reason: "invalid", message })

const parseAddress = Schema.decodeOption(AddressParameter)
const parseName = Schema.decodeOption(UserName)

/** The name of a new user: that of the provider, else that of the invitation, else the address. */
const nameOf = ({ name }: OidcPerson, { email, name: invited }: StoredInvitation["invitation"]) =>
  Option.flatMap(name, parseName).pipe(Option.getOrElse(() => invited ?? email))

/** Log-ins of people at a provider of OpenID Connect. */
export class OidcLogin extends Effect.Service<OidcLogin>()("services/OidcLogin", {
  effect: Effect.gen(function* () {
    const configured = yield* OidcProvider
    const publicUrl = yield* PublicUrl
    const repo = yield* SessionRepo
    const sessions = yield* Sessions
    const users = yield* UserRepo
    const invitationRepo = yield* InvitationRepo
    const invitations = yield* Invitations
    const limits = yield* RateLimits

    const provider = Effect.mapError(configured, () => noProvider)

    /**
     * The values of a log-in. The token of the browser is the code verifier, and its hash is the nonce, as OpenID Connect
     * Core section 15.5.2 suggests: neither is stored.
     */
    const checksOf = (state: Redacted.Redacted<string>, browser: Redacted.Redacted<string>) => ({
      redirectUri: `${publicUrl}${oidcCallbackPath}`,
      state,
      nonce: hash("sha256", `nonce ${Redacted.value(browser)}`, "base64url"),
      verifier: browser
    })

    /** Logs why a log-in failed: the page shows only the reason. */
    const logged = <A, E>(login: Effect.Effect<A, E | OidcFailure>) =>
      Effect.tapError(login, (error) =>
        error instanceof OidcFailure
          ? Effect.logWarning(`A log-in with OpenID Connect failed (${error.reason}): ${error.message}`)
          : Effect.void
      )

    /** Begins a log-in: returns the URL of the provider, and the token of the browser. */
    const begin = Effect.fn("OidcLogin.begin")(function* () {
      const { authorizationUrl } = yield* provider
      const [state, browser] = [yield* freshToken, yield* freshToken]
      const url = yield* logged(authorizationUrl(checksOf(state, browser)))
      const expiresAt = DateTime.add(yield* DateTime.now, { minutes: oidcLoginMinutes })
      yield* repo.insertOidcLogin({ stateHash: tokenHash(state), browserHash: tokenHash(browser), expiresAt })
      return { url, browser } as const
    })

    /** Starts a session of a user. */
    const logIn = Effect.fnUntraced(function* ({ organizationId, user }: StoredUser, account: OidcAccount) {
      yield* limits.request(organizationId)
      const { stored: session, ...started } = yield* sessions.begin
      if (yield* users.logInWithOidc(user.id, account, session)) return { ...started, isNewUser: false }
      return yield* invalid("The user is bound to another account of the provider")
    })

    /** Creates the user of an invitation, without a password, and starts a session. */
    const accept = Effect.fnUntraced(function* (stored: StoredInvitation, person: OidcPerson) {
      const name = nameOf(person, stored.invitation)
      const created = yield* invitations
        .createUser(stored, { name, passwordHash: Option.none(), oidcAccount: Option.some(person.account) })
        .pipe(Effect.catchTag("ConflictError", ({ message }) => invalid(message)))
      const started = yield* Effect.mapError(created, () => invalid("The invitation was accepted before"))
      return { ...started, isNewUser: true }
    })

    /** The session of a person: of the user that is bound to the account, else by the verified address. */
    const start = Effect.fnUntraced(function* (person: OidcPerson) {
      const bound = yield* users.findByOidcAccount(person.account)
      if (Option.isSome(bound)) return yield* logIn(bound.value, person.account)
      const address = Option.flatMap(person.email, parseAddress)
      if (Option.isNone(address) || !person.isEmailVerified) {
        return yield* new OidcFailure({ reason: "unverified_email", message: "The address is not verified" })
      }
      const known = yield* users.findByEmail(address.value)
      if (Option.isSome(known)) return yield* logIn(known.value, person.account)
      const invited = yield* invitationRepo.findByEmail(address.value)
      if (Option.isSome(invited)) return yield* accept(invited.value, person)
      return yield* new OidcFailure({ reason: "unknown_user", message: "No user or invitation has the address" })
    })

    /**
     * Ends a log-in with the response of the provider, once, in the browser in which it began: a response that another
     * page leads a browser to would log that browser in as another person.
     */
    const finish = Effect.fn("OidcLogin.finish")(function* (
      response: URLSearchParams,
      browser: Redacted.Redacted<string>
    ) {
      const { authenticate } = yield* provider
      const state = Redacted.make(response.get("state") ?? "")
      const login = { stateHash: tokenHash(state), browserHash: tokenHash(browser) }
      if (!isToken(state) || !isToken(browser) || !(yield* repo.endOidcLogin(login))) {
        return yield* invalid("The log-in is unknown, ended before or has expired")
      }
      // Without a known state any request could fill the log.
      return yield* logged(Effect.flatMap(authenticate(response, checksOf(state, browser)), start))
    })

    return { name: Option.map(configured, ({ name }) => name), begin, finish } as const
  })
}) {}
