import { randomUUID } from "node:crypto"
import { operatorPermissions } from "@switchboard/domain/apiKeys/Permission"
import { Administration } from "@switchboard/server/Administration"
import { localSender } from "@switchboard/server/run/FirstStart"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { Effect, Layer, Option, Redacted } from "effect"

/** Manages the organizations of a database as the commands do. */
export const administration = Effect.gen(function* () {
  const [apiKeys, organizations] = [yield* ApiKeys, yield* Organizations]

  /** An organization on the plan `unlimited`, with a verified sender and an operator's key. */
  const createOrganization = Effect.gen(function* () {
    const slug = `test-${randomUUID()}`
    const sender = localSender(slug)
    const { id } = yield* organizations.create({ name: "Switchboard", slug, plan: "unlimited", sender })
    const { key } = yield* apiKeys.create({
      name: "First admin key",
      organizationId: id,
      roleName: "admin",
      permissions: operatorPermissions,
      expiresAt: null,
      value: Option.none()
    })
    return { organizationId: id, sender, key: Redacted.value(key) }
  }).pipe(Effect.orDie)

  return { createOrganization }
}).pipe(Effect.provide(Administration.pipe(Layer.provide(Layer.merge(ApiKeyRepoSql, OrganizationRepoSql)))))
