import { reasonOfReply } from "@switchboard/domain/messages/delivery/FailureReason"
import type { DestinationState } from "@switchboard/domain/system/SystemStatus"
import {
  type ProviderReply,
  SendDeferred,
  type SendFailure,
  SendPostponed,
  SendWithdrawn
} from "@switchboard/services/messages/delivery/Provider"
import { type BreakerPauses, makeBreaker } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Array, DateTime, Duration, Effect, Order } from "effect"
import { sendLeased, smtpPool } from "../../messages/SendOverSmtp.js"
import type { SmtpRoute } from "../../messages/SmtpRoutes.js"
import type { FailedServer, PoolEvents } from "../client/SmtpPoolOptions.js"
import type { SmtpRelay } from "../client/SmtpRelay.js"
import type { MailServer } from "./MailServers.js"

/** The provider of messages that go to the mail servers of their recipients. */
export const mxProvider = "mx"

/** The pauses of a destination. They are longer than those of a relay: other destinations are not delayed. */
export const destinationPauses: BreakerPauses = {
  first: Duration.seconds(5),
  max: Duration.minutes(15),
  probe: Duration.seconds(10)
}

/** Mail servers limit the connections of each client: idle ones are closed soon. */
const idleTimeout = Duration.seconds(3)

/** The maximum number of connections before the first replies. */
const initialConnections = 3

/** Mails in progress for each connection: one that it sends, and two that follow without another lease. */
const mailsPerConnection = 3

/** How long mails in excess of those in progress wait for their next attempt, in milliseconds. */
const minWait = 1_000
const maxWait = 60_000

/** How long a server is tried after the others when no session could be opened with it, in milliseconds. */
const avoidedFor = 600_000

/** The weight of the last mail in the average time between two mails, which starts at `initialInterval` milliseconds. */
const smoothing = 0.1
const initialInterval = 50

/** Reasons of a deferral that concern a recipient or the mail, and not all mail to the destination. */
const ownReasons: ReadonlySet<string> = new Set([
  "greylisted",
  "mailbox_full",
  "message_too_large",
  "content",
  "spam",
  "user_unknown",
  "user_disabled"
])

/** A deferral of the whole transaction concerns all mail, unless its reason is about the recipient or the mail. */
const judged = (failure: SendFailure): SendFailure =>
  failure._tag === "SendDeferred" &&
  failure.smtpCode !== null &&
  !ownReasons.has(reasonOfReply({ smtpCode: failure.smtpCode, response: failure.response }))
    ? new SendDeferred({ ...failure, isAboutRoute: true })
    : failure

const isRateLimited = ({ replies }: ProviderReply): boolean =>
  replies.some((reply) => reply.verdict !== "accepted" && reasonOfReply(reply) === "rate_limited")

/** What the connections to all mail servers have in common. */
export interface MxOptions {
  readonly session: Pick<SmtpRelay, "hostname" | "port" | "timeouts">
  /** The addresses of this machine to connect from; empty for the system's choice. */
  readonly sourceAddresses: ReadonlyArray<{ readonly address: string; readonly family: 4 | 6 }>
  /** The maximum number of connections to one destination. */
  readonly concurrency: number
}

/** What a destination reports. */
export interface DestinationEvents {
  readonly connections: PoolEvents
  readonly setPaused: (isPaused: boolean) => Effect.Effect<void>
}

/** The mail servers that some domains share. */
export interface Destination {
  readonly route: SmtpRoute
  readonly state: Effect.Effect<DestinationState>
  /** Replaces the mail servers by those of a newer look-up. */
  readonly update: (servers: ReadonlyArray<MailServer>) => void
  readonly isIdle: () => boolean
}

interface Choice {
  readonly connection: SmtpRelay
  /** Whether a session with the address failed lately. */
  readonly isAvoided: boolean
  readonly priority: number
  readonly chance: number
}

const byPreference = Order.combineAll<Choice>([
  Order.mapInput(Order.boolean, ({ isAvoided }) => isAvoided),
  Order.mapInput(Order.number, ({ priority }) => priority),
  Order.mapInput(Order.number, ({ chance }) => chance)
])

/** A random item. It is chosen while a connection is opened, in synchronous code: without the service `Random`. */
const anyOf = <A>(items: ReadonlyArray<A>): A | undefined => items[Math.floor(Math.random() * items.length)]

/**
 * Makes a destination. It has as many connections as its servers take: fewer after failures, more after successes. Mails in
 * excess are postponed, so that a slow destination does not use up the attempts of a worker.
 */
export const makeDestination = (
  first: Array.NonEmptyReadonlyArray<MailServer>,
  { concurrency, session, sourceAddresses }: MxOptions,
  { connections, setPaused }: DestinationEvents
) =>
  Effect.gen(function* () {
    const name = first.map(({ host }) => host).join(", ")
    const clock = yield* Effect.clock
    const now = () => clock.unsafeCurrentTimeMillis()
    const breaker = yield* makeBreaker(destinationPauses, setPaused)
    const avoidedUntil = new Map<string, number>()
    let servers: ReadonlyArray<MailServer> = first
    let lastFailure: string | null = null

    // Connections: additive increase, multiplicative decrease.

    let limit = Math.min(initialConnections, concurrency)
    let successes = 0
    let stalled = 0

    const increase = (): void => {
      successes += 1
      if (successes < limit || limit >= concurrency) return
      limit += 1
      successes = 0
    }

    const decrease = (): void => {
      limit = Math.max(1, Math.floor(limit / 2))
      successes = 0
    }

    /** An address to connect to, from an address of the same family. */
    const connectionTo = ({ host, security }: MailServer, { address, family }: MailServer["addresses"][number]) => {
      const sources = sourceAddresses.filter((source) => source.family === family)
      if (sourceAddresses.length > 0 && sources.length === 0) return []
      const server: SmtpRelay = {
        ...session,
        ...security,
        host,
        address,
        localAddress: anyOf(sources)?.address,
        implicitTls: false,
        credentials: null
      }
      return [server]
    }

    /** By preference, equals at random (RFC 5321 section 5.1); servers that failed lately are last. */
    const nextServer = (failed: ReadonlyArray<FailedServer>): SmtpRelay | null => {
      const last = failed.at(-1)
      // Opportunistic TLS that fails is worth no more than none (RFC 7435).
      if (last?.failure.stage === "STARTTLS" && last.server.tls === "opportunistic") {
        return { ...last.server, tls: "none" }
      }
      if (last?.server.address !== undefined) avoidedUntil.set(last.server.address, now() + avoidedFor)
      const tried = new Set(failed.map(({ server }) => server.address))
      const left = servers.flatMap((server) =>
        server.addresses
          .filter(({ address }) => !tried.has(address))
          .flatMap((address) => connectionTo(server, address))
          .map(
            (connection): Choice => ({
              connection,
              isAvoided: (avoidedUntil.get(connection.address ?? "") ?? 0) > now(),
              priority: server.priority,
              chance: Math.random()
            })
          )
      )
      return Array.isNonEmptyReadonlyArray(left) ? Array.min(left, byPreference).connection : null
    }

    const isStuck = () => stalled > 0 && stalled >= pool.size

    const pool = yield* smtpPool({
      nextServer,
      connections: () => limit,
      idleTimeout,
      events: {
        ...connections,
        stalled: (isStalled) => {
          connections.stalled(isStalled)
          stalled += isStalled ? 1 : -1
          if (!isStalled) return
          decrease()
          if (isStuck()) pool.withdrawWaiting()
        }
      }
    })

    // Excess: mails beyond those in progress wait, each for its turn at the present pace.

    let inProgress = 0
    let interval = initialInterval
    let lastEnd = now()
    let nextTurn = 0

    const measurePace = (): void => {
      const end = now()
      interval += smoothing * (end - lastEnd - interval)
      lastEnd = end
    }

    const maxInProgress = () => (isStuck() ? pool.size : limit * mailsPerConnection)

    const postponed = () => {
      const at = now()
      nextTurn = isStuck() ? at + maxWait : Math.max(nextTurn, at + minWait) + interval
      // Beyond the maximum, turns are spread over its second half.
      const until = nextTurn <= at + maxWait ? nextTurn : at + maxWait * (1 - Math.random() / 2)
      return new SendPostponed({ until: DateTime.unsafeMake(Math.ceil(until)) })
    }

    const taken = (reply: ProviderReply): void => {
      measurePace()
      if (isRateLimited(reply)) decrease()
      else increase()
    }

    const notTaken = (failure: SendFailure): void => {
      if (failure._tag === "SendWithdrawn" || failure._tag === "SendPostponed") return
      measurePace()
      if (
        failure._tag === "ProviderUnavailable" ||
        (failure._tag === "SendDeferred" && failure.isAboutRoute === true)
      ) {
        lastFailure = failure.response
        decrease()
      }
    }

    const route: SmtpRoute = {
      provider: mxProvider,
      noun: "destination",
      address: name,
      breaker,
      send: (envelope, octets, lease) =>
        Effect.suspend(() => {
          if (inProgress >= maxInProgress()) return postponed()
          // Idle time is no part of the pace.
          if (inProgress === 0) lastEnd = now()
          inProgress += 1
          const onLost = () => (lease.isHeld() ? postponed() : new SendWithdrawn())
          return sendLeased(pool, envelope, octets, lease, onLost).pipe(
            Effect.mapError(judged),
            Effect.tapBoth({
              onSuccess: (reply) => Effect.sync(() => taken(reply)),
              onFailure: (failure) => Effect.sync(() => notTaken(failure))
            }),
            Effect.ensuring(
              Effect.sync(() => {
                inProgress -= 1
              })
            )
          )
        })
    }

    const destination: Destination = {
      route,
      state: Effect.map(breaker.status, (status) => ({
        destination: name,
        connections: pool.size,
        maxConnections: limit,
        lastFailure,
        ...status
      })),
      update: (newer) => {
        servers = newer
      },
      isIdle: () => inProgress === 0 && pool.size === 0
    }
    return destination
  })
