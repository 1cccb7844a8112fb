import { rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationId, OrganizationSummary, type Plan } from "@switchboard/domain/organizations/Organization"
import { Effect, Option, type Redacted } from "effect"
import { ApiKeys } from "../apiKeys/ApiKeys.js"
import { SenderRepo } from "../email/senders/SenderRepo.js"
import { newId } from "../NewId.js"
import { OrganizationRepo } from "./OrganizationRepo.js"

/** The tenants of an installation. */
export class Organizations extends Effect.Service<Organizations>()("services/Organizations", {
  effect: Effect.gen(function* () {
    const repo = yield* OrganizationRepo
    const senders = yield* SenderRepo
    const apiKeys = yield* ApiKeys

    const create = Effect.fn("Organizations.create")(function* (input: {
      readonly name: string
      readonly slug: string
      readonly plan: Plan
      /** The address that it sends from, for which the operator vouches. */
      readonly sender: EmailAddress
    }) {
      const { id, now } = yield* newId(OrganizationId)
      const organization = new OrganizationSummary({
        id,
        name: input.name,
        slug: input.slug,
        plan: input.plan,
        defaultCurrency: "USD",
        isActive: true,
        messagesUsedThisMonth: 0,
        createdAt: now
      })
      yield* repo.insert(organization)
      yield* senders.insertVerified(id, { email: input.sender, name: input.name, replyTo: null })
      return organization
    })

    const setPlan = Effect.fn("Organizations.setPlan")(function* (id: OrganizationId, plan: Plan) {
      if (!(yield* repo.setPlan(id, plan))) return yield* new ResourceNotFoundError({ resource: "organization", id })
    })

    /**
     * Makes an empty installation usable: an organization on the plan `unlimited`, its verified sender, and an admin
     * key. None if there is an organization already, or another process is just making it.
     */
    const bootstrap = Effect.fn("Organizations.bootstrap")(function* (input: {
      readonly sender: EmailAddress
      readonly key: Option.Option<Redacted.Redacted<string>>
    }) {
      if ((yield* repo.list).length > 0) return Option.none()
      const made = yield* Effect.asSome(
        create({ name: "Switchboard", slug: "default", plan: "unlimited", sender: input.sender })
      ).pipe(Effect.catchTag("ConflictError", () => Effect.succeedNone))
      if (Option.isNone(made)) return Option.none()
      const { key } = yield* apiKeys.create({
        name: "First admin key",
        organizationId: made.value.id,
        permissions: rolePermissions.admin,
        expiresAt: null,
        value: input.key
      })
      return Option.some({ organization: made.value, key })
    })

    return { create, list: repo.list, setPlan, bootstrap } as const
  })
}) {}
