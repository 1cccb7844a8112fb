import { client } from "../../app/Client.js"
import { showDone } from "../../app/Toasts.js"
import type { ForwardingRule } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { FormDialog } from "../../components/FormDialog.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { RuleFields, ruleOf } from "./RuleFields.js"

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
export const RuleRow = ({ changed, removed, rule }: RuleRowProps) => {
  const { forwardTo, id, isActive, keepCopy, lastMatchedAt, matchCount, name } = rule
  const edit = async (form: FormData) => {
    const { priority = null, ...fields } = ruleOf(form)
    changed(await client.forwarding.update({ path: { id }, payload: { ...fields, priority } }))
    showDone("The rule is saved")
  }
  const setActive = async () => {
    changed(await client.forwarding.update({ path: { id }, payload: { isActive: !isActive } }))
    showDone(isActive ? "Mail is not forwarded by this rule from now on" : "The rule is active")
  }
  const remove = async () => {
    await client.forwarding.remove({ path: { id } })
    showDone("The rule is deleted")
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
      <span class="count">{matchCount === 1 ? "1 mail" : `${matchCount.toLocaleString("en")} mails`}</span>
      {lastMatchedAt === undefined ? <span class="last">never</span> : <Time value={lastMatchedAt} />}
      <span class="row-actions">
        <FormDialog label="Edit" permission="email.write" submitLabel="Save" submit={edit}>
          <RuleFields rule={rule} />
        </FormDialog>
        <ActionButton label={isActive ? "Deactivate" : "Activate"} permission="email.write" action={setActive} />
        <ActionButton
          label="Delete"
          kind="danger"
          permission="email.write"
          confirm={`Delete the rule ${name}? Mail is not forwarded by it from then on. Its log stays.`}
          action={remove}
        />
      </span>
    </>
  )
}
