import { HttpApiBuilder } from "@effect/platform"
import { Organization } from "@switchboard/domain/organizations/Organization"
import { UpdateOrganization } from "@switchboard/domain/organizations/UpdateOrganization"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { readOptionalBody } from "../Door.js"
import { respond } from "../Respond.js"

const answerOrganization = respond(Organization)

const readUpdate = readOptionalBody(UpdateOrganization)

export const OrganizationsHttp = HttpApiBuilder.group(
  Api,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    return handlers
      .handleRaw("get", () =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(organizations.get(organizationId), (found) => answerOrganization(found))
        )
      )
      .handleRaw("update", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const change = yield* readUpdate
          return answerOrganization(yield* organizations.update(organizationId, change))
        })
      )
  })
)
