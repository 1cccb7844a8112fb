import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Deferred, Effect, Metric } from "effect"
import { smallBody } from "../../Annotations.js"
import { HttpSettings } from "../HttpContext.js"

/** The share of the budget for all large bodies. The rest is for small ones. */
const largeShare = 3 / 4

/** The shares of the budget for one owner. The difference is left for its small bodies. */
const ownerShare = { small: 1 / 2, large: 3 / 8 }

/** The maximum time that a body waits for memory. */
const waitTimeout = "5 seconds"

/** The error of a body without memory. */
export const exhausted = new ServiceUnavailableError({
  message: "Too many request bodies are being read; try again",
  retryAfterSeconds: 1
})

const reservedBytes = Metric.gauge("switchboard_request_body_bytes", {
  description: "Memory reserved for request bodies, in bytes"
})

/** Memory reserved for one body. */
export interface Reservation {
  readonly bytes: () => number
  /** Changes the reservation to `bytes`. Returns false and changes nothing if the budget is exhausted. */
  readonly resize: (bytes: number) => boolean
  readonly release: () => void
}

interface Waiter {
  readonly owner: string
  readonly bytes: number
  readonly granted: Deferred.Deferred<void>
  reservation: Reservation | null
}

/** Counts reserved bytes. `owner` is the id of an organization, or empty. */
const counter = (budget: number) => {
  const owned = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let reserved = 0

  const hasRoom = (bytes: number) => reserved + bytes <= budget * (bytes > smallBody ? largeShare : 1)

  const isWithinOwnerShare = (owner: string, bytes: number) => {
    const own = owned.get(owner) ?? 0
    return own === 0 || own + bytes <= budget * (bytes > smallBody ? ownerShare.large : ownerShare.small)
  }

  const add = (owner: string, bytes: number) => {
    const own = (owned.get(owner) ?? 0) + bytes
    if (own === 0) owned.delete(owner)
    else owned.set(owner, own)
    reserved += bytes
    reservedBytes.unsafeUpdate(reserved, [])
  }

  /** Grants in the order of arrival. A large body that waits blocks later large ones, so that it is not starved. */
  const grantWaiting = () => {
    let isLargeBlocked = false
    for (const waiter of waiting) {
      const { bytes, granted, owner } = waiter
      const isLarge = bytes > smallBody
      if (!isWithinOwnerShare(owner, bytes) || (isLarge && isLargeBlocked)) continue
      if (hasRoom(bytes)) {
        waiting.delete(waiter)
        waiter.reservation = take(owner, bytes)
        Deferred.unsafeDone(granted, Effect.void)
      } else if (isLarge) isLargeBlocked = true
    }
  }

  const take = (owner: string, size: number): Reservation => {
    let bytes = size
    add(owner, bytes)
    return {
      bytes: () => bytes,
      resize: (next) => {
        if (next === bytes) return true
        add(owner, -bytes)
        const fits = next <= bytes || (hasRoom(next) && isWithinOwnerShare(owner, next))
        if (fits) bytes = next
        add(owner, bytes)
        if (fits) grantWaiting()
        return fits
      },
      release: () => {
        if (bytes === 0) return
        add(owner, -bytes)
        bytes = 0
        grantWaiting()
      }
    }
  }

  /** Reserves memory. Null if the body must wait. */
  const tryReserve = (owner: string, bytes: number): Reservation | null =>
    hasRoom(bytes) && isWithinOwnerShare(owner, bytes) ? take(owner, bytes) : null

  const awaitReservation = Effect.fnUntraced(function* (owner: string, bytes: number) {
    const waiter: Waiter = { owner, bytes, granted: yield* Deferred.make<void>(), reservation: null }
    waiting.add(waiter)
    const withdraw = Effect.sync(() => {
      waiting.delete(waiter)
      waiter.reservation?.release()
    })
    yield* Deferred.await(waiter.granted).pipe(
      Effect.timeoutOption(waitTimeout),
      Effect.interruptible,
      Effect.onInterrupt(() => withdraw)
    )
    waiting.delete(waiter)
    return waiter.reservation ?? (yield* exhausted)
  })

  return { tryReserve, awaitReservation }
}

/** The part of a response that signals its end. */
interface Closable {
  readonly destroyed: boolean
  once(event: "close", listener: () => void): unknown
}

/**
 * Releases a reservation when the response is sent or its connection is lost. The scope of the request cannot be used:
 * the platform does not close it if it responds on a lost connection.
 */
const releaseWith =
  (response: Closable) =>
  (reservation: Reservation): Reservation => {
    if (response.destroyed) reservation.release()
    else response.once("close", reservation.release)
    return reservation
  }

/** The memory budget of the process for request bodies. Memory is reserved before a body is read. */
export class BodyBudget extends Effect.Service<BodyBudget>()("api/BodyBudget", {
  effect: Effect.map(HttpSettings, ({ bodyMemory }) => {
    const budget = counter(bodyMemory)

    /** Reserves memory for a body until its response closes. Waits up to 5 seconds for memory, then fails with 503. */
    const reserve = (
      owner: string,
      bytes: number,
      response: Closable
    ): Effect.Effect<Reservation, ServiceUnavailableError> =>
      Effect.suspend(() => {
        const reserved = budget.tryReserve(owner, bytes)
        return reserved === null
          ? budget.awaitReservation(owner, bytes).pipe(Effect.map(releaseWith(response)), Effect.uninterruptible)
          : Effect.succeed(releaseWith(response)(reserved))
      })

    return { reserve } as const
  })
}) {}
