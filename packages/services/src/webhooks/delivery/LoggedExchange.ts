import type { WebhookAttempt } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { Effect } from "effect"
import type { SecretBox } from "../../SecretBox.js"
import { type SigningTarget, signedPost } from "./SignedPost.js"
import { WebhookResponse, type WebhookTransport } from "./WebhookTransport.js"

type Headers = Readonly<Record<string, string>>

/** The parts of an attempt that the request and the response determine. */
export type LoggedExchange = Omit<WebhookAttempt, "attempt" | "trigger" | "at">

/** Shown instead of a value that may be a credential. */
const hidden = "[hidden]"

/** The request headers of the service. All others are set by the endpoint's owner, and stored encrypted. */
const ofService = /^(?:webhook-.*|content-type|user-agent)$/

/** Response headers with credentials, such as `set-cookie`. */
const credentials = /cookie|auth|token|secret|password|session|(?:api|access)-?key/

/** User name and password of a URL, such as that of `location`. */
const urlCredentials = /(?<=:\/\/)[^\s/?#]*(?=@)/g

/** The maximum length of the names and values of response headers that are stored: that of the body. */
const maxHeadersLength = 4 * 1024

const loggedRequestHeaders = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase()
      return [lower, ofService.test(lower) ? value : hidden]
    })
  )

/** The first headers up to the maximum length. */
const loggedResponseHeaders = (headers: Headers): Headers => {
  const logged: Record<string, string> = {}
  let length = 0
  for (const [name, received] of Object.entries(headers)) {
    const value = credentials.test(name) ? hidden : received.replace(urlCredentials, hidden)
    length += name.length + value.length
    if (length > maxHeadersLength) break
    logged[name] = value
  }
  return logged
}

/** The request, if it was sent, and the response as the log of deliveries shows them. */
export const loggedExchange = (response: WebhookResponse, requestHeaders?: Headers): LoggedExchange => ({
  durationMs: response.durationMs,
  ...(requestHeaders === undefined ? {} : { requestHeaders: loggedRequestHeaders(requestHeaders) }),
  ...(response._tag === "Responded"
    ? {
        responseStatus: response.status,
        responseHeaders: loggedResponseHeaders(response.headers),
        responseBody: response.body
      }
    : { error: response.error })
})

/** Sends the signed request of an attempt. Secrets that can't be decrypted are an error of the attempt. */
export const postSigned = (
  transport: typeof WebhookTransport.Service,
  box: typeof SecretBox.Service,
  target: SigningTarget,
  event: { readonly id: string; readonly body: string }
): Effect.Effect<{ readonly response: WebhookResponse; readonly exchange: LoggedExchange }> =>
  signedPost(box, target, event).pipe(
    Effect.flatMap((request) =>
      Effect.map(transport.post(request), (response) => ({
        response,
        exchange: loggedExchange(response, request.headers)
      }))
    ),
    Effect.catchTag("SecretUnreadable", ({ message }) => {
      const response = WebhookResponse.Unreachable({ error: message, durationMs: 0 })
      return Effect.succeed({ response, exchange: loggedExchange(response) })
    })
  )
