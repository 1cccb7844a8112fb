import { ConflictError, type ServiceUnavailableError } from "@switchboard/domain/Errors"
import {
  type DomainPause,
  type PauseBounds,
  pauseWindow,
  requiredPause
} from "@switchboard/domain/email/domains/DomainPause"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, DateTime, Duration, Effect, Equal, Option } from "effect"
import type { ScheduledJob } from "../../ScheduledJob.js"
import { describeDomain, domainEvent, domainNotFound } from "./DomainChecks.js"
import { type DomainFigures, DomainPauseRepo } from "./DomainPauseRepo.js"
import { type ChangedDomain, DomainRepo, MailRouting, type StoredDomain } from "./DomainRepo.js"

/** `DOMAIN_PAUSE_BOUNCE_RATE`, `DOMAIN_PAUSE_COMPLAINT_RATE` and `DOMAIN_PAUSE_MIN_MESSAGES`. */
export class DomainPauseBounds extends Context.Tag("services/DomainPauseBounds")<DomainPauseBounds, PauseBounds>() {}

const conflict = (message: string) => new ConflictError({ message, resource: "domain" })

const paused = (present: StoredDomain, pause: DomainPause, route: typeof MailRouting.Service) => {
  const domain: StoredDomain = { ...present, pause, updatedAt: pause.pausedAt }
  return Effect.map(
    domainEvent("email_domain.paused", domain, route),
    (event): ChangedDomain => ({ domain, newKey: null, events: [event] })
  )
}

/** Pauses mail from a domain, and resumes it. Mail of a paused domain is accepted, and waits. */
export class DomainPauses extends Effect.Service<DomainPauses>()("services/DomainPauses", {
  effect: Effect.gen(function* () {
    const repo = yield* DomainPauseRepo
    const domains = yield* DomainRepo
    const route = yield* MailRouting

    const change = (
      organization: OrganizationId,
      id: EmailDomainId,
      decide: (present: StoredDomain) => Effect.Effect<ChangedDomain, ConflictError>
    ) =>
      Effect.flatMap(domains.change(organization, id, decide), (changed) =>
        Effect.mapBoth(changed, {
          onFailure: () => domainNotFound(id),
          onSuccess: ({ domain }) => describeDomain(domain, route)
        })
      )

    /** Pauses a domain by a request. */
    const pause = Effect.fn("DomainPauses.pause")(function* (organization: OrganizationId, id: EmailDomainId) {
      const pausedAt = yield* DateTime.now
      return yield* change(organization, id, (present) =>
        present.pause === null
          ? paused(present, { reason: "manual", pausedAt }, route)
          : conflict("The domain is paused already")
      )
    })

    /**
     * Ends the pause of a domain. The first of its mails are due at once; a worker releases the others. The figures begin
     * anew, so that earlier mail does not pause the domain again.
     */
    const resume = Effect.fn("DomainPauses.resume")(function* (organization: OrganizationId, id: EmailDomainId) {
      const resumedAt = yield* DateTime.now
      const resumed = yield* change(organization, id, (present) => {
        if (present.pause === null) return conflict("The domain is not paused")
        const domain: StoredDomain = { ...present, pause: null, resumedAt, updatedAt: resumedAt }
        return Effect.map(domainEvent("email_domain.resumed", domain, route), (event) => ({
          domain,
          newKey: null,
          events: [event],
          clearsFigures: true
        }))
      })
      yield* Effect.catchTag(repo.release, "ServiceUnavailableError", (error) =>
        Effect.logWarning("The mail of a resumed domain waits for a worker", error)
      )
      return resumed
    })

    return { pause, resume } as const
  })
}) {}

/** How long figures are stored: longer than they count. */
const figureRetention = { days: 2 }

const percent = (share = 0) => `${Math.round(share * 1000) / 10} %`

const logPause = ({ domain, organizationId }: StoredDomain, { bound, messages, rate, reason }: DomainPause) =>
  Effect.logWarning(
    `Mail from ${domain} waits until the domain is resumed: ${reason} of ${percent(rate)} of ${messages} messages, the bound is ${percent(bound)}`
  ).pipe(Effect.annotateLogs({ organizationId }))

/**
 * Pauses domains whose bounces or complaints reach a bound, and releases the mail of resumed ones. A domain is locked for
 * the decision, so that one process pauses it, and not by figures from before a resumption.
 */
export const pauseDomains = Effect.gen(function* () {
  const repo = yield* DomainPauseRepo
  const domains = yield* DomainRepo
  const route = yield* MailRouting
  const bounds = yield* DomainPauseBounds

  const release: Effect.Effect<number, ServiceUnavailableError> = Effect.flatMap(repo.release, (count) =>
    count === 0 ? Effect.succeed(0) : Effect.map(release, (rest) => count + rest)
  )

  /** Pauses a domain, unless it was paused or resumed since its figures were read. */
  const apply = ({ id, organizationId, resumedAt }: DomainFigures, pause: DomainPause) =>
    domains
      .change(organizationId, id, (present) =>
        present.pause === null && Equal.equals(present.resumedAt, resumedAt)
          ? paused(present, pause, route)
          : Effect.succeed<ChangedDomain>({ domain: present, newKey: null, events: [] })
      )
      .pipe(
        Effect.tap(
          Option.match({
            onNone: () => Effect.void,
            onSome: ({ domain, events }) => (events.length === 0 ? Effect.void : logPause(domain, pause))
          })
        ),
        // Only a change of the status fails so.
        Effect.catchTag("ConflictError", Effect.die)
      )

  const isOff = Option.isNone(bounds.bounceRate) && Option.isNone(bounds.complaintRate)

  const round = Effect.gen(function* () {
    const now = yield* DateTime.now
    const released = yield* release
    yield* repo.deleteFigures(DateTime.subtract(now, figureRetention))
    if (isOff) return released
    const since = DateTime.subtractDuration(now, Duration.decode(pauseWindow))
    const figures = yield* repo.figures(since, Math.max(1, bounds.minMessages))
    const required = figures.flatMap((one) =>
      Option.match(requiredPause(one, bounds, now), { onNone: () => [], onSome: (pause) => [{ one, pause }] })
    )
    yield* Effect.forEach(required, ({ one, pause }) => apply(one, pause), { discard: true })
    return released + required.length
  })

  const job: ScheduledJob = { what: "Pausing and resuming domains", every: "5 seconds", round }
  return job
})
