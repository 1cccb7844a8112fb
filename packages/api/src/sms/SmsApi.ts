import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import { CreateOptOut, OptOut, OptOutFilters, OptOutId } from "@switchboard/domain/sms/OptOut"
import { SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { Schema } from "effect"
import { Audit, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Removed } from "../CommonShapes.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../JsonParameter.js"

/** The numbers of an organization. */
export const NumberList = Schema.Struct({ items: Schema.Array(SmsNumber) }).annotations({ identifier: "NumberList" })

/** The numbers and sender ids of the organization. */
export class NumbersApi extends HttpApiGroup.make("numbers")
  .add(
    HttpApiEndpoint.get("list", "/numbers")
      .addSuccess(NumberList)
      .annotate(Permission, "messages.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List numbers")
      .annotate(
        OpenApi.Description,
        [
          "Numbers and sender ids of the organization, oldest first.",
          "",
          "- The first number of a channel is its default sender.",
          "- The command `switchboard numbers` adds and removes numbers."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Numbers") {}

/** Query parameters of the list of opt-outs. */
export const OptOutListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(OptOutFilters, { phone: "+4930123456" }))
})

export const OptOutPage = Page(OptOut).annotations({ identifier: "OptOutPage" })

/** Phones that get no texts from a number. */
export class OptOutsApi extends HttpApiGroup.make("optOuts")
  .add(
    HttpApiEndpoint.get("list", "/sms/opt-outs")
      .setUrlParams(OptOutListParams)
      .addSuccess(OptOutPage)
      .annotate(Permission, "messages.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List opt-outs from texts")
      .annotate(OpenApi.Description, "Phones that get no texts from a number of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.post("create", "/sms/opt-outs")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateOptOut)
      .addSuccess(OptOut, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Audit, { values: "resource", path: "/v1/sms/opt-outs/:id" })
      .annotate(Permission, "email.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Opt a phone out of texts")
      .annotate(
        OpenApi.Description,
        [
          "Blocks all texts from a number of the organization to a phone.",
          "",
          "- A received text that is only `STOP`, `STOPALL`, `UNSUBSCRIBE`, `CANCEL`, `END` or `QUIT`, in any case, does the same. `START` and `UNSTOP` lift the opt-out.",
          "- Accepted messages that are not sent yet are affected too.",
          "- Texts from other numbers of the organization are not affected.",
          "- 409: the phone already opted out of the number."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/sms/opt-outs/:id")
      .setPath(Schema.Struct({ id: OptOutId }))
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Lift an opt-out from texts")
      .annotate(OpenApi.Description, "Texts from the number to the phone are sent again.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "SMS opt-outs") {}
