// Derivatives chosen step by step, and the way between a function and its derivatives.

import * as vscode from "vscode";
import type { WorkspaceEdit } from "vscode-languageclient/node";
import type { Server } from "./client";
import { apply, ask, isNamed, type PlainRange, reveal, viaCodeAction } from "./requests";

interface Choices {
  readonly version: number;
  readonly kinds: readonly { readonly kind: string; readonly title: string }[];
  readonly parameters: readonly string[];
  readonly placements: readonly { readonly placement: string; readonly title: string }[];
  readonly placement: string;
}

/** A generated function, and how it stands to its own. */
export interface State {
  readonly name: string;
  readonly function: string;
  readonly kind: string;
  readonly state: string;
  readonly uri: string;
  readonly range: PlainRange;
  readonly functionUri: string;
  readonly functionRange: PlainRange | null;
}

/** What was chosen is not lost where the focus goes elsewhere, as it does when the menu of actions closes late. */
const STEP = { ignoreFocusOut: true };

/** Kind, parameters and place, each from a list; then the server's edit. */
export async function chooseDerivative(server: Server, argument: unknown): Promise<void> {
  if (!isNamed(argument)) {
    await viaCodeAction(server, "refactor.rewrite.pullback.choose");
    return;
  }
  const { uri, qualname } = argument;
  const choices = await ask<Choices>(server, "pullback/choices", argument);
  if (choices === undefined) return;
  const title = `Derivative of ${qualname}`;
  const kind = await vscode.window.showQuickPick(
    choices.kinds.map(({ kind: name, title: label }) => ({ label, name })),
    { ...STEP, title: `${title} (1/3)`, placeHolder: "Which?" },
  );
  if (kind === undefined) return;
  const parameters = choices.parameters.map((label, at) => ({ label, picked: at === 0 }));
  const wrt = await vscode.window.showQuickPick(parameters, {
    ...STEP,
    title: `${title} (2/3)`,
    placeHolder: "With respect to?",
    canPickMany: true,
  });
  if (wrt === undefined || wrt.length === 0) return;
  const place = await vscode.window.showQuickPick(currentFirst(choices), {
    ...STEP,
    title: `${title} (3/3)`,
    placeHolder: "Where? The choice is remembered",
  });
  if (place === undefined) return;
  const { placement } = place;
  const wanted = { uri, qualname, kind: kind.name, wrt: wrt.map(({ label }) => label), placement };
  const { version } = choices;
  const edit = await ask<WorkspaceEdit>(server, "pullback/derivative", { ...wanted, version });
  if (edit === undefined || !(await apply(server, edit))) return;
  if (placement !== choices.placement) await remember(vscode.Uri.parse(uri, true), placement);
}

const currentFirst = ({ placements, placement }: Choices) =>
  placements
    .map(({ placement, title: label }) => ({ label, placement }))
    .sort((a, b) => Number(b.placement === placement) - Number(a.placement === placement));

/** In the setting, where the one that now counts is written: the folder's, the workspace's or the user's. */
async function remember(uri: vscode.Uri, placement: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("pullback", uri);
  const known = configuration.inspect("placement");
  const target =
    known?.workspaceFolderValue !== undefined
      ? vscode.ConfigurationTarget.WorkspaceFolder
      : known?.workspaceValue !== undefined
        ? vscode.ConfigurationTarget.Workspace
        : vscode.ConfigurationTarget.Global;
  await configuration.update("placement", placement, target);
}

/** From the function at the cursor to its derivative, or one of them. */
export async function goToDerivative(server: Server): Promise<void> {
  const states = await statesAtCursor(server);
  if (states === undefined) return;
  const items = states.map((state) => ({ label: state.name, description: state.state, state }));
  const chosen =
    items.length > 1 ? await vscode.window.showQuickPick(items, { title: "Derivatives" }) : items[0];
  if (chosen !== undefined) await reveal(chosen.state.uri, chosen.state.range);
  else if (items.length === 0) void vscode.window.showInformationMessage("It has no derivative yet.");
}

/** From the derivative at the cursor to its function. */
export async function goToFunction(server: Server): Promise<void> {
  const states = await statesAtCursor(server);
  const [state] = states ?? [];
  if (state?.functionRange) await reveal(state.functionUri, state.functionRange);
  else if (states) void vscode.window.showInformationMessage("This is no generated function.");
}

async function statesAtCursor(server: Server): Promise<readonly State[] | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { uri } = editor.document;
  const { line, character } = editor.selection.active;
  const params = { uri: uri.toString(), position: { line, character } };
  const answer = await ask<{ states: readonly State[] }>(server, "pullback/states", params);
  return answer?.states;
}

/** The server's action for everything that is out of date in the file. */
export async function bringUpToDate(): Promise<void> {
  await vscode.commands.executeCommand("editor.action.sourceAction", {
    kind: "source.fixAll.pullback",
    apply: "first",
  });
}

/** What was edited by hand, beside what would be generated. */
export async function compare(argument: unknown): Promise<void> {
  const { uri, address, title } = argument as { uri: string; address: string; title: string };
  await vscode.commands.executeCommand(
    "vscode.diff",
    vscode.Uri.parse(uri, true),
    vscode.Uri.parse(address, true),
    `${title}: as it is ↔ as it would be generated`,
  );
}
