import { organizationExample } from "@switchboard/api/organizations/OrganizationExamples"
import { ConflictError } from "@switchboard/domain/Errors"
import { Organization, type OrganizationId } from "@switchboard/domain/organizations/Organization"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Effect, Layer, Option, Schema } from "effect"

const decode = Schema.decodeUnknownSync(Organization)
const encode = Schema.encodeSync(Organization)
const example = decode(organizationExample)

/** Organizations that are all like the example, until they change themselves. The slug `taken` is taken. */
export const organizationsInMemory = () => {
  const rows = new Map<OrganizationId, Organization>()
  const find = (id: OrganizationId) => rows.get(id) ?? new Organization({ ...example, id })
  return Organizations.Default.pipe(
    Layer.provide(
      Layer.mock(OrganizationRepo, {
        findWhole: (id) => Effect.sync(() => Option.some(find(id))),
        update: (id, change) =>
          Effect.suspend(() => {
            if (change.slug === "taken") {
              return new ConflictError({ message: "The slug taken is taken", resource: "organization" })
            }
            const changed = Object.entries({ ...encode(find(id)), ...change }).filter(([, value]) => value !== null)
            rows.set(id, decode(Object.fromEntries(changed)))
            return Effect.succeedSome(find(id))
          })
      })
    )
  )
}
