import type { ComponentChildren } from "preact"
import { changeQuery, place } from "../app/Location.js"

interface Tab {
  readonly name: string
  readonly label: string
  readonly content: () => ComponentChildren
}

/** Moves to the next tab with the arrow keys (WAI-ARIA tabs pattern). */
const moveFocus = (event: KeyboardEvent) => {
  const { currentTarget, key } = event
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0
  if (step === 0 || !(currentTarget instanceof HTMLElement)) return
  const buttons = [...currentTarget.querySelectorAll("button")]
  const at = buttons.findIndex((button) => button.matches(":focus"))
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
}

/** Tabs; the selected one is a part of the URL. The content of a tab is rendered when it is selected. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: ReadonlyArray<Tab> }) => {
  const selected = tabs.find(({ name }) => name === place.value.query.get("tab")) ?? tabs[0]
  if (selected === undefined) return null
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={moveFocus}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`tab-${tab.name}`}
            aria-selected={tab === selected}
            aria-controls="tab-content"
            tabIndex={tab === selected ? 0 : -1}
            onClick={() => changeQuery({ tab: tab === tabs[0] ? undefined : tab.name })}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id="tab-content" role="tabpanel" aria-labelledby={`tab-${selected.name}`} class="tab-content">
        {selected.content()}
      </div>
    </>
  )
}
