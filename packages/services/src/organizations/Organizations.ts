import { operatorPermissions } from "@switchboard/domain/apiKeys/Permission"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import {
  OrganizationId,
  OrganizationSummary,
  type Plan,
  type UpdateOrganization
} from "@switchboard/domain/organizations/Organization"
import { type Context, Effect, Option, type Redacted } from "effect"
import { newApiKey } from "../apiKeys/NewApiKey.js"
import type { VerifiedSender } from "../email/senders/SenderRepo.js"
import { newId } from "../NewId.js"
import { sharedLookup } from "../SharedLookup.js"
import { OrganizationRepo } from "./OrganizationRepo.js"

/** A process marks an organization at most once in this time. The mark of a new month is delayed by at most as long. */
const markInterval = "1 minute"

/**
 * Stores the event that an organization exceeded its plan, once a month. Called by every send rejected for that reason;
 * a failure is logged and does not change the response.
 */
export const usageExceeded = (repo: Context.Tag.Service<OrganizationRepo>) =>
  Effect.map(
    sharedLookup({
      capacity: 10_000,
      timeToLive: markInterval,
      lookup: (organization: OrganizationId) => repo.markExceeded(organization),
      idOf: (organization) => organization
    }),
    (marked) => (organization: OrganizationId) =>
      Effect.catchAllCause(marked.get(organization), (cause) =>
        Effect.logWarning("The event of an exceeded plan could not be stored", cause)
      )
  )

/** The fields of a new organization. */
interface OrganizationInput {
  readonly name: string
  readonly slug: string
  readonly plan: Plan
  /** The sender address, verified without confirmation. */
  readonly sender: EmailAddress
}

const newOrganization = ({ name, plan, sender: email, slug }: OrganizationInput) =>
  Effect.map(newId(OrganizationId), ({ id, now }) => {
    const organization = new OrganizationSummary({
      id,
      name,
      slug,
      plan,
      defaultCurrency: "USD",
      isActive: true,
      messagesUsedThisMonth: 0,
      createdAt: now
    })
    const sender: VerifiedSender = { email, name, replyTo: null }
    return { organization, sender }
  })

/** The organizations of an installation. */
export class Organizations extends Effect.Service<Organizations>()("services/Organizations", {
  effect: Effect.gen(function* () {
    const repo = yield* OrganizationRepo

    const create = Effect.fn("Organizations.create")(function* (input: OrganizationInput) {
      const { organization, sender } = yield* newOrganization(input)
      yield* repo.insert(organization, sender)
      return organization
    })

    const notFound = (id: OrganizationId) => new ResourceNotFoundError({ resource: "organization", id })

    /** An organization with its current usage. */
    const get = Effect.fn("Organizations.get")(function* (id: OrganizationId) {
      const found = yield* repo.findWithUsage(id)
      return yield* Effect.mapError(found, () => notFound(id))
    })

    /** Changes the given fields. An empty change has no event. */
    const update = Effect.fn("Organizations.update")(function* (id: OrganizationId, change: UpdateOrganization) {
      if (Object.values(change).every((value) => value === undefined)) return yield* get(id)
      const updated = yield* repo.update(id, change)
      return yield* Effect.mapError(updated, () => notFound(id))
    })

    const setPlan = Effect.fn("Organizations.setPlan")(function* (id: OrganizationId, plan: Plan) {
      if (!(yield* repo.setPlan(id, plan))) return yield* notFound(id)
    })

    /**
     * Creates the first organization on the plan `unlimited`, with a verified sender and an operator's key, in one
     * transaction. None if an organization exists or another process is creating it. The key is shown before the
     * commit: if the commit fails, the next start shows another key.
     */
    const bootstrap = Effect.fn("Organizations.bootstrap")(function* <E, R>(input: {
      readonly sender: EmailAddress
      readonly key: Option.Option<Redacted.Redacted<string>>
      readonly show: (key: Redacted.Redacted<string>) => Effect.Effect<void, E, R>
    }) {
      const { organization, sender } = yield* newOrganization({
        name: "Switchboard",
        slug: "default",
        plan: "unlimited",
        sender: input.sender
      })
      const { key, ...storable } = yield* newApiKey({
        name: "First admin key",
        organizationId: organization.id,
        permissions: operatorPermissions,
        expiresAt: null,
        value: input.key
      })
      return (yield* repo.insertFirst(organization, sender, storable, input.show(key)))
        ? Option.some({ organization, key, apiKeyId: storable.apiKey.id })
        : Option.none()
    })

    return { create, list: repo.list, get, update, setPlan, bootstrap } as const
  })
}) {}
