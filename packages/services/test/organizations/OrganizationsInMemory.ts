import { organizationExample } from "@switchboard/api/openapi/examples/AccountExamples"
import { Organization } from "@switchboard/domain/organizations/Organization"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Effect, Layer, Schema } from "effect"

const example = Schema.decodeUnknownSync(Organization)(organizationExample)

/** A repository in which every organization has the same time zone. */
export const organizationsIn = (timezone: string) =>
  Layer.mock(OrganizationRepo, {
    findWithUsage: (id) =>
      Effect.succeedSome(new Organization({ ...example, id, timezone }, { disableValidation: true }))
  })
