import { HttpApiBuilder } from "@effect/platform"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"

export const OrganizationsHttp = HttpApiBuilder.group(
  Api,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    return yield* handlers
      .handle("get", () => Effect.flatMap(CurrentCaller, ({ organizationId }) => organizations.get(organizationId)))
      .handle("update", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => organizations.update(organizationId, payload))
      )
      .pipe(withBodies)
  })
)
