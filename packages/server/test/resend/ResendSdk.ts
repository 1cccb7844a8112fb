import { Effect } from "effect"
import { Resend } from "resend"
import { LiveService } from "../LiveService.js"

/** The Resend SDK for the organization of the test. */
export const resendSdk = Effect.map(
  LiveService,
  ({ baseUrl, key }) => new Resend(key, { baseUrl: `${baseUrl}/resend` })
)

/** The result of a call of the SDK. */
type Result<A> = { readonly data: A; readonly error: null } | { readonly data: null; readonly error: object }

/** The data of a call of the SDK that must succeed. */
export const dataOf = <A>(call: () => Promise<Result<A>>) =>
  Effect.flatMap(Effect.promise(call), ({ data, error }) =>
    error === null ? Effect.succeed(data) : Effect.dieMessage(JSON.stringify(error))
  )

/** The error of a call of the SDK that must fail. */
export const errorOf = <A>(call: () => Promise<Result<A>>) =>
  Effect.flatMap(Effect.promise(call), ({ data, error }) =>
    error === null ? Effect.dieMessage(JSON.stringify(data)) : Effect.succeed(error)
  )
