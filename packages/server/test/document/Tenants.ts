import { installationActions, type Permissions, rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Administration } from "@switchboard/server/Administration"
import { firstSender } from "@switchboard/server/run/FirstStart"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer, Option, Redacted } from "effect"

/**
 * Creates a second organization with an admin key, a key that is bound to no organization, and one of the first
 * organization with the permission that no request can grant.
 */
export const makeTenants = Effect.gen(function* () {
  const [apiKeys, organizations] = [yield* ApiKeys, yield* Organizations]
  const makeKey = (organizationId: OrganizationId | null, permissions: Permissions = rolePermissions.admin) =>
    Effect.map(
      apiKeys.create({ name: "Limited", organizationId, permissions, expiresAt: null, value: Option.none() }),
      ({ key }) => Redacted.value(key)
    )
  const { id } = yield* organizations.create({ name: "Other", slug: "other", plan: "unlimited", sender: firstSender })
  const [first] = (yield* organizations.list).filter(({ slug }) => slug === "default")
  return {
    otherKey: yield* makeKey(id),
    unboundKey: yield* makeKey(null),
    systemKey: yield* makeKey(first?.id ?? null, installationActions)
  }
}).pipe(
  Effect.provide(
    Administration.pipe(Layer.provide(Layer.merge(OrganizationRepoSql, ApiKeyRepoSql)), Layer.provide(TestDatabase))
  )
)
