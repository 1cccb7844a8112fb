import type { MailRoute } from "@switchboard/domain/email/domains/DomainRecords"
import { Context } from "effect"

/** The host names that the DNS records of domains point to. */
export class MailRouting extends Context.Tag("services/MailRouting")<MailRouting, MailRoute>() {}
