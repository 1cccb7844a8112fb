import type { MailRoute } from "@switchboard/domain/email/domains/DomainRecords"
import { Context } from "effect"

/** What the records of domains lead to. */
export class MailRouting extends Context.Tag("services/MailRouting")<MailRouting, MailRoute>() {}
