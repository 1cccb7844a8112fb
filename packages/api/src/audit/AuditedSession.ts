import { HttpServerRequest } from "@effect/platform"
import type { ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import { AuditLog } from "@switchboard/services/audit/AuditLog"
import { Effect, Option } from "effect"
import { requestMetadata } from "../http/AuthorizationHttp.js"
import { CurrentRequest, HttpSettings, isWithin } from "../http/HttpContext.js"

/**
 * Records operations of browser sessions and of links, which have no API key: the organization is known after the
 * authentication only.
 */
export const auditedSession = Effect.gen(function* () {
  const log = yield* AuditLog
  const { trustedProxies } = yield* HttpSettings
  const isTrusted = isWithin(trustedProxies)

  /** Makes a change with an entry without values. `operation` is the operation id. */
  return <A, E, R>(
    operation: `${"sessions" | "users"}.${string}`,
    { id, organizationId }: Pick<ApiKeyIdentity, "id" | "organizationId">,
    change: Effect.Effect<A, E, R>
  ) =>
    Effect.gen(function* () {
      if (organizationId === null) return yield* change
      const { ipAddress, userAgent } = requestMetadata(yield* HttpServerRequest.HttpServerRequest, isTrusted)
      const current = yield* Effect.serviceOption(CurrentRequest)
      const [resource = operation] = operation.split(".")
      return yield* log.audited(
        {
          organizationId,
          apiKeyId: id,
          operation,
          resource,
          resourceId: null,
          ipAddress,
          userAgent,
          requestId: Option.getOrNull(Option.map(current, ({ requestId }) => requestId))
        },
        change,
        () => Effect.succeed({ resourceId: null, changes: null })
      )
    })
})
