import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { UserInvitationId } from "@switchboard/domain/users/User"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Invitations } from "@switchboard/services/users/Invitations"
import { PasswordResets } from "@switchboard/services/users/PasswordResets"
import { Users } from "@switchboard/services/users/Users"
import { Effect, Redacted } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { auditedSession } from "../audit/AuditedSession.js"
import { done, removed } from "../CommonShapes.js"
import { AuthenticationLimit, requestMetadata } from "../http/AuthorizationHttp.js"
import { changeResponse, HttpSettings, isWithin } from "../http/HttpContext.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"
import { setSession } from "../sessions/SessionCaller.js"

export const UsersHttp = HttpApiBuilder.group(
  Api,
  "users",
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    const invitations = yield* Invitations
    const resets = yield* PasswordResets
    const sessions = yield* Sessions
    const audited = yield* auditedSession
    const failures = yield* AuthenticationLimit
    const { secureCookies, trustedProxies } = yield* HttpSettings
    const isTrusted = isWithin(trustedProxies)
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => users.list(organizationId, filters, pageRequest(params)))
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => users.get(organizationId, id))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, (caller) => users.update(caller, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, (caller) => Effect.as(users.remove(caller, id), removed))
      )
      .handle("removeTotp", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, (caller) => Effect.as(users.removeTotp(caller, id), removed))
      )
      .handle("listInvitations", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => invitations.list(organizationId, pageRequest(urlParams)))
      )
      .handle(
        "invite",
        once(
          ({ payload }, caller) => invitations.create(caller, payload),
          (id, { organizationId }) => invitations.get(organizationId, UserInvitationId.make(id))
        )
      )
      .handle("removeInvitation", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.as(invitations.remove(organizationId, id), removed)
        )
      )
      .handle("acceptInvitation", ({ payload }) =>
        Effect.gen(function* () {
          const { session, token } = yield* failures.guard(invitations.accept(payload))
          const identity = yield* sessions.authenticate(token)
          yield* audited("users.acceptInvitation", identity, changeResponse(setSession(token, secureCookies)))
          return session
        })
      )
      .handle("requestReset", ({ payload: { email }, request }) =>
        Effect.zipRight(failures.count, Effect.as(resets.request(email, requestMetadata(request, isTrusted)), done))
      )
      .handle("confirmReset", ({ payload: { password, token } }) =>
        failures.guard(
          Effect.gen(function* () {
            const reset = yield* resets.find(Redacted.make(token))
            yield* audited("users.confirmReset", reset, resets.confirm(reset, Redacted.make(password)))
            return done
          })
        )
      )
      .pipe(withBodies)
  })
)
