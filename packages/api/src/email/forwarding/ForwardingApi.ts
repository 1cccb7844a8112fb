import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import {
  CreateForwardingRule,
  ForwardingLog,
  ForwardingRule,
  ForwardingRuleFilters,
  ForwardingRuleId,
  UpdateForwardingRule
} from "@switchboard/domain/email/forwarding/ForwardingRule"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Audit, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../../JsonParameter.js"

const id = Schema.Struct({ id: ForwardingRuleId })

/** Query parameters of the list of rules. */
export const ForwardingRuleListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ForwardingRuleFilters, { search: "support" }))
})

export const ForwardingRulePage = Page(ForwardingRule).annotations({ identifier: "ForwardingRulePage" })
export const ForwardingLogPage = Page(ForwardingLog).annotations({ identifier: "ForwardingLogPage" })

/** Forwarding rules and their log. */
export class ForwardingApi extends HttpApiGroup.make("forwarding")
  .add(
    HttpApiEndpoint.get("list", "/email/forwarding/rules")
      .setUrlParams(ForwardingRuleListParams)
      .addSuccess(ForwardingRulePage)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List forwarding rules")
      .annotate(OpenApi.Description, "Forwarding rules of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.post("create", "/email/forwarding/rules")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateForwardingRule)
      .addSuccess(ForwardingRule, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Audit, { values: "resource", path: "/v1/email/forwarding/rules/:id" })
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Create a forwarding rule")
      .annotate(
        OpenApi.Description,
        [
          "Forwards mail for a receiving address, or for an address of a catch-all, to `forwardTo`.",
          "",
          "- **Order:** for each recipient the rules are tried by `priority`, lowest number first, then oldest first. The first match applies.",
          "- **Match:** all conditions of `match` must hold. Upper and lower case are equal.",
          "- **Copy:** with `keepCopy` the mail is also received. A reply to a message is always received.",
          "- **Rewriting:** with `rewriteFrom`, mail whose sender has the DMARC policy `quarantine` or `reject`, or a policy that cannot be looked up, gets the receiving address as `From`, with the sender's name. It is signed with DKIM, without an ARC seal. `Reply-To` becomes the original author unless the mail has one; `X-Original-From` keeps the author.",
          "- **Other mail** is forwarded unchanged, with an ARC seal.",
          "- **Loops:** mail that the rule already forwarded, or that was forwarded three times, is not forwarded (`loop_blocked`).",
          "- **Blocks:** a blocked address gets no mail. If no address could be reached, the mail is received even without `keepCopy`.",
          "- 409: the rule would receive the mail that it forwards."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/email/forwarding/rules/:id")
      .setPath(id)
      .setPayload(UpdateForwardingRule)
      .addSuccess(ForwardingRule)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Update a forwarding rule")
      .annotate(
        OpenApi.Description,
        "Changes the given fields. `match` and `forwardTo` replace the earlier values. `null` resets a field that a creation may omit. Mail in transit keeps its addresses, and uses the current `rewriteFrom`."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/forwarding/rules/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Delete a forwarding rule")
      .annotate(OpenApi.Description, "The log stays. Mail in transit is still forwarded, without a rewritten `From`.")
  )
  .add(
    HttpApiEndpoint.get("log", "/email/forwarding/log")
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(ForwardingLogPage)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List the forwarding log")
      .annotate(
        OpenApi.Description,
        [
          "One entry for each mail and address, newest first, once the result is known:",
          "",
          "- `forwarded`: the relay took it.",
          "- `failed`: it was rejected, attempted for twelve hours, or returned later, or the address is blocked.",
          "- `loop_blocked`: the same rule had forwarded it before, or it was forwarded too often.",
          "",
          "Entries of a catch-all have no `ruleId`."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Forwarding") {}
