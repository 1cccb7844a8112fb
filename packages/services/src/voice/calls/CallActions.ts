import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type CallProgress, recordedWithin } from "@switchboard/domain/voice/calls/CallProgress"
import { fillText } from "@switchboard/domain/voice/calls/ChooseExit"
import type { ActionResult, ExternalAction } from "@switchboard/domain/voice/calls/PlayWorkflow"
import { transcriptText } from "@switchboard/domain/voice/calls/SummarizeCall"
import type { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import { Effect } from "effect"
import { Messages } from "../../messages/Messages.js"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { attemptTimeout } from "../../webhooks/delivery/SignedPost.js"
import { WebhookTransport } from "../../webhooks/delivery/WebhookTransport.js"
import type { CallRun, StoredCall } from "./StoredCall.js"
import { VoiceCarrier } from "./VoiceCarrier.js"

const area = "calls"

/** Stores the recording and the transcript of a call. A repeat changes nothing. */
export const storeCallMedia = Effect.map(Effect.all([ObjectStore, VoiceCarrier]), ([store, carrier]) =>
  Effect.fnUntraced(function* ({ id, organizationId, recorded }: StoredCall, { clockMs, lines }: CallProgress) {
    const spans = recordedWithin(recorded, clockMs)
    const recordingKey = spans.length === 0 ? undefined : objectKey(organizationId, area, id, "recording")
    if (recordingKey !== undefined) {
      const { bytes, contentLength, contentType } = carrier.recording(lines, spans)
      yield* store.putStream(recordingKey, bytes, { contentType, contentLength })
    }
    const transcriptKey = lines.length === 0 ? undefined : objectKey(organizationId, area, id, "transcript")
    if (transcriptKey !== undefined) {
      yield* store.put(transcriptKey, Buffer.from(transcriptText(lines)), "text/plain; charset=utf-8")
    }
    return { recordingKey, transcriptKey }
  })
)

type Configs = {
  readonly [Type in ExternalAction["type"]]: Extract<ExternalAction, { readonly type: Type }>["data"]["config"]
}

/** The call that an action belongs to. */
export interface ActionContext {
  readonly id: VoiceCallId
  readonly organizationId: OrganizationId
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const subjectLine = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, 200)

/** A URL without its query, which may hold secrets. */
const shown = (url: string) => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** Runs the actions of workflows. A failed action does not end the call; its result is noted in the call. */
export class CallActions extends Effect.Service<CallActions>()("services/CallActions", {
  effect: Effect.gen(function* () {
    const messages = yield* Messages
    const transport = yield* WebhookTransport

    /** Sends a message once: its idempotency key is the action's index in the call. */
    const sendMessage = Effect.fnUntraced(function* (
      { id, organizationId }: ActionContext,
      { apiKeyId, maySendMessages }: CallRun,
      { errands, variables }: CallProgress,
      { subject, text, to }: Configs["action.sendMessage"]
    ) {
      const ended = (note: string): ActionResult => ({ note, tookMs: 0, variables: {} })
      const unsent = (reason: string) => ended(`The message to ${to} was not sent: ${reason}`)
      if (!maySendMessages) return unsent("the key that placed the call may not send messages")
      const content = fillText(text, variables)
      const filled = subjectLine(fillText(subject, variables))
      return yield* messages
        .sendEmail(
          {
            ...{ organizationId, apiKeyId, traceParent: null },
            request: {
              ...{ method: "POST", endpoint: "/v1/voice/calls" },
              ...{ ipAddress: "", userAgent: "", headers: {}, query: {} }
            }
          },
          {
            channel: "email",
            to: [{ email: to }],
            email: {
              subject: filled === "" ? "A call" : filled,
              html: `<p>${escaped(content).replaceAll(/\r?\n/g, "<br>")}</p>`,
              text: content
            },
            idempotencyKey: `voice-call:${id}:${errands}`,
            referenceId: id
          }
        )
        .pipe(
          Effect.map(({ message }) => ended(`The message ${message.id} was sent to ${to}`)),
          Effect.catchTags({
            ConflictError: ({ message }) => Effect.succeed(unsent(message)),
            PaymentRequiredError: () => Effect.succeed(unsent("the plan's limit for this month is reached")),
            RateLimitedError: () => Effect.succeed(unsent("the rate limit is reached")),
            ResourceNotFoundError: ({ resource }) => Effect.succeed(unsent(`there is no such ${resource}`)),
            ValidationError: ({ fields, message }) =>
              Effect.succeed(unsent(Object.values(fields ?? {}).flat()[0] ?? message))
          })
        )
    })

    /** Sends one request without retries. After a worker crash it may be sent twice. */
    const httpRequest = Effect.fnUntraced(function* (
      { variables }: CallProgress,
      { body, headers = {}, method, url, variable }: Configs["action.httpRequest"]
    ) {
      const isText = typeof body === "string"
      const response = yield* transport.post({
        url,
        method,
        headers: { "content-type": isText ? "text/plain; charset=utf-8" : "application/json", ...headers },
        body: body === undefined ? "" : isText ? fillText(body, variables) : JSON.stringify(body),
        timeout: attemptTimeout
      })
      const [status, text, outcome] =
        response._tag === "Responded"
          ? [String(response.status), response.body, `answered with ${response.status}`]
          : ["", "", `not answered: ${response.error}`]
      const done: ActionResult = {
        note: `${method} ${shown(url)} was ${outcome}`,
        tookMs: response.durationMs,
        variables: { httpStatus: status, ...(variable === undefined ? {} : { [variable]: text }) }
      }
      return done
    })

    /** Runs an action. Fails only if the service is unavailable, and may then be retried. */
    const run = (of: ActionContext, callRun: CallRun, progress: CallProgress, { data, type }: ExternalAction) =>
      type === "action.sendMessage"
        ? sendMessage(of, callRun, progress, data.config)
        : httpRequest(progress, data.config)

    return { run } as const
  })
}) {}
