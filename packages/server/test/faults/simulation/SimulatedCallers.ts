import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Messages } from "@switchboard/services/messages/Messages"
import { Array, Effect, Either, Exit, Schema } from "effect"
import type { Sent } from "./CheckSimulation.js"
import type { SimulatedProcess } from "./SimulatedProcess.js"
import type { SimulatedWorld } from "./SimulatedWorld.js"

const decode = Schema.decodeUnknownSync(SendRequest)
const apiKeyId = ApiKeyId.make("01900000-0000-7000-8000-000000000000")
const request = { method: "POST", endpoint: "/v1/messages", ipAddress: "", userAgent: "", headers: {}, query: {} }

/** The running API process, with a function that runs an effect in it. */
export interface RunningApi {
  readonly process: SimulatedProcess
  readonly use: Effect.Effect.Success<ReturnType<SimulatedProcess["api"]>>
}

/** Callers that send and cancel messages, with the responses. */
export class SimulatedCallers {
  readonly sent = new Map<string, Sent>()

  constructor(
    private readonly world: SimulatedWorld,
    private readonly organizations: ReadonlyArray<OrganizationId>
  ) {}

  /** Sends with a key; its variants have different bodies. `delay` is the time until a message with a new key is due. */
  send({ process, use }: RunningApi, key: string, variant: "a" | "b" = "a", delay: number | null = null) {
    const { world } = this
    world.pass(1)
    const entry = this.sent.get(key) ?? this.newKey(key, delay)
    this.sent.set(key, entry)
    const body = decode({
      channel: "email",
      idempotencyKey: key,
      to: entry.recipients.map((email) => ({ email })),
      email: { subject: `${key} ${variant}`, html: "<p>Hello</p>" },
      ...(entry.scheduledAt === null ? {} : { scheduledAt: entry.scheduledAt })
    })
    const { organization: organizationId } = entry
    const place = entry.answers.push("0") - 1
    const answered = Effect.gen(function* () {
      const messages = yield* Messages
      const sending = messages.send({ organizationId, apiKeyId, request, traceParent: null }, body)
      const result = yield* Effect.exit(Effect.either(sending))
      if (Exit.isFailure(result)) return { status: "500" }
      if (Either.isRight(result.value)) return { status: "201", id: result.value.right.message.id }
      const problem = result.value.left
      // `scheduledAt` may have passed before acceptance, but not later.
      const isLate = problem._tag === "ValidationError" && entry.scheduledAt !== null && entry.ids.size === 0
      return { status: isLate ? "late" : String(problem.status) }
    })
    return use(
      Effect.map(answered, ({ id, status }) => {
        // A killed process does not respond, although its real-time timers end.
        if (!process.isAlive) return
        if (id !== undefined) entry.ids.set(id, (entry.ids.get(id) ?? new Set()).add(variant))
        entry.answers[place] = status
        world.note(`${key} ${variant} ${status}`)
      })
    )
  }

  cancel({ process, use }: RunningApi, entry: Sent, id: MessageId) {
    entry.cancelling ??= "unknown"
    return use(
      Effect.gen(this, function* () {
        const messages = yield* Messages
        const result = yield* Effect.either(messages.cancel(entry.organization, id))
        if (!process.isAlive) return
        if (Either.isRight(result)) entry.cancelling = "done"
        this.world.note(`cancel ${entry.key} ${Either.isRight(result)}`)
      })
    )
  }

  private newKey(key: string, delay: number | null): Sent {
    const { world } = this
    const organization = this.organizations[world.below(this.organizations.length)]
    if (organization === undefined) throw new Error("There is no organization")
    return {
      key,
      organization,
      ids: new Map(),
      answers: [],
      scheduledAt: delay === null ? null : new Date(world.now + delay).toISOString(),
      recipients: Array.makeBy(world.roll() < 0.8 ? 1 : 3, (place) => `${key}.${place}@r.test`),
      cancelling: null
    }
  }
}
