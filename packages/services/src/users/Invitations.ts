import { rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { ConflictError, ForbiddenError, ResourceNotFoundError, UnauthorizedError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  type AcceptInvitation,
  type CreateInvitation,
  User,
  UserId,
  UserInvitation,
  UserInvitationId,
  UserReference
} from "@switchboard/domain/users/User"
import { DateTime, Effect, Option, Redacted } from "effect"
import { checkGrant } from "../apiKeys/ManagedKeys.js"
import { newApiKey } from "../apiKeys/NewApiKey.js"
import type { Caller } from "../messages/SendContext.js"
import { newId } from "../NewId.js"
import { tokenHash } from "../sessions/LoginLinks.js"
import { Sessions } from "../sessions/Sessions.js"
import { InvitationRepo, type NewUser, type StoredInvitation } from "./InvitationRepo.js"
import { checkPassword, Passwords } from "./Passwords.js"
import { UserMails } from "./UserMails.js"
import { UserRepo } from "./UserRepo.js"
import type { UserManager } from "./Users.js"

/** The days for which an invitation is valid. */
const invitationDays = 7

const invalidInvitation = new UnauthorizedError({
  message: `The invitation was withdrawn or replaced, or is older than ${invitationDays} days`
})

const usedInvitation = new ConflictError({
  message: "The invitation was accepted before: log in with your e-mail address and password",
  resource: "invitation"
})

const changedManager = new ForbiddenError({ message: "The permissions of the caller have changed: repeat the request" })

/** Invitations to an organization. Only the hash of an invitation's token is stored. */
export class Invitations extends Effect.Service<Invitations>()("services/Invitations", {
  effect: Effect.gen(function* () {
    const repo = yield* InvitationRepo
    const users = yield* UserRepo
    const passwords = yield* Passwords
    const sessions = yield* Sessions
    const mails = yield* UserMails

    const orNotFound = <A>(found: Option.Option<A>, id: UserInvitationId) =>
      Effect.mapError(found, () => new ResourceNotFoundError({ resource: "invitation", id }))

    /** The user who makes an invitation; none for an API key. */
    const inviterOf = ({ apiKeyId }: Caller) =>
      Effect.map(users.findByApiKey(apiKeyId), (found) =>
        Option.getOrUndefined(
          Option.map(found, ({ user: { email, id, name } }) => new UserReference({ id, email, name }))
        )
      )

    /**
     * Creates an invitation and mails its link. The link is in this response only; the token is in the fragment, as in
     * log-in links.
     */
    const create = Effect.fn("Invitations.create")(function* (
      manager: Caller & UserManager,
      { email, name, roleName }: CreateInvitation
    ) {
      yield* checkGrant(manager, rolePermissions[roleName])
      const invitedBy = yield* inviterOf(manager)
      const { id, now: createdAt } = yield* newId(UserInvitationId)
      const expiresAt = DateTime.add(createdAt, { days: invitationDays })
      const invitation = new UserInvitation({ id, email, name, roleName, invitedBy, createdAt, expiresAt })
      const { nonce, token } = yield* mails.newToken(manager.organizationId, id)
      const key = { id: manager.apiKeyId, permissions: manager.permissions }
      const isStored = yield* repo.insert({ invitation, organizationId: manager.organizationId }, tokenHash(token), key)
      if (!isStored) return yield* changedManager
      const isMailed = yield* mails.send(manager, {
        to: email,
        page: "invitation",
        subjectId: id,
        nonce,
        subject: "Invitation to Switchboard",
        before: `You were invited to an account of Switchboard, which sends messages. Accept within ${invitationDays} days:`,
        after: "If you did not expect this mail, ignore it: no account is made."
      })
      return new UserInvitation({ ...invitation, url: mails.urlOf("invitation", Redacted.value(token)), isMailed })
    })

    const get = Effect.fn("Invitations.get")(function* (organization: OrganizationId, id: UserInvitationId) {
      return yield* orNotFound(yield* repo.find(organization, id), id)
    })

    const remove = Effect.fn("Invitations.remove")(function* (organization: OrganizationId, id: UserInvitationId) {
      if (!(yield* repo.remove(organization, id))) return yield* orNotFound(Option.none(), id)
    })

    /** Creates the user of an invitation and starts a session. None if the invitation was accepted before. */
    const createUser = Effect.fnUntraced(function* (
      { invitation: { email, id: invitationId, roleName }, organizationId }: StoredInvitation,
      { name, oidcAccount, passwordHash }: Pick<NewUser, "oidcAccount" | "passwordHash"> & Pick<User, "name">
    ) {
      // The value of the key is not returned: no request can have it.
      const { apiKey, hash } = yield* newApiKey({
        name: "User",
        roleName,
        organizationId,
        permissions: rolePermissions[roleName],
        expiresAt: null,
        value: Option.none()
      })
      const { id, now } = yield* newId(UserId)
      const user = new User({
        id,
        email,
        name,
        roleName,
        hasPassword: Option.isSome(passwordHash),
        hasTotp: false,
        createdAt: now,
        updatedAt: now
      })
      const { stored: session, ...started } = yield* sessions.begin
      const isAccepted = yield* repo.accept(invitationId, {
        user,
        passwordHash,
        oidcAccount,
        key: { apiKey, hash },
        session
      })
      return isAccepted ? Option.some(started) : Option.none()
    })

    /** Accepts an invitation with a password. Only the first acceptance succeeds. */
    const accept = Effect.fn("Invitations.accept")(function* ({ name, password: given, token }: AcceptInvitation) {
      const password = Redacted.make(given)
      const found = yield* Effect.mapError(
        yield* repo.findByToken(tokenHash(Redacted.make(token))),
        () => invalidInvitation
      )
      if (found.isAccepted) return yield* usedInvitation
      yield* checkPassword(password, found.invitation.email, "password")
      const passwordHash = Option.some(yield* passwords.hash(password))
      const created = yield* createUser(found, { name, passwordHash, oidcAccount: Option.none() })
      return yield* Effect.mapError(created, () => usedInvitation)
    })

    return { create, get, list: repo.list, remove, createUser, accept } as const
  })
}) {}
