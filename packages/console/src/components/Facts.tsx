import type { ComponentChildren } from "preact"

/** Facts with their names. A fact without a value is left out. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [string, ComponentChildren]> }) => (
  <dl class="facts">
    {facts.map(([name, value], index) =>
      value === undefined || value === null || value === "" ? null : (
        <div key={`${index} ${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      )
    )}
  </dl>
)
