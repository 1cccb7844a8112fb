import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { Resend } from "resend"
import { LiveService } from "../LiveService.js"

/** The Resend SDK for the organization of the test. */
export const resendSdk = Effect.map(
  LiveService,
  ({ baseUrl, key }) => new Resend(key, { baseUrl: `${baseUrl}/resend` })
)

/** The result of a call of the SDK. */
interface Result<A> {
  readonly data: A | null
  readonly error: object | null
}

/** The data of a call of the SDK that must succeed. */
export const dataOf = <A>(call: () => PromiseLike<Result<A>>) =>
  Effect.flatMap(Effect.promise(call), ({ data, error }) =>
    data === null ? Effect.dieMessage(JSON.stringify(error)) : Effect.succeed(data)
  )

/** The error of a call of the SDK that must fail. */
export const errorOf = <A>(call: () => PromiseLike<Result<A>>) =>
  Effect.flatMap(Effect.promise(call), ({ data, error }) =>
    error === null ? Effect.dieMessage(JSON.stringify(data)) : Effect.succeed(error)
  )

/** An e-mail of the default sender with a subject of its own. */
export const email = Effect.map(LiveService, ({ sender }) => ({
  from: `Switchboard <${sender}>`,
  to: "ada@example.com",
  subject: `Hello ${randomUUID()}`,
  html: "<p>Hello</p>"
}))
