import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { CallProgress } from "@switchboard/domain/voice/calls/CallProgress"
import { fillText } from "@switchboard/domain/voice/calls/FillText"
import type { Done, Errand } from "@switchboard/domain/voice/calls/PlayWorkflow"
import type { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import { Effect } from "effect"
import { Messages } from "../../messages/Messages.js"
import { attemptTimeout } from "../../webhooks/delivery/SignedPost.js"
import { WebhookTransport } from "../../webhooks/delivery/WebhookTransport.js"
import type { CallRun } from "./StoredCall.js"

type Configs = {
  readonly [Type in Errand["type"]]: Extract<Errand, { readonly type: Type }>["data"]["config"]
}

/** In which call something is done. */
export interface ErrandOf {
  readonly id: VoiceCallId
  readonly organizationId: OrganizationId
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const subjectLine = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, 200)

/** An address without what may be a secret in it. */
const shown = (url: string) => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** What workflows have done outside. A call goes on whatever comes of it, and says what that was. */
export class CallErrands extends Effect.Service<CallErrands>()("services/CallErrands", {
  effect: Effect.gen(function* () {
    const messages = yield* Messages
    const transport = yield* WebhookTransport

    /** Sent once, however often it is tried: the place in the call is its idempotency key. */
    const sendMessage = Effect.fnUntraced(function* (
      { id, organizationId }: ErrandOf,
      { apiKeyId, maySendMessages }: CallRun,
      { errands, variables }: CallProgress,
      { subject, text, to }: Configs["action.sendMessage"]
    ) {
      const ended = (note: string): Done => ({ note, tookMs: 0, variables: {} })
      const unsent = (why: string) => ended(`The message to ${to} was not sent: ${why}`)
      if (!maySendMessages) return unsent("the key that placed the call may not send messages")
      const says = fillText(text, variables)
      const filled = subjectLine(fillText(subject, variables))
      return yield* messages
        .send(
          {
            organizationId,
            apiKeyId,
            request: {
              method: "POST",
              endpoint: "/v1/voice/calls",
              ipAddress: "",
              userAgent: "",
              headers: {},
              query: {}
            },
            traceParent: null
          },
          {
            channel: "email",
            to: [{ email: to }],
            email: {
              subject: filled === "" ? "A call" : filled,
              html: `<p>${escaped(says).replaceAll(/\r?\n/g, "<br>")}</p>`,
              text: says
            },
            idempotencyKey: `voice-call:${id}:${errands}`,
            referenceId: id
          }
        )
        .pipe(
          Effect.map(({ message }) => ended(`The message ${message.id} was sent to ${to}`)),
          Effect.catchTags({
            ConflictError: ({ message }) => Effect.succeed(unsent(message)),
            PaymentRequiredError: () => Effect.succeed(unsent("the plan is used up for this month")),
            RateLimitedError: () => Effect.succeed(unsent("too many messages are sent just now")),
            ResourceNotFoundError: ({ resource }) => Effect.succeed(unsent(`there is no such ${resource}`)),
            ValidationError: ({ fields, message }) =>
              Effect.succeed(unsent(Object.values(fields ?? {}).flat()[0] ?? message))
          })
        )
    })

    /** Not followed by another one if it fails; after a lost worker it may come twice. */
    const httpRequest = Effect.fnUntraced(function* (
      { variables }: CallProgress,
      { body, headers = {}, method, url, variable }: Configs["action.httpRequest"]
    ) {
      const isText = typeof body === "string"
      const answer = yield* transport.post({
        url,
        method,
        headers: { "content-type": isText ? "text/plain; charset=utf-8" : "application/json", ...headers },
        body: body === undefined ? "" : isText ? fillText(body, variables) : JSON.stringify(body),
        timeout: attemptTimeout
      })
      const kept = (status: string, text: string) => ({
        httpStatus: status,
        ...(variable === undefined ? {} : { [variable]: text })
      })
      const done: Done =
        answer._tag === "Answered"
          ? {
              note: `${method} ${shown(url)} was answered with ${answer.status}`,
              tookMs: answer.durationMs,
              variables: kept(String(answer.status), answer.body)
            }
          : {
              note: `${method} ${shown(url)} was not answered: ${answer.error}`,
              tookMs: answer.durationMs,
              variables: kept("", "")
            }
      return done
    })

    /** Does what a node says. It can be tried again only if the service is not there. */
    const run = (of: ErrandOf, callRun: CallRun, progress: CallProgress, { data, type }: Errand) =>
      type === "action.sendMessage"
        ? sendMessage(of, callRun, progress, data.config)
        : httpRequest(progress, data.config)

    return { run } as const
  })
}) {}
