import { randomUUID } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { freePort } from "../../FreePort.js"
import { LiveService, send, until } from "../../LiveService.js"
import { smtpSink, smtpSinkWithoutDsn } from "../../SmtpSink.js"
import { ReceivingService } from "../ReceivingService.js"
import { postfix } from "./Postfix.js"

/** The domain of the service's organization, and that of everybody else. */
export const ours = "shop.test"
export const theirs = "world.test"

/** A domain of others where mail is taken by a server that does not offer delivery status notifications. */
export const withoutDsn = "provider.test"

/** The service with a real Postfix between it and the world, for mail that goes out and for mail that comes in. */
export class PostfixService extends Context.Tag("test/PostfixService")<
  PostfixService,
  {
    readonly postfixPort: number
    /** What came to somebody of `theirs`. */
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

/** Sends to these recipients, through Postfix. */
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

/** A message as it is now. */
export const messageOf = Effect.fnUntraced(function* (id: string) {
  const { call } = yield* LiveService
  return (yield* call("GET", `/v1/messages/${id}`)).body
})

/** A message, once it is so. */
export const becomes = (id: string, status: string) => until(messageOf(id), (message) => message.status === status)

/** How far each recipient's copy got. */
export const deliveriesOf = (message: {
  readonly emailMetadata: {
    readonly deliveries: ReadonlyArray<{ readonly recipient: string; readonly status: string }>
  }
}) => message.emailMetadata.deliveries.map(({ recipient, status }) => [recipient, status])
