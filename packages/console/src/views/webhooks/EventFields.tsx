import { eventTypes } from "@switchboard/domain/events/EventType"
import { CheckField } from "../../components/Field.js"

const groups = [...new Set(eventTypes.map((type) => type.slice(0, type.indexOf("."))))]

interface EventFieldsProps {
  readonly selected: ReadonlyArray<string>
}

/** The events of a subscription: all, all of a group, or single ones. */
export const EventFields = ({ selected }: EventFieldsProps) => {
  const isSelected = (name: string) => selected.includes(name)
  return (
    <fieldset class="events">
      <legend>Events</legend>
      <CheckField label="All events, also later ones" name="events" value="*" isChecked={isSelected("*")} />
      {groups.map((group) => {
        const types = eventTypes.filter((type) => type.startsWith(`${group}.`))
        return (
          <details key={group} open={types.some(isSelected) || isSelected(`${group}.*`)}>
            <summary>{group.replaceAll("_", " ")}</summary>
            {[`${group}.*`, ...types].map((name) => (
              <CheckField
                key={name}
                label={<code>{name}</code>}
                name="events"
                value={name}
                isChecked={isSelected(name)}
              />
            ))}
          </details>
        )
      })}
    </fieldset>
  )
}
