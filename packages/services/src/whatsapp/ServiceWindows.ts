import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import {
  type ActivateFreeEntryPoint,
  type ParticipantServiceWindow,
  type ServiceWindow,
  type ServiceWindowFilters,
  ServiceWindowId
} from "@switchboard/domain/whatsapp/ServiceWindow"
import { DateTime, Duration, Effect, Option } from "effect"
import { newId } from "../NewId.js"
import { ServiceWindowRepo, type StoredServiceWindow } from "./ServiceWindowRepo.js"

/** How long a window stays open after an inbound message. */
export const windowDuration = Duration.hours(24)

/** The duration of a free entry point. */
export const entryPointDuration = Duration.hours(72)

/** The end of a window in which free-form messages can be sent: of the service window or the free entry point. */
export const openUntil = (window: Option.Option<StoredServiceWindow>, now: DateTime.Utc): Option.Option<DateTime.Utc> =>
  window.pipe(
    Option.map(({ entryPoint, expiresAt }) =>
      entryPoint === null ? expiresAt : DateTime.max(expiresAt, entryPoint.expiresAt)
    ),
    Option.filter(DateTime.greaterThan(now))
  )

const windowAt = ({ entryPoint, expiresAt, id }: StoredServiceWindow, now: DateTime.Utc): ServiceWindow => ({
  serviceWindowId: id,
  isServiceWindowActive: DateTime.greaterThan(expiresAt, now),
  isFreeEntryPointActive: entryPoint !== null && DateTime.greaterThan(entryPoint.expiresAt, now),
  serviceWindowExpiresAt: expiresAt,
  ...(entryPoint === null ? {} : { freeEntryPointExpiresAt: entryPoint.expiresAt })
})

const participantWindowAt = (stored: StoredServiceWindow, now: DateTime.Utc): ParticipantServiceWindow => ({
  ...windowAt(stored, now),
  participantId: stored.participantId
})

/** The WhatsApp service windows of an organization. */
export class ServiceWindows extends Effect.Service<ServiceWindows>()("services/ServiceWindows", {
  effect: Effect.gen(function* () {
    const repo = yield* ServiceWindowRepo

    const notFound = (id: ServiceWindowId) => new ResourceNotFoundError({ resource: "service window", id })

    /** Opens or renews a participant's window, as an inbound WhatsApp message does. */
    const open = Effect.fn("ServiceWindows.open")(function* (organization: OrganizationId, participant: ParticipantId) {
      const { id, now } = yield* newId(ServiceWindowId)
      const opened = yield* Effect.mapError(
        yield* repo.open(organization, participant, {
          id,
          at: now,
          expiresAt: DateTime.addDuration(now, windowDuration)
        }),
        () => new ResourceNotFoundError({ resource: "participant", id: participant })
      )
      return participantWindowAt(opened, now)
    })

    const get = Effect.fn("ServiceWindows.get")(function* (organization: OrganizationId, id: ServiceWindowId) {
      const found = yield* Effect.mapError(yield* repo.find(organization, id), () => notFound(id))
      return participantWindowAt(found, yield* DateTime.now)
    })

    const list = Effect.fn("ServiceWindows.list")(function* (
      organization: OrganizationId,
      filters: ServiceWindowFilters,
      page: PageRequest
    ) {
      const { items, ...rest } = yield* repo.list(organization, filters, page)
      const now = yield* DateTime.now
      return { ...rest, items: items.map((stored) => participantWindowAt(stored, now)) }
    })

    /** Activates a window's free entry point, unless one is active already. */
    const activate = Effect.fn("ServiceWindows.activate")(function* (
      organization: OrganizationId,
      { serviceWindowId, source }: ActivateFreeEntryPoint
    ) {
      const now = yield* DateTime.now
      const activated = yield* repo.activate(organization, serviceWindowId, (stored) => {
        const { isFreeEntryPointActive, isServiceWindowActive } = windowAt(stored, now)
        if (!isServiceWindowActive) {
          return new ConflictError({ message: "The service window is no longer active", resource: "service window" })
        }
        return Effect.succeed(
          isFreeEntryPointActive
            ? stored.entryPoint
            : { source, expiresAt: DateTime.addDuration(now, entryPointDuration) }
        )
      })
      return windowAt(yield* Effect.mapError(activated, () => notFound(serviceWindowId)), now)
    })

    return { open, get, list, activate } as const
  })
}) {}
