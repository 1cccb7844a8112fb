import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { ForwardingLog } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { ForwardingRule, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import {
  CreateForwardingRule,
  ForwardingRuleFilters,
  UpdateForwardingRule
} from "@switchboard/domain/email/forwarding/ForwardingRuleRequests"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Examples, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { forwardingExamples } from "./ForwardingExamples.js"

const id = Schema.Struct({ id: ForwardingRuleId })

/** What a list of rules may be narrowed to. */
export const ForwardingRuleListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ForwardingRuleFilters, { search: "support" }))
})

export const ForwardingRulePage = Page(ForwardingRule).annotations({ identifier: "ForwardingRulePage" })
export const ForwardingLogPage = Page(ForwardingLog).annotations({ identifier: "ForwardingLogPage" })

/** Mail that goes on to other addresses. */
export class ForwardingApi extends HttpApiGroup.make("forwarding")
  .add(
    HttpApiEndpoint.get("list", "/email/forwarding/rules")
      .setUrlParams(ForwardingRuleListParams)
      .addSuccess(ForwardingRulePage)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List forwarding rules")
      .annotate(
        OpenApi.Description,
        "Rules of the organization, newest first, whatever their priority. `search` looks into the name."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/email/forwarding/rules")
      .setPayload(CreateForwardingRule)
      .addSuccess(ForwardingRule, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Add a forwarding rule")
      .annotate(
        OpenApi.Description,
        "Mail that comes in for a receiving address, or for one that the catch-all takes, goes on to `forwardTo` as it is; also what programs write. For each recipient the rules are tried by `priority`, the lowest number first, then the oldest, and the first that matches counts. All of `match` must hold, without regard to case: `recipient` and `sender` (of the From header) are an address or `*@` and a domain. With `keepCopy` (the default) the mail is received too, and an answer to a message is received in any case. With `rewriteFrom` (default false) mail of a sender with a DMARC policy of `quarantine` or `reject`, or with one that can't be looked up, passes DMARC after forwarding: From becomes the address that the mail came to, with the sender's name and `via` this domain; the mail is signed with DKIM for this domain, without an ARC seal; `Reply-To` is the original From unless the mail has one, and `X-Original-From` keeps it. Other mail is forwarded unchanged with an ARC seal. A mail that comes back to the rule that forwarded it, or was forwarded three times, goes no further (`loop_blocked`), and an address that is on the list of blocks gets nothing; where no copy was wanted and nobody could be reached, the mail is received after all. A rule that would get back what it forwards is refused (409)."
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
        "Changes what is given; `match` and `forwardTo` take the place of those before. Mail on its way still goes to its addresses, with or without `rewriteFrom` as the rule is now."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/forwarding/rules/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Remove a forwarding rule")
      .annotate(
        OpenApi.Description,
        "Removes the rule. Its log stays. Mail on its way is still forwarded, without a rewritten From."
      )
  )
  .add(
    HttpApiEndpoint.get("log", "/email/forwarding/log")
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(ForwardingLogPage)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List what was forwarded")
      .annotate(
        OpenApi.Description,
        "One entry for each mail and address, newest first, once it is known what became of it: `forwarded` when the relay took it, `failed` when it was refused, tried for twelve hours, or returned later, or when the address is blocked, `loop_blocked` when it had been forwarded by the same rule before, or too often. What a catch-all forwards has no `ruleId`."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, forwardingExamples)
  .annotate(OpenApi.Title, "Forwarding") {}
