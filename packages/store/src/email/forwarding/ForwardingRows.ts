import {
  ForwardingLog,
  ForwardingRule,
  ForwardingRuleId,
  ForwardingStatus
} from "@switchboard/domain/email/forwarding/ForwardingRule"
import { DateTime, Option, Schema } from "effect"
import { nullable } from "../../RowMapping.js"

const decodeRule = Schema.decodeUnknownSync(
  Schema.Struct({
    ...ForwardingRule.fields,
    match: Schema.Struct({
      recipient: nullable(Schema.String),
      sender: nullable(Schema.String),
      subjectContains: nullable(Schema.String)
    }),
    lastMatchedAt: nullable(Schema.DateTimeUtcFromDate),
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

const decodeLog = Schema.decodeUnknownSync(
  Schema.Struct({
    ...ForwardingLog.fields,
    status: ForwardingStatus,
    ruleId: nullable(ForwardingRuleId),
    error: nullable(Schema.String),
    createdAt: Schema.DateTimeUtcFromDate
  })
)

/** The columns of `forwarding_rules AS r` for `ruleFromRow`. */
export const ruleColumns = `r.id, r.organization_id AS "organizationId", r.name,
  json_build_object('recipient', r.recipient, 'sender', r.sender, 'subjectContains', r.subject_contains) AS match,
  r.forward_to AS "forwardTo", r.keep_copy AS "keepCopy", r.rewrite_from AS "rewriteFrom", r.priority,
  r.is_active AS "isActive", r.match_count::float8 AS "matchCount", r.last_matched_at AS "lastMatchedAt", r.created_at AS "createdAt",
  r.updated_at AS "updatedAt"`

/** Decodes a rule. */
export const ruleFromRow = (row: object): ForwardingRule =>
  new ForwardingRule(decodeRule(row), { disableValidation: true })

/** The columns of a rule that can change, with their values. */
export const changedRuleColumns = (rule: ForwardingRule) => ({
  name: rule.name,
  recipient: rule.match.recipient ?? null,
  sender: rule.match.sender ?? null,
  subject_contains: rule.match.subjectContains ?? null,
  forward_to: [...rule.forwardTo],
  keep_copy: rule.keepCopy,
  rewrite_from: rule.rewriteFrom,
  priority: rule.priority,
  is_active: rule.isActive,
  updated_at: DateTime.toDateUtc(rule.updatedAt)
})

/** The columns of `forwardings AS f` for `forwardingLogFromRow`. */
export const forwardingLogColumns = `f.id, f.rule_id AS "ruleId", f.mail_id AS "messageId",
  f.forward_to AS "forwardedTo", f.status, f.error, f.created_at AS "createdAt"`

/** Decodes a settled forwarding as a log entry. */
export const forwardingLogFromRow = (row: object): ForwardingLog =>
  new ForwardingLog(decodeLog(row), { disableValidation: true })

/** Decodes the rule of the first row, if there is one. */
export const firstRule = ([row]: ReadonlyArray<object>) => Option.map(Option.fromNullable(row), ruleFromRow)
