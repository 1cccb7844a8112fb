import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { ForbiddenError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type UpdateUser, User, type UserId } from "@switchboard/domain/users/User"
import { DateTime, Effect, Option } from "effect"
import { checkGrant, checkReach, type KeyManager } from "../apiKeys/ManagedKeys.js"
import { UserRepo } from "./UserRepo.js"

/** A caller that manages the users of its organization. */
export type UserManager = KeyManager

const ownFactor = new ForbiddenError({
  message: "Remove your own second factor with your password and a code: POST /v1/session/totp/remove"
})

/** The users of an organization. A caller can't grant a role with permissions that it lacks, nor change such a user. */
export class Users extends Effect.Service<Users>()("services/Users", {
  effect: Effect.gen(function* () {
    const repo = yield* UserRepo

    const orNotFound = <A>(found: Option.Option<A>, id: UserId) =>
      Effect.mapError(found, () => new ResourceNotFoundError({ resource: "user", id }))

    const checkUser = (manager: UserManager, { roleName }: User) =>
      checkReach(manager, rolePermissions[roleName], "a user")

    const get = Effect.fn("Users.get")(function* (organization: OrganizationId, id: UserId) {
      return yield* orNotFound(yield* repo.find(organization, id), id)
    })

    const update = Effect.fn("Users.update")(function* (manager: UserManager, id: UserId, request: UpdateUser) {
      const updatedAt = yield* DateTime.now
      const changed = yield* repo.change(manager.organizationId, id, (present) =>
        checkUser(manager, present).pipe(
          Effect.zipRight(
            request.roleName === undefined ? Effect.void : checkGrant(manager, rolePermissions[request.roleName])
          ),
          Effect.as({
            user: new User({
              ...present,
              name: request.name ?? present.name,
              roleName: request.roleName ?? present.roleName,
              updatedAt
            }),
            removed: false
          })
        )
      )
      return (yield* orNotFound(changed, id)).user
    })

    /** Removes a user. Its sessions end within a second. */
    const remove = Effect.fn("Users.remove")(function* (manager: UserManager, id: UserId) {
      const changed = yield* repo.change(manager.organizationId, id, (user) =>
        Effect.as(checkUser(manager, user), { user, removed: true })
      )
      yield* orNotFound(changed, id)
    })

    /** Removes the second factor of another user, who lost it. The own one needs the password and a code. */
    const removeTotp = Effect.fn("Users.removeTotp")(function* (
      manager: UserManager & { readonly apiKeyId: ApiKeyId },
      id: UserId
    ) {
      const own = yield* repo.findByApiKey(manager.apiKeyId)
      if (Option.exists(own, ({ user }) => user.id === id)) return yield* ownFactor
      const updatedAt = yield* DateTime.now
      const changed = yield* repo.change(manager.organizationId, id, (present) =>
        checkUser(manager, present).pipe(
          Effect.as({
            user: present.hasTotp ? new User({ ...present, hasTotp: false, updatedAt }) : present,
            removed: false
          })
        )
      )
      yield* orNotFound(changed, id)
    })

    return { get, list: repo.list, update, remove, removeTotp } as const
  })
}) {}
