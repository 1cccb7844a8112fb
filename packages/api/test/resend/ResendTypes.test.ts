import type { ListedEmail, ResendEmail } from "@switchboard/api/resend/ResendEmail"
import type { BatchAccepted } from "@switchboard/api/resend/ResendEmailsApi"
import type { ResendError } from "@switchboard/api/resend/ResendError"
import type { ResendFile } from "@switchboard/api/resend/ResendFile"
import type { ListedReceived, ResendReceived } from "@switchboard/api/resend/ResendReceivingApi"
import type {
  AttachmentData,
  CreateBatchSuccessResponse,
  ErrorResponse,
  GetEmailResponseSuccess,
  GetReceivingEmailResponseSuccess,
  ListEmail,
  ListReceivingEmail
} from "resend"
import { expectTypeOf, it } from "vitest"

it("The responses have the types of the SDK", () => {
  expectTypeOf<typeof ResendEmail.Encoded>().toExtend<GetEmailResponseSuccess>()
  expectTypeOf<typeof ListedEmail.Encoded>().toExtend<ListEmail>()
  expectTypeOf<typeof ResendReceived.Encoded>().toExtend<GetReceivingEmailResponseSuccess>()
  expectTypeOf<typeof ListedReceived.Encoded>().toExtend<ListReceivingEmail>()
  expectTypeOf<typeof ResendFile.Encoded>().toExtend<AttachmentData>()
  type Accepted = (typeof BatchAccepted.Encoded)["data"][number]
  expectTypeOf<Accepted>().toExtend<CreateBatchSuccessResponse["data"][number]>()
  type Error = Omit<ResendError, "name"> & { readonly name: Exclude<ResendError["name"], "not_implemented"> }
  expectTypeOf<Error>().toExtend<ErrorResponse>()
})
