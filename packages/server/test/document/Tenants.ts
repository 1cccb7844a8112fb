import { installationActions, type Permissions, rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { Administration } from "@switchboard/server/Administration"
import { firstSender } from "@switchboard/server/run/FirstStart"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { NumberRepo } from "@switchboard/services/sms/NumberRepo"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { NumberRepoSql } from "@switchboard/store/sms/NumberRepoSql"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"

/**
 * Creates a second organization with a number and an admin key, a key that is bound to no organization, and one of the first
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
  const { add } = yield* NumberRepo
  yield* add(
    id,
    new SmsNumber({ number: "+15550199999", channels: ["sms", "whatsapp"], createdAt: yield* DateTime.now })
  )
  const [first] = (yield* organizations.list).filter(({ slug }) => slug === "default")
  return {
    otherKey: yield* makeKey(id),
    unboundKey: yield* makeKey(null),
    systemKey: yield* makeKey(first?.id ?? null, installationActions)
  }
}).pipe(
  Effect.provide(
    Layer.merge(
      Administration.pipe(Layer.provide(Layer.merge(OrganizationRepoSql, ApiKeyRepoSql))),
      NumberRepoSql
    ).pipe(Layer.provide(TestDatabase))
  )
)
