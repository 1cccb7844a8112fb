import type { RequestListener, ServerResponse } from "node:http"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import type { Caller } from "@switchboard/services/messages/Caller"
import { Messages } from "@switchboard/services/messages/Messages"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { type Cause, Effect, Either, FiberRef, HashMap, Option, Runtime, Schema } from "effect"
import { exceededHeaders, rateHeaders, requestIdOf, security } from "../AnswerHeaders.js"
import { keepBody } from "../BodiesRead.js"
import { BodyBudget } from "../BodyBudget.js"
import { isWithin } from "../ClientAddress.js"
import { compiledDecoder } from "../CompiledDecoder.js"
import { HttpSettings } from "../HttpSettings.js"
import { isKeepable, parseJsonObject } from "../JsonBody.js"
import { withIdempotencyKey } from "../messages/HeaderKey.js"
import { IdempotencyKeyHeader } from "../messages/IdempotencyKeyHeader.js"
import { ruleOf } from "../OperationRules.js"
import { requestMetadata } from "../RequestMetadata.js"
import { errorAnswer } from "../Respond.js"
import { wireErrorOf } from "../WireErrorOf.js"
import { plainHeaders, readWhole } from "./PlainRequest.js"

/** The operation that is asked for most by far. */
const route = { method: "POST", path: "/v1/messages" } as const

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const decodeSend = compiledDecoder(SendRequest)
const decodeKey = Schema.decodeUnknownOption(IdempotencyKeyHeader)

/** The send that a body and a header ask for, if nothing is wrong with either. */
const sendOf = (body: Uint8Array, keyHeader: string | undefined): Option.Option<SendRequest> =>
  Option.gen(function* () {
    const value = yield* Either.getRight(parseJsonObject(body))
    const request = yield* isKeepable(value) ? decodeSend(value) : Option.none()
    return keyHeader === undefined ? request : yield* withIdempotencyKey(request, yield* decodeKey(keyHeader))
  })

const write = (response: ServerResponse, { body, headers, status }: Answer, requestId: string): void => {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers,
    ...security,
    "x-request-id": requestId
  })
  response.end(body)
}

/**
 * Sends in one fiber and a few calls what comes as nearly every send does: with a key that is known, that may send, and
 * with a body that is taken as it is. The platform's own way, with its layers of effects, costs several times what a
 * send itself does. Whatever is not so plain goes that ordinary way, before anything has come of it, and is answered
 * there: nothing is refused here but by the rate and by the use case. A test asks both ways the same.
 */
export const shortWay = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const activity = yield* KeyActivity
  const limits = yield* RateLimits
  const messages = yield* Messages
  const bodies = yield* BodyBudget
  const { trustedProxies } = yield* HttpSettings
  const isTrusted = isWithin(trustedProxies)
  const clock = yield* Effect.clock
  const fork = Runtime.runFork(yield* Effect.runtime())
  const permission = ruleOf(route)?.permission

  const failed = (headers: Readonly<Record<string, string>>) => (cause: Cause.Cause<unknown>) =>
    Effect.map(wireErrorOf(cause, route.path), (error): Answer => {
      const answer = errorAnswer(error)
      const budget = error._tag === "RateLimitedError" ? exceededHeaders(limits.requestLimit, error) : {}
      return { ...answer, headers: { ...headers, ...answer.headers, ...budget }, body: JSON.stringify(answer.body) }
    })

  const send = (caller: Caller, request: SendRequest) =>
    Effect.matchCauseEffect(limits.request(caller.organizationId), {
      onFailure: failed({}),
      onSuccess: (budget) => {
        const headers = budget === null ? {} : rateHeaders(budget)
        return messages.send(caller, request).pipe(
          Effect.map(
            ({ message, replayed }): Answer => ({
              status: 201,
              headers: replayed ? { ...headers, "idempotent-replayed": "true" } : headers,
              body: JSON.stringify(message)
            })
          ),
          Effect.catchAllCause(failed(headers))
        )
      }
    })

  /** Not restored: the request's fiber is its own. */
  const withNotes = <A>(self: Effect.Effect<A>, organizationId: OrganizationId, requestId: string) =>
    FiberRef.update(FiberRef.currentLogAnnotations, (known) =>
      known.pipe(
        HashMap.set<string, unknown>("requestId", requestId),
        HashMap.set<string, unknown>("organizationId", organizationId)
      )
    ).pipe(Effect.zipRight(FiberRef.set(requestDeadline, new RequestDeadline())), Effect.zipRight(self))

  return (ordinary: RequestListener): RequestListener =>
    (request, response) => {
      const { method = "", url = "" } = request
      const headers = url === route.path && method === route.method ? plainHeaders(request) : null
      const key = headers?.["x-api-key"]
      if (headers === null || key === undefined || permission == null) return ordinary(request, response)
      const began = clock.unsafeCurrentTimeMillis()
      const identity = Option.getOrNull(apiKeys.recall(key, began))
      const organizationId = identity?.organizationId
      if (identity == null || organizationId == null || !permits(identity.permissions, permission)) {
        return ordinary(request, response)
      }

      const reservation = bodies.reserveNow(organizationId, Number(headers["content-length"]), response)
      if (reservation === null) return ordinary(request, response)
      readWhole(request, (body) => {
        const wanted = sendOf(body, headers["idempotency-key"])
        if (Option.isNone(wanted)) {
          keepBody(request, body)
          reservation.release()
          return ordinary(request, response)
        }
        const requestId = requestIdOf(headers)
        const remoteAddress = Option.fromNullable(request.socket.remoteAddress)
        const metadata = requestMetadata({ method, url, headers, remoteAddress }, isTrusted)
        const { id: apiKeyId, permissions } = identity
        const caller = { organizationId, apiKeyId, permissions, request: metadata, traceParent: null }
        const answered = Effect.map(send(caller, wanted.value), (answer) => {
          activity.record({
            organizationId,
            apiKeyId,
            method,
            path: metadata.endpoint,
            route: route.path,
            status: answer.status,
            latencyMs: clock.unsafeCurrentTimeMillis() - began,
            ipAddress: metadata.ipAddress,
            at: began
          })
          write(response, answer, requestId)
        })
        fork(withNotes(answered, organizationId, requestId))
      })
    }
})
