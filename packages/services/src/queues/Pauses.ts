import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { DeliveryChannel } from "@switchboard/domain/system/SystemStatus"
import { DateTime, Effect, Equal, Option, Schedule, Stream, SubscriptionRef } from "effect"
import { logThrottled } from "../LogThrottle.js"
import { type PausedDomain, PauseRepo, type PauseState } from "./PauseRepo.js"

/** How often each process reads the pauses. */
const checkEvery = "1 second"

/** The pauses that apply to a queue. */
export interface QueuePause<Owner> {
  /** The paused owners. Waits while the complete queue is paused or held. */
  readonly pausedOwners: Effect.Effect<ReadonlyArray<Owner>>
  /** The paused domains of mail. Empty in other queues. */
  readonly pausedDomains: Effect.Effect<ReadonlyArray<PausedDomain>>
  /** Returns whether the entries of an owner, or its mail from a domain, are paused or held now. */
  readonly isPaused: Effect.Effect<(owner: string, domainOf?: () => string | undefined) => boolean>
  /** Emits at once, and after every change. Never ends. */
  readonly changes: Stream.Stream<void>
}

/** The organizations with a pause of their own. */
export const pausedOrganizations = ({ pauses }: PauseState): ReadonlyArray<OrganizationId> =>
  pauses.flatMap(({ target }) => (target._tag === "Organization" ? [target.organizationId] : []))

/** Whether the complete delivery of a channel is paused. */
const isChannelPaused = ({ pauses }: PauseState, channel: DeliveryChannel): boolean =>
  pauses.some(({ target }) => target._tag === "Channel" && target.channel === channel)

const describe = ({ domains, isHeld, pauses }: PauseState) => {
  if (isHeld) return 'This is a restored copy: nothing is sent until "switchboard release"'
  const targets = pauses.map(({ target }) =>
    target._tag === "Channel" ? target.channel : `organization ${target.organizationId}`
  )
  return [
    ...(targets.length === 0 ? [] : [`Paused until "switchboard queues resume": ${targets.join(", ")}`]),
    ...(domains.length === 0 ? [] : [`Paused domains: ${domains.map(({ domain }) => domain).join(", ")}`])
  ].join(". ")
}

/** The key of a domain, which several organizations can have. */
const domainKey = (organization: string, domain: string) => `${organization} ${domain}`

/**
 * What this process may send, from the database: pauses hold over restarts and in all processes. Nothing is sent before
 * they were read once. What a service sent after a backup can't be known, so a restored copy sends nothing until an
 * operator releases it, with a time before which waiting messages end without an attempt.
 */
export class Pauses extends Effect.Service<Pauses>()("services/Pauses", {
  scoped: Effect.gen(function* () {
    const repo = yield* PauseRepo
    // None until the first read.
    const known = yield* SubscriptionRef.make(Option.none<PauseState>())

    const refresh = Effect.gen(function* () {
      const state = yield* repo.state
      const before = yield* SubscriptionRef.get(known)
      if (Equal.equals(before, Option.some(state))) return
      yield* SubscriptionRef.set(known, Option.some(state))
      if (state.isHeld || state.pauses.length > 0 || state.domains.length > 0) yield* Effect.logWarning(describe(state))
      else if (Option.isSome(before)) yield* Effect.logInfo("No delivery is paused")
    })
    yield* refresh.pipe(
      Effect.catchAllCause((cause) =>
        logThrottled("pauses", Effect.logWarning("The pauses can't be read: the last known ones apply", cause))
      ),
      Effect.repeat(Schedule.spaced(checkEvery)),
      Effect.forkScoped
    )

    const ofQueue = <Owner extends string = never>(
      channel: DeliveryChannel | null,
      ownersOf: (state: PauseState) => ReadonlyArray<Owner>,
      domainsOf: (state: PauseState) => ReadonlyArray<PausedDomain> = () => []
    ): QueuePause<Owner> => {
      const isStopped = (state: Option.Option<PauseState>) =>
        Option.match(state, {
          onNone: () => true,
          onSome: (one) => one.isHeld || (channel !== null && isChannelPaused(one, channel))
        })
      const owners = Option.match({ onNone: () => [], onSome: ownersOf })
      const domains = Option.match({ onNone: () => [], onSome: domainsOf })
      const pausedOwners: Effect.Effect<ReadonlyArray<Owner>> = Effect.flatMap(known, (state) =>
        isStopped(state)
          ? known.changes.pipe(
              Stream.takeUntil((next) => !isStopped(next)),
              Stream.runDrain,
              Effect.zipRight(Effect.suspend(() => pausedOwners))
            )
          : Effect.succeed(owners(state))
      )
      return {
        pausedOwners,
        pausedDomains: Effect.map(known, domains),
        isPaused: Effect.map(known, (state) => {
          const isStoppedNow = isStopped(state)
          const paused = new Set<string>(owners(state))
          const pausedDomains = new Set(
            domains(state).map(({ domain, organizationId }) => domainKey(organizationId, domain))
          )
          return (owner, domainOf) => {
            if (isStoppedNow || paused.has(owner)) return true
            if (pausedDomains.size === 0) return false
            const domain = domainOf?.()
            return domain !== undefined && pausedDomains.has(domainKey(owner, domain))
          }
        }),
        changes: Stream.map(known.changes, () => undefined)
      }
    }

    return {
      /** Of queues of mail, which are owned by organizations. Forwarded mail has no domain that can be paused. */
      ofMail: ofQueue("email", pausedOrganizations, ({ domains }) => domains),
      /** Of the queue of text messages, which are owned by organizations. */
      ofTexts: ofQueue("sms", pausedOrganizations),
      /** Of the queue of WhatsApp messages, which are owned by organizations. */
      ofWhatsApp: ofQueue("whatsapp", pausedOrganizations),
      /** Of queues of webhooks. The pause of an organization does not apply. */
      ofWebhooks: ofQueue("webhook", () => []),
      /** Of queues that only a hold stops. */
      ofHold: ofQueue(null, () => []),
      /** Whether a message that was due at this time ends without an attempt, in a released copy. */
      isEnded: (dueSince: DateTime.Utc) =>
        Effect.map(
          known,
          Option.exists(({ endedBefore }) => Option.exists(endedBefore, DateTime.greaterThan(dueSince)))
        )
    }
  })
}) {}
