import { freePort } from "@switchboard/domain/testing/FreePort"
import { Context, Effect, Layer } from "effect"
import { accepted } from "../../LiveService.js"
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
        routes: {
          [theirs]: world.port,
          [withoutDsn]: provider.port,
          [ours]: inboundPort,
          [`bounce.${ours}`]: inboundPort
        }
      })
      return ReceivingService.layer({
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        INBOUND_SMTP_PORT: String(inboundPort)
      }).pipe(Layer.merge(Layer.succeed(PostfixService, { postfixPort: port, world })))
    })
  )
}

/** Sends a message to these recipients through Postfix. */
export const sent = (...to: ReadonlyArray<string>) =>
  Effect.map(accepted({ to: to.map((email) => ({ email })) }, { from: `orders@${ours}` }), ({ content, id }) => ({
    id: String(id),
    subject: String(content.subject)
  }))

/** The status of each recipient's delivery. */
export const deliveriesOf = (message: {
  readonly emailMetadata: {
    readonly deliveries: ReadonlyArray<{ readonly recipient: string; readonly status: string }>
  }
}) => message.emailMetadata.deliveries.map(({ recipient, status }) => [recipient, status])
