import { client } from "../app/Client.js"
import { linkTo, paths } from "../app/Paths.js"
import type { ForwardingLog, ForwardingRule } from "../app/Types.js"
import { FormDialog, LinkButton } from "../components/Actions.js"
import { Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { CheckField, isChecked, requiredText, TextField, textOf, textsOf } from "../components/Fields.js"
import { counted } from "../components/Format.js"
import { filterText, ListView, listView } from "../components/ListView.js"
import { showDone } from "../components/Notices.js"
import { DeleteButton, SetActiveButton } from "../components/Resource.js"
import { useLoad } from "../components/View.js"

/** The request of a form. An empty priority is undefined. */
const ruleOf = (form: FormData) => {
  const priority = textOf(form, "priority")
  return {
    name: requiredText(form, "name"),
    match: {
      recipient: textOf(form, "recipient"),
      sender: textOf(form, "sender"),
      subjectContains: textOf(form, "subjectContains")
    },
    forwardTo: textsOf(form, "forwardTo"),
    keepCopy: isChecked(form, "keepCopy"),
    rewriteFrom: isChecked(form, "rewriteFrom"),
    priority: priority === undefined ? undefined : Number(priority)
  }
}

/** The fields of a new rule, or of one to change. */
const RuleFields = ({ rule }: { readonly rule?: ForwardingRule }) => (
  <>
    <TextField label="Name" name="name" required placeholder="Support" value={rule?.name} />
    <fieldset>
      <legend>Mail that matches all of these</legend>
      <TextField
        label="Recipient"
        name="recipient"
        inputMode="email"
        placeholder="support@example.com"
        value={rule?.match.recipient}
        hint="An address, or *@ and a domain."
      />
      <TextField
        label="Sender"
        name="sender"
        inputMode="email"
        placeholder="*@example.com"
        value={rule?.match.sender}
      />
      <TextField
        label="Subject contains"
        name="subjectContains"
        placeholder="Invoice"
        value={rule?.match.subjectContains}
      />
    </fieldset>
    <TextField
      label="Forward to"
      name="forwardTo"
      lines={3}
      required
      placeholder="ada@example.com"
      value={rule?.forwardTo.join("\n")}
      hint="One address on each line."
    />
    <CheckField label="Receive the mail here, too" name="keepCopy" isChecked={rule?.keepCopy ?? true} />
    <CheckField
      label="Replace the sender of mail that its DMARC policy would reject"
      name="rewriteFrom"
      isChecked={rule?.rewriteFrom ?? false}
    />
    <TextField
      label="Priority"
      name="priority"
      inputMode="numeric"
      placeholder="100"
      value={rule?.priority}
      hint="Of several rules that match, the one with the lowest number applies."
    />
  </>
)

interface RuleRowProps {
  readonly rule: ForwardingRule
  readonly changed: (rule: ForwardingRule) => void
  readonly removed: () => void
}

/** The conditions of a rule: `to support@example.com, from *@example.com`. */
const matchText = ({ match: { recipient, sender, subjectContains } }: ForwardingRule): string =>
  [
    ...(recipient === undefined ? [] : [`to ${recipient}`]),
    ...(sender === undefined ? [] : [`from ${sender}`]),
    ...(subjectContains === undefined ? [] : [`subject with “${subjectContains}”`])
  ].join(", ")

/** A rule in the list, with its actions. */
const RuleRow = ({ changed, removed, rule }: RuleRowProps) => {
  const { forwardTo, id, isActive, keepCopy, lastMatchedAt, matchCount, name } = rule
  const edit = async (form: FormData) => {
    const { priority = null, ...fields } = ruleOf(form)
    changed(await client.forwarding.update({ path: { id }, payload: { ...fields, priority } }))
  }
  const remove = async () => {
    await client.forwarding.remove({ path: { id } })
    removed()
  }
  const targets = forwardTo.join(", ")
  return (
    <>
      <span class="name" title={matchText(rule)}>
        <strong>{name}</strong>
        <small>{matchText(rule)}</small>
      </span>
      <span class="secondary" title={targets}>
        {keepCopy ? "copy to " : "to "}
        {targets}
      </span>
      <Status value={isActive ? "active" : "inactive"} />
      <span class="count">{counted(matchCount, "mail")}</span>
      {lastMatchedAt === undefined ? <span class="last">never</span> : <Time value={lastMatchedAt} />}
      <span class="row-actions">
        <FormDialog label="Edit" permission="email.write" submitLabel="Save" submit={edit} done="The rule is saved">
          <RuleFields rule={rule} />
        </FormDialog>
        <SetActiveButton
          isActive={isActive}
          permission="email.write"
          setActive={async (active) =>
            changed(await client.forwarding.update({ path: { id }, payload: { isActive: active } }))
          }
          done={isActive ? "Mail is not forwarded by this rule from now on" : "The rule is active"}
        />
        <DeleteButton
          permission="email.write"
          confirm={`Delete the rule ${name}? Mail is not forwarded by it from then on. Its log stays.`}
          action={remove}
          done="The rule is deleted"
        />
      </span>
    </>
  )
}

/** The forwarding rules, newest first. */
export const ForwardingView = listView({
  title: "Forwarding",
  noun: "rule",
  search: "Find by name",
  filters: () => ({ search: filterText("search") }),
  open: (filters, signal) => client.forwarding.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["message.received"],
  layout: "forwarding",
  columns: { Rule: 1.4, Forwards: 1, Status: "78px", Matches: "64px", "Last match": "84px", "": "244px" },
  row: (rule, { feed }) => (
    <RuleRow rule={rule} changed={(changed) => feed.update([changed])} removed={() => feed.remove(rule.id)} />
  ),
  empty: "A rule forwards received mail to other addresses. Its domain must receive mail first. To create one:",
  example: [
    "/email/forwarding/rules",
    {
      name: "Support",
      match: { recipient: "support@example.com" },
      forwardTo: ["ada@example.com"]
    }
  ],
  actions: ({ refresh }) => {
    const create = async (form: FormData) => {
      const { name } = await client.forwarding.create({ payload: ruleOf(form) })
      showDone(`The rule ${name} is active`)
      refresh()
    }
    return (
      <>
        <LinkButton label="Log" href={linkTo(paths.forwardingLog, {})} />
        <FormDialog label="Create a rule" kind="primary" permission="email.write" submitLabel="Create" submit={create}>
          <RuleFields />
        </FormDialog>
      </>
    )
  }
})

const back = { href: linkTo(paths.forwarding, {}), label: "Forwarding" }

/** The names of all rules by their ids. */
const loadRuleNames = async (signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for await (const { id, name } of client.forwarding.list.all({ urlParams: { limit: feedStep } }, { signal }))
    names.set(id, name)
  return names
}

/** The mails that were forwarded, or could not be, newest first. */
export const ForwardingLogView = () => {
  const { value: names } = useLoad(loadRuleNames, [])
  const ruleName = ({ ruleId }: ForwardingLog) =>
    ruleId === undefined ? "catch-all" : names === undefined ? "" : (names.get(ruleId) ?? "deleted rule")
  return (
    <ListView
      title="Forwarding log"
      noun="entry"
      back={back}
      filters={() => ({})}
      open={(_, signal) => client.forwarding.log.all({ urlParams: { limit: feedStep } }, { signal })}
      events={["message.received"]}
      layout="forwarding-log"
      columns={{ Result: "112px", "Forwarded to": 1.4, Rule: 1, Message: "72px", Time: "96px" }}
      row={(entry) => (
        <>
          <Status value={entry.status} />
          <span class="name" title={entry.error}>
            <strong>{entry.forwardedTo}</strong>
            {entry.error !== undefined && <small>{entry.error}</small>}
          </span>
          <span class="secondary">{ruleName(entry)}</span>
          <a href={linkTo(paths.message, { id: entry.messageId })} title="Found only if a copy was received">
            Details
          </a>
          <Time value={entry.createdAt} />
        </>
      )}
      emptyTitle="Nothing forwarded yet"
      empty="A mail is listed here once the result of its forwarding is known. Forwarding rules choose the mails."
    />
  )
}
