import { HttpApiBuilder } from "@effect/platform"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { Effect } from "effect"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"
import { ResendApi } from "./ResendApi.js"
import {
  toCreatedDomain,
  toDomainChange,
  toListedDomain,
  toNewDomain,
  toResendDomain,
  withDomainFields
} from "./ResendDomain.js"
import { listOf, resendPage } from "./ResendShapes.js"

export const ResendDomainsHttp = HttpApiBuilder.group(
  ResendApi,
  "domains",
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* Domains
    return yield* handlers
      .handle("create", ({ payload }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const created = Effect.flatMap(toNewDomain(payload), (domain) => domains.create(organizationId, domain))
          return toCreatedDomain(yield* withDomainFields(created))
        })
      )
      .handle("list", ({ urlParams }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return listOf(yield* domains.list(organizationId, {}, yield* resendPage(urlParams)), toListedDomain)
        })
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.zipWith(domains.get(organizationId, id), domains.status(organizationId, id), toResendDomain)
        )
      )
      .handle("verify", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const { domain } = yield* domains.get(organizationId, id)
          yield* domains.verify(organizationId, domain)
          return { object: "domain" as const, id }
        })
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const { domain } = yield* domains.get(organizationId, id)
          yield* withDomainFields(
            Effect.flatMap(toDomainChange(domain, payload), (change) => domains.update(organizationId, id, change))
          )
          return { object: "domain" as const, id }
        })
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.as(domains.remove(organizationId, id), { object: "domain" as const, id, deleted: true as const })
        )
      )
      .pipe(withBodies)
  })
)
