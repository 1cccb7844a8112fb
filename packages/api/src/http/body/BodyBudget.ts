import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Deferred, Effect, Metric } from "effect"
import { smallBody } from "../../Annotations.js"
import { HttpSettings } from "../HttpSettings.js"

/** The part of the budget that large bodies may have together: the rest is for small ones. */
const largePart = 3 / 4

/** The parts of the budget that one owner may have: an owner's large bodies leave room for its small ones. */
const ownerPart = { small: 1 / 2, large: 3 / 8 }

/** How long a body waits for room. */
const waitTimeout = "5 seconds"

/** The response where there is no room. */
export const exhausted = new ServiceUnavailableError({
  message: "Too many request bodies are being read; try again",
  retryAfterSeconds: 1
})

const reservedBytes = Metric.gauge("switchboard_request_body_bytes", {
  description: "Memory that is reserved for request bodies"
})

/** Memory that is reserved for one body. */
export interface Reservation {
  readonly bytes: () => number
  /** Reserves this many bytes in place of what is reserved, if there is room. */
  readonly resize: (bytes: number) => boolean
  readonly release: () => void
}

interface Waiter {
  readonly owner: string
  readonly bytes: number
  readonly granted: Deferred.Deferred<void>
  reservation: Reservation | null
}

/** Counts bytes; `owner` is an organization, or empty without one. */
const counter = (budget: number) => {
  const owned = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let reserved = 0

  const room = (bytes: number) => reserved + bytes <= budget * (bytes > smallBody ? largePart : 1)

  const isOwnersTurn = (owner: string, bytes: number) => {
    const own = owned.get(owner) ?? 0
    return own === 0 || own + bytes <= budget * (bytes > smallBody ? ownerPart.large : ownerPart.small)
  }

  const add = (owner: string, bytes: number) => {
    const own = (owned.get(owner) ?? 0) + bytes
    if (own === 0) owned.delete(owner)
    else owned.set(owner, own)
    reserved += bytes
    reservedBytes.unsafeUpdate(reserved, [])
  }

  /** Grants in the order of arrival. A large body that lacks room holds back the large ones behind it. */
  const grantWaiting = () => {
    let isLargeHeldBack = false
    for (const waiter of waiting) {
      const { bytes, granted, owner } = waiter
      const isLarge = bytes > smallBody
      if (!isOwnersTurn(owner, bytes) || (isLarge && isLargeHeldBack)) continue
      if (room(bytes)) {
        waiting.delete(waiter)
        waiter.reservation = take(owner, bytes)
        Deferred.unsafeDone(granted, Effect.void)
      } else if (isLarge) isLargeHeldBack = true
    }
  }

  const take = (owner: string, size: number): Reservation => {
    let bytes = size
    add(owner, bytes)
    return {
      bytes: () => bytes,
      resize: (next) => {
        add(owner, -bytes)
        const fits = next <= bytes || (room(next) && isOwnersTurn(owner, next))
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

  const reserve = Effect.fnUntraced(function* (owner: string, bytes: number) {
    if (room(bytes) && isOwnersTurn(owner, bytes)) return take(owner, bytes)
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

  return { reserve }
}

/** The response of a request, as far as its end is observed. */
interface Closable {
  readonly destroyed: boolean
  once(event: "close", listener: () => void): unknown
}

/**
 * Releases a reservation when the response has been sent or its connection is lost. The scope of the request is no
 * measure of that: the platform never closes it where it responds on a lost connection.
 */
const releaseWith =
  (response: Closable) =>
  (reservation: Reservation): Reservation => {
    if (response.destroyed) reservation.release()
    else response.once("close", reservation.release)
    return reservation
  }

/** The memory of the process for request bodies: reserved before a body is read, released when its request ends. */
export class BodyBudget extends Effect.Service<BodyBudget>()("api/BodyBudget", {
  effect: Effect.map(HttpSettings, ({ bodyMemory }) => {
    const budget = counter(bodyMemory)

    /** Reserves memory for a body until its response closes, and waits for room if there is none. */
    const reserve = (owner: string, bytes: number, response: Closable) =>
      budget.reserve(owner, bytes).pipe(Effect.map(releaseWith(response)), Effect.uninterruptible)

    return { reserve } as const
  })
}) {}
