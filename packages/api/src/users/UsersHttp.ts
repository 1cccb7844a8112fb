import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { UserInvitationId } from "@switchboard/domain/users/User"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Invitations } from "@switchboard/services/users/Invitations"
import { Users } from "@switchboard/services/users/Users"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { removed } from "../CommonShapes.js"
import { AuthenticationLimit } from "../http/AuthorizationHttp.js"
import { changeResponse, HttpSettings } from "../http/HttpContext.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"
import { setSession } from "../sessions/SessionCaller.js"

export const UsersHttp = HttpApiBuilder.group(
  Api,
  "users",
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    const invitations = yield* Invitations
    const publicUrl = yield* PublicUrl
    const failures = yield* AuthenticationLimit
    const { secureCookies } = yield* HttpSettings
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
      .handle("listInvitations", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => invitations.list(organizationId, pageRequest(urlParams)))
      )
      .handle(
        "invite",
        once(
          ({ payload }, caller) => invitations.create(publicUrl, caller, payload),
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
          yield* changeResponse(setSession(token, secureCookies))
          return session
        })
      )
      .pipe(withBodies)
  })
)
