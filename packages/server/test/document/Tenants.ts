import { rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Administration } from "@switchboard/server/Administration"
import { firstSender } from "@switchboard/server/run/FirstStart"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer, Option, Redacted } from "effect"

const makeKey = (organizationId: OrganizationId | null) =>
  Effect.gen(function* () {
    const apiKeys = yield* ApiKeys
    const { key } = yield* apiKeys.create({
      name: "Everything",
      organizationId,
      roleName: "admin",
      permissions: rolePermissions.admin,
      expiresAt: null,
      value: Option.none()
    })
    return Redacted.value(key)
  })

/** Creates a second organization with an admin key, and a key that is bound to no organization. */
export const makeTenants = Effect.gen(function* () {
  const organizations = yield* Organizations
  const { id } = yield* organizations.create({
    name: "Other",
    slug: "other",
    plan: "unlimited",
    sender: firstSender
  })
  return { otherKey: yield* makeKey(id), unboundKey: yield* makeKey(null) }
}).pipe(
  Effect.provide(
    Administration.pipe(Layer.provide(Layer.merge(OrganizationRepoSql, ApiKeyRepoSql)), Layer.provide(TestDatabase))
  )
)
