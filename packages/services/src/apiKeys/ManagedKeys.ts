import {
  ApiKey,
  type ApiKeyId,
  type ApiKeyIdentity,
  type CreateApiKey,
  type RotateApiKey,
  type UpdateApiKey
} from "@switchboard/domain/apiKeys/ApiKey"
import {
  covers,
  installationPart,
  type Permissions,
  type RoleName,
  rolePermissions,
  uncovered
} from "@switchboard/domain/apiKeys/Permission"
import { ForbiddenError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option, Redacted } from "effect"
import { checkExpiry } from "../CheckExpiry.js"
import { ApiKeyRepo, type ChangedApiKey } from "./ApiKeyRepo.js"
import { apiKeyEvents, freshKey, hashOf, newApiKey, shownOf } from "./NewApiKey.js"

/** The key that grants or revokes permissions. */
type Granter = Pick<ApiKeyIdentity, "permissions">

/** A key can't grant permissions that it lacks, nor those of the operator, which it may have. */
export const checkGrant = (granter: Granter, requested: Permissions): Effect.Effect<void, ForbiddenError> => {
  if (Object.keys(installationPart(requested)).length > 0) {
    return new ForbiddenError({
      message: "The API key can't grant system.read: run `switchboard keys create --system`"
    })
  }
  const beyond = uncovered(granter.permissions, requested)
  return beyond.length === 0
    ? Effect.void
    : new ForbiddenError({ message: `The API key can't grant permissions that it lacks: ${beyond.join(", ")}` })
}

/**
 * A key can't change a key or a user with more permissions: rotating a key would reveal its value, and a removal would
 * lock out its owner.
 */
export const checkReach = (
  granter: Granter,
  permissions: Permissions,
  changed: "a key" | "a user"
): Effect.Effect<void, ForbiddenError> =>
  covers(granter.permissions, permissions)
    ? Effect.void
    : new ForbiddenError({ message: `The API key can't change ${changed} with more permissions than its own` })

/** A key that manages the keys of its organization. */
export interface KeyManager extends Granter {
  readonly organizationId: OrganizationId
}

/** The permissions that a request sets, directly or by a role; undefined if it sets none. */
const requestedPermissions = ({
  permissions,
  roleName
}: {
  readonly permissions?: Permissions | undefined
  readonly roleName?: RoleName | undefined
}) => permissions ?? (roleName === undefined ? undefined : rolePermissions[roleName])

const unchanged = { rotated: null, removed: false, events: [] } as const

/**
 * The keys of an organization, managed by its own keys. A key can't grant or reach beyond its own permissions, but may
 * change, rotate and remove itself.
 */
export class ManagedKeys extends Effect.Service<ManagedKeys>()("services/ManagedKeys", {
  effect: Effect.gen(function* () {
    const repo = yield* ApiKeyRepo

    const orNotFound = <A>(found: Option.Option<A>, id: ApiKeyId) =>
      Effect.mapError(found, () => new ResourceNotFoundError({ resource: "apiKey", id }))

    /** Changes a key that the manager may change. The check uses the key's permissions under lock. */
    const change = <E>(
      manager: KeyManager,
      id: ApiKeyId,
      decide: (apiKey: ApiKey) => Effect.Effect<ChangedApiKey, E>
    ) =>
      repo
        .change(manager.organizationId, id, (apiKey) =>
          Effect.zipRight(checkReach(manager, apiKey.permissions, "a key"), decide(apiKey))
        )
        .pipe(Effect.flatMap((changed) => orNotFound(changed, id)))

    const get = Effect.fn("ManagedKeys.get")(function* (organization: OrganizationId, id: ApiKeyId) {
      return yield* orNotFound(yield* repo.find(organization, id), id)
    })

    /** Creates a key. Its complete value is in this response only. */
    const create = Effect.fn("ManagedKeys.create")(function* (manager: KeyManager, request: CreateApiKey) {
      const permissions = requestedPermissions(request) ?? {}
      yield* checkExpiry(request.expiresAt)
      yield* checkGrant(manager, permissions)
      const { apiKey, hash, key } = yield* newApiKey({
        name: request.name,
        description: request.description,
        roleName: request.roleName,
        organizationId: manager.organizationId,
        permissions,
        expiresAt: request.expiresAt ?? null,
        value: Option.none()
      })
      yield* repo.insert({ apiKey, hash }, yield* apiKeyEvents("api_key.created", apiKey))
      return new ApiKey({ ...apiKey, key: Redacted.value(key) })
    })

    const update = Effect.fn("ManagedKeys.update")(function* (
      manager: KeyManager,
      id: ApiKeyId,
      request: UpdateApiKey
    ) {
      yield* checkExpiry(request.expiresAt)
      const requested = requestedPermissions(request)
      const { apiKey } = yield* change(manager, id, (present) =>
        Effect.as(requested === undefined ? Effect.void : checkGrant(manager, requested), {
          ...unchanged,
          apiKey: new ApiKey({
            ...present,
            name: request.name ?? present.name,
            description: request.description === undefined ? present.description : (request.description ?? undefined),
            expiresAt: request.expiresAt === undefined ? present.expiresAt : (request.expiresAt ?? undefined),
            isActive: request.isActive ?? present.isActive,
            // A role's name is removed when the permissions are set directly.
            roleName: requested === undefined ? present.roleName : request.roleName,
            permissions:
              requested === undefined ? present.permissions : { ...requested, ...installationPart(present.permissions) }
          })
        })
      )
      return apiKey
    })

    /** Gives a key a new value, which is in this response only. Each replaced value works until its own grace period ends. */
    const rotate = Effect.fn("ManagedKeys.rotate")(function* (
      manager: KeyManager,
      id: ApiKeyId,
      { gracePeriodSeconds = 0 }: RotateApiKey
    ) {
      const key = yield* freshKey
      const now = yield* DateTime.now
      const { apiKey } = yield* change(manager, id, (present) => {
        const rotated = new ApiKey({ ...present, ...shownOf(key) })
        return Effect.map(apiKeyEvents("api_key.rotated", rotated), (events) => ({
          ...unchanged,
          apiKey: rotated,
          rotated: {
            hash: hashOf(key),
            previousUntil: gracePeriodSeconds === 0 ? null : DateTime.add(now, { seconds: gracePeriodSeconds })
          },
          events
        }))
      })
      return new ApiKey({ ...apiKey, key: Redacted.value(key) })
    })

    const remove = Effect.fn("ManagedKeys.remove")(function* (manager: KeyManager, id: ApiKeyId) {
      yield* change(manager, id, (apiKey) =>
        Effect.map(apiKeyEvents("api_key.deleted", apiKey), (events) => ({
          ...unchanged,
          apiKey,
          removed: true,
          events
        }))
      )
    })

    return { get, list: repo.list, create, update, rotate, remove } as const
  })
}) {}
