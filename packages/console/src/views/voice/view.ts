import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of voice calls. */
export const callsView = defineView({
  path: paths.calls,
  permission: "voice.read",
  navigation: { group: "Voice", label: "Calls", icon: "phone" },
  load: () => import("./CallsView.js")
})

/** One voice call with its transcript and its recording. */
export const callView = defineView({
  path: paths.call,
  permission: "voice.read",
  load: () => import("./CallView.js")
})

/** The list of voice agents. */
export const agentsView = defineView({
  path: paths.agents,
  permission: "voice.read",
  navigation: { group: "Voice", label: "Agents", icon: "user" },
  load: () => import("./AgentsView.js")
})

/** One voice agent. */
export const agentView = defineView({
  path: paths.agent,
  permission: "voice.read",
  load: () => import("./AgentView.js")
})

/** The list of voice workflows. */
export const workflowsView = defineView({
  path: paths.workflows,
  permission: "voice.read",
  navigation: { group: "Voice", label: "Workflows", icon: "workflow" },
  load: () => import("./WorkflowsView.js")
})

/** One voice workflow with its graph. */
export const workflowView = defineView({
  path: paths.workflow,
  permission: "voice.read",
  load: () => import("./WorkflowView.js")
})
