import { queueTables } from "../queues/QueueTables.js"
import { tablesOf } from "../schema/Queues.js"
import { Texts } from "../schema/Texts.js"

/** Text messages. Copy the texts of `schema/` here before the release that follows 0.3.0 changes them. */
export const M0078Texts = [Texts, tablesOf(queueTables.sms), tablesOf(queueTables.provider_event)].join("\n")
