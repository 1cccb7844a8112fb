import { forwardingExamples } from "@switchboard/api/email/forwarding/ForwardingExamples"
import { ForwardingLog } from "@switchboard/domain/email/forwarding/ForwardingLog"
import type { ForwardingRule } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { page } from "@switchboard/domain/Page"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { ForwardingRuleRepo } from "@switchboard/services/email/forwarding/ForwardingRuleRepo"
import { ForwardingRules } from "@switchboard/services/email/forwarding/ForwardingRules"
import { Effect, Layer, Option, Schema } from "effect"

const [logged] = Schema.decodeUnknownSync(Schema.Array(ForwardingLog))(
  forwardingExamples["forwarding.log"].response.items
)

/** Rules as the use case makes them, kept as long as the test runs, and a log of one entry of their owner. */
export const forwardingInMemory = (owner: OrganizationId) => {
  const rows = new Map<string, ForwardingRule>()
  const find = (organization: OrganizationId, id: string) =>
    Option.filter(Option.fromNullable(rows.get(id)), ({ organizationId }) => organizationId === organization)

  const Repo = Layer.succeed(ForwardingRuleRepo, {
    insert: (rule) => Effect.sync(() => rows.set(rule.id, rule).size > 0),
    list: (organization, { search = "" }, request) =>
      Effect.sync(() => {
        const own = [...rows.values()].filter(
          ({ name, organizationId }) => organizationId === organization && name.includes(search)
        )
        return page(own.reverse(), own.length, request)
      }),
    change: (organization, id, decide) =>
      Option.match(find(organization, id), {
        onNone: () => Effect.succeedNone,
        onSome: (present) =>
          Effect.asSome(Effect.tap(decide(present), (changed) => Effect.sync(() => rows.set(id, changed))))
      }),
    remove: (organization, id) => Effect.sync(() => Option.isSome(find(organization, id)) && rows.delete(id)),
    log: (organization, request) =>
      Effect.succeed(organization === owner && logged !== undefined ? page([logged], 1, request) : page([], 0, request))
  })
  return ForwardingRules.Default.pipe(
    Layer.provide(Repo),
    Layer.provide(Layer.mock(DomainRepo, { findByName: () => Effect.succeedNone }))
  )
}
