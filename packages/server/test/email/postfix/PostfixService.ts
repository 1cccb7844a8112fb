import { randomUUID } from "node:crypto"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Context, Effect, Layer } from "effect"
import { LiveService, send, until } from "../../LiveService.js"
import { smtpSink, smtpSinkWithoutDsn } from "../../SmtpSink.js"
import { ReceivingService } from "../ReceivingService.js"
import { postfix } from "./Postfix.js"

/** The domain of the organization, and that of the external server. */
export const ours = "shop.test"
export const theirs = "world.test"

/** The domain of an external server without delivery status notifications. */
export const withoutDsn = "provider.test"

/** The service with Postfix as the relay for outgoing mail, and as the server that passes on incoming mail. */
export class PostfixService extends Context.Tag("test/PostfixService")<
  PostfixService,
  {
    readonly postfixPort: number
    /** The external server for `theirs`. */
    readonly world: Effect.Effect.Success<typeof smtpSink>
  }
>() {
  static readonly Live = Layer.unwrapScoped(
    Effect.gen(function* () {
      const inboundPort = yield* freePort
      const world = yield* smtpSink
      const provider = yield* smtpSinkWithoutDsn
      const { port } = yield* postfix({
        [theirs]: world.port,
        [withoutDsn]: provider.port,
        [ours]: inboundPort,
        [`bounce.${ours}`]: inboundPort
      })
      return ReceivingService.layer({
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        INBOUND_SMTP_PORT: String(inboundPort)
      }).pipe(Layer.merge(Layer.succeed(PostfixService, { postfixPort: port, world })))
    })
  )
}

/** Sends a message to these recipients through Postfix. */
export const sent = Effect.fnUntraced(function* (...to: ReadonlyArray<string>) {
  const { call } = yield* LiveService
  const subject = `Hello ${randomUUID()}`
  const { body } = yield* call(
    "POST",
    "/v1/messages",
    send({ to: to.map((email) => ({ email })) }, { from: `orders@${ours}`, subject })
  )
  const id: string = body.id
  return { id, subject }
})

/** The current state of a message. */
export const messageOf = Effect.fnUntraced(function* (id: string) {
  const { call } = yield* LiveService
  return (yield* call("GET", `/v1/messages/${id}`)).body
})

/** Waits until a message has this status. */
export const becomes = (id: string, status: string) => until(messageOf(id), (message) => message.status === status)

/** The status of each recipient's delivery. */
export const deliveriesOf = (message: {
  readonly emailMetadata: {
    readonly deliveries: ReadonlyArray<{ readonly recipient: string; readonly status: string }>
  }
}) => message.emailMetadata.deliveries.map(({ recipient, status }) => [recipient, status])
