import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { addressDomain, addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import {
  type CreateForwardingRule,
  type ForwardingMatch,
  ForwardingRule,
  ForwardingRuleId,
  matchesPattern,
  type UpdateForwardingRule
} from "@switchboard/domain/email/forwarding/ForwardingRule"
import { afterUpdate } from "@switchboard/domain/Fields"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { newId } from "../../NewId.js"
import { DomainRepo } from "../domains/DomainRepo.js"
import { ForwardingRuleRepo } from "./ForwardingRuleRepo.js"

/** Removes repeated addresses; the first spelling stays. */
export const distinctTargets = (given: ReadonlyArray<EmailAddress>): ReadonlyArray<EmailAddress> =>
  [...new Map([...given].reverse().map((address) => [addressKey(address), address])).values()].reverse()

/** The priority of a rule without one. */
const defaultPriority = 100

/** The maximum number of rules of an organization, since every mail is matched against all of them. */
const maxRules = 500

const notFound = (id: ForwardingRuleId) => new ResourceNotFoundError({ resource: "forwarding rule", id })
const conflict = (message: string) => new ConflictError({ message, resource: "forwarding rule" })

/** The forwarding rules of an organization. */
export class ForwardingRules extends Effect.Service<ForwardingRules>()("services/ForwardingRules", {
  effect: Effect.gen(function* () {
    const repo = yield* ForwardingRuleRepo
    const domains = yield* DomainRepo

    /** Whether the rule could match mail to an address, by its recipient pattern alone. */
    const isCaught = (organization: OrganizationId, { recipient }: ForwardingMatch, target: EmailAddress) =>
      recipient === undefined
        ? Effect.map(domains.findByName(organization, addressDomain(target)), Option.isSome)
        : Effect.succeed(matchesPattern(recipient, addressKey(target)))

    /** Fails if the rule would match the mail that it forwards. */
    const checkCycle = Effect.fnUntraced(function* (
      organization: OrganizationId,
      match: ForwardingMatch,
      forwardTo: ReadonlyArray<EmailAddress>
    ) {
      const caught = yield* Effect.filter(forwardTo, (target) => isCaught(organization, match, target))
      if (caught.length === 0) return
      return yield* conflict(`The rule would match the mail that it forwards to ${caught.join(", ")}`)
    })

    const create = Effect.fn("ForwardingRules.create")(function* (
      organization: OrganizationId,
      request: CreateForwardingRule
    ) {
      const { isActive = true, keepCopy = true, match, name, priority = defaultPriority, rewriteFrom = false } = request
      const forwardTo = distinctTargets(request.forwardTo)
      yield* checkCycle(organization, match, forwardTo)
      const { id, now } = yield* newId(ForwardingRuleId)
      const rule = new ForwardingRule(
        {
          ...{ id, organizationId: organization, name, match, forwardTo, keepCopy, rewriteFrom, priority, isActive },
          ...{ matchCount: 0, createdAt: now, updatedAt: now }
        },
        { disableValidation: true }
      )
      if (yield* repo.insert(rule, maxRules)) return rule
      return yield* conflict(`An organization has at most ${maxRules} forwarding rules`)
    })

    const get = Effect.fn("ForwardingRules.get")(function* (organization: OrganizationId, id: ForwardingRuleId) {
      return yield* Effect.mapError(yield* repo.find(organization, id), () => notFound(id))
    })

    /** Changes the given fields. */
    const update = Effect.fn("ForwardingRules.update")(function* (
      organization: OrganizationId,
      id: ForwardingRuleId,
      { forwardTo, ...given }: UpdateForwardingRule
    ) {
      const now = yield* DateTime.now
      const changed = yield* repo.change(organization, id, (present) => {
        const targets = forwardTo === undefined ? present.forwardTo : distinctTargets(forwardTo)
        const after = new ForwardingRule(
          {
            ...present,
            name: given.name ?? present.name,
            match: given.match ?? present.match,
            forwardTo: targets,
            keepCopy: afterUpdate(given.keepCopy, present.keepCopy, true),
            rewriteFrom: afterUpdate(given.rewriteFrom, present.rewriteFrom, false),
            priority: afterUpdate(given.priority, present.priority, defaultPriority),
            isActive: afterUpdate(given.isActive, present.isActive, true),
            updatedAt: now
          },
          { disableValidation: true }
        )
        return Effect.as(checkCycle(organization, after.match, after.forwardTo), after)
      })
      return yield* Effect.mapError(changed, () => notFound(id))
    })

    const remove = Effect.fn("ForwardingRules.remove")(function* (organization: OrganizationId, id: ForwardingRuleId) {
      if (!(yield* repo.remove(organization, id))) return yield* notFound(id)
    })

    return { list: repo.list, create, get, update, remove, log: repo.log } as const
  })
}) {}
