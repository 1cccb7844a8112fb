import { queueTables } from "../queues/QueueTables.js"
import { tablesOf } from "../schema/Queues.js"
import { Texts } from "../schema/Texts.js"

/** Text messages. Copy the texts of `schema/` here before the release that follows 0.3.0 changes them. */
export const M0078Texts = [
  Texts,
  tablesOf(queueTables.sms),
  tablesOf(queueTables.whatsapp),
  tablesOf(queueTables.provider_event),
  `ALTER TABLE organization_usage ADD COLUMN sms_used bigint NOT NULL DEFAULT 0,
    ADD COLUMN sms_used_this_month bigint NOT NULL DEFAULT 0,
    ADD COLUMN whatsapp_used bigint NOT NULL DEFAULT 0, ADD COLUMN whatsapp_used_this_month bigint NOT NULL DEFAULT 0;`,
  "ALTER TABLE email_templates ADD COLUMN channel text NOT NULL DEFAULT 'email';"
].join("\n")
