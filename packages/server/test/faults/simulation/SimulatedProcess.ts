import { PgClient } from "@effect/sql-pg"
import { defaultRetrySchedule } from "@switchboard/domain/RetrySchedule"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { TemplateRepo } from "@switchboard/services/email/templates/TemplateRepo"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Compose } from "@switchboard/services/messages/compose/Compose"
import { Deliveries } from "@switchboard/services/messages/delivery/Deliveries"
import { DeliveryConfirmation } from "@switchboard/services/messages/delivery/DeliveryConfirmation"
import { DeliveryQueue } from "@switchboard/services/messages/delivery/DeliveryQueue"
import type { MailTransport } from "@switchboard/services/messages/delivery/MailTransport"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import { RelayBreaker } from "@switchboard/services/messages/delivery/RelayBreaker"
import { Messages } from "@switchboard/services/messages/Messages"
import { SendSettings } from "@switchboard/services/messages/SendSettings"
import type { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { ConversationRepoSql } from "@switchboard/store/conversations/ConversationRepoSql"
import { SenderRepoSql } from "@switchboard/store/email/senders/SenderRepoSql"
import { DeliveryQueueSql } from "@switchboard/store/messages/DeliveryQueueSql"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { ParticipantRepoSql } from "@switchboard/store/participants/ParticipantRepoSql"
import { DeliveryWorker } from "@switchboard/worker/messages/DeliveryWorker"
import { WorkerConfig } from "@switchboard/worker/WorkerConfig"
import {
  BigDecimal,
  type Context,
  Deferred,
  Duration,
  Effect,
  Fiber,
  Layer,
  Logger,
  LogLevel,
  Random,
  Redacted,
  Stream
} from "effect"
import type { Pool } from "pg"
import { SimulatedClock } from "./SimulatedClock.js"

/** How long a worker holds what it took. */
export const lease = Duration.seconds(30)

const SendSettingsLive = Layer.succeed(SendSettings, {
  dedupeWindow: Duration.minutes(1),
  emailUnitCost: BigDecimal.unsafeFromString("0"),
  retrySchedule: defaultRetrySchedule
})

const NoLimits = Layer.succeed(
  RateLimits,
  RateLimits.make({
    request: () => Effect.succeed(null),
    send: () => Effect.succeed(null),
    refundSend: () => Effect.void,
    requestLimit: 0
  })
)

/** Accepting messages, as the API has it. */
const Api = Messages.Default.pipe(
  Layer.provide(Layer.mergeAll(Senders.Default, Compose.Default, Templates.Default)),
  Layer.provide(Layer.mergeAll(Layer.mock(TemplateRepo, {}), Layer.mock(DomainRepo, {}), NoLimits, SendSettingsLive)),
  Layer.provide(Layer.mergeAll(SenderRepoSql, ConversationRepoSql, ParticipantRepoSql, MessageRepoSql)),
  Layer.provideMerge(OrganizationRepoSql)
)

/** No notification arrives: what is ready is found by looking for it. */
const Queue = Layer.effect(
  DeliveryQueue,
  Effect.map(DeliveryQueue, (queue) => ({ ...queue, woken: Stream.never }))
).pipe(Layer.provide(DeliveryQueueSql))

/** Delivering messages, as a worker does. */
const worker = (name: string, batch: number, transport: Layer.Layer<MailTransport>) =>
  DeliveryWorker.pipe(
    Layer.provide(Deliveries.Default),
    Layer.provide(Layer.mergeAll(OutgoingMails.Default, RelayBreaker.Default, transport, Queue)),
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(SigningKeys, SigningKeys.make({ signingKeyOf: () => Effect.succeedNone })),
        Layer.succeed(DeliveryConfirmation, "accept"),
        Layer.succeed(PublicUrl, "http://localhost"),
        Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32))))),
        SendSettingsLive,
        Layer.succeed(WorkerConfig, {
          worker: name,
          concurrency: Math.ceil(batch / 20) * 4,
          batch,
          idle: Duration.seconds(1),
          lease,
          grace: Duration.seconds(5)
        })
      )
    )
  )

/** How a process is made. */
export interface ProcessOptions {
  readonly kind: "api" | "worker"
  readonly name: string
  readonly now: () => number
  readonly seed: string
  /** Messages that a worker takes at once. */
  readonly batch: number
  readonly poolOf: (process: SimulatedProcess) => Pool
  readonly transportOf: (isAlive: () => boolean) => Layer.Layer<MailTransport>
}

/** What accepts messages, in a process. */
type ApiServices = Messages | OrganizationRepo

/** Part of the service, with a clock, connections and chance of its own. Ends by a kill, or by a stop. */
export class SimulatedProcess {
  readonly kind: "api" | "worker"
  readonly name: string
  readonly clock: SimulatedClock
  isAlive = true
  isPaused = false
  private readonly random: Random.Random

  constructor(private readonly options: ProcessOptions) {
    this.kind = options.kind
    this.name = options.name
    this.clock = new SimulatedClock(options.now)
    this.random = Random.make(`${options.name}/${options.seed}`)
  }

  /** It stands still: no timer ends, and no statement is sent. */
  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  /** Runs an effect in this process. */
  private run<A, E>(effect: Effect.Effect<A, E>) {
    return effect.pipe(
      Effect.withClock(this.clock),
      Effect.withRandom(this.random),
      // Waits for the database have a timeout in real time.
      Effect.locally(requestDeadline, new RequestDeadline(1_000_000_000)),
      Logger.withMinimumLogLevel(LogLevel.None),
      Effect.forkDaemon
    )
  }

  private launch<A, R>(layer: Layer.Layer<A, never, R>, database: Layer.Layer<R>, use: Effect.Effect<never, never, A>) {
    return this.run(Effect.provide(use, Layer.provide(layer, database)))
  }

  /** Starts what accepts messages; gives what runs an effect with it. */
  api() {
    return Effect.gen(this, function* () {
      const services = yield* Deferred.make<Context.Context<ApiServices>>()
      const started = Effect.flatMap(Effect.context<ApiServices>(), (found) => Deferred.succeed(services, found))
      yield* this.launch(Api, this.database(), Effect.zipRight(started, Effect.never))
      return <A, E>(use: Effect.Effect<A, E, ApiServices>) =>
        this.run(Effect.flatMap(Deferred.await(services), (found) => Effect.provide(use, found)))
    })
  }

  /** Starts what delivers messages; gives what stops it. */
  worker() {
    const { batch, name, transportOf } = this.options
    const delivery = worker(
      name,
      batch,
      transportOf(() => this.isAlive)
    )
    return Effect.map(this.launch(delivery, this.database(), Effect.never), Fiber.interruptFork)
  }

  private database() {
    return Layer.orDie(PgClient.layerFromPool({ acquire: Effect.succeed(this.options.poolOf(this)) }))
  }
}
