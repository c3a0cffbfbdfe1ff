// The life of the language server: found, started, restarted, stopped.

import * as path from "node:path";
import * as vscode from "vscode";
import {
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  State,
  TextDocumentContentRequest,
} from "vscode-languageclient/node";
import { type Answer, crashes } from "./crashes";
import { findInterpreter, type Interpreter } from "./interpreter";
import { ISOLATED } from "./python";
import { oneWaiting } from "./queue";
import { settingsGiven } from "./settings";
import type { Status } from "./status";

export const DOCUMENTS = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
  { notebook: "*", language: "python" },
];

/** Commands of the server's that are carried out here. */
const COMMANDS = ["showAdjoint", "chooseDerivative", "compare", "checkGradient"].map(
  (name) => `pullback.${name}`,
);

const NOT_CANCELLED = new vscode.CancellationTokenSource().token;

/** What to do about a server that is not there: a button's label and the command behind it. */
type WayOut = readonly [label: string, command: string];

const SHOW_LOG: WayOut = ["Show Log", "pullback.showLog"];
const REPORT: WayOut = ["Report a Problem", "pullback.reportProblem"];
const TO_START: readonly WayOut[] = [
  ["Select Interpreter…", "pullback.selectInterpreter"],
  ["Open Settings", "pullback.openSettings"],
  SHOW_LOG,
];
const TO_START_AGAIN: readonly WayOut[] = [["Restart Server", "pullback.restart"], REPORT, SHOW_LOG];

export class Server {
  private readonly queue = oneWaiting(() => this.startAnew());
  private latest = Promise.resolve();
  private crashed: (() => Answer) | undefined; // once it has run
  private client: LanguageClient | undefined;
  private interpreter: Interpreter | undefined;

  constructor(
    private readonly extensionFolder: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {}

  /** Starts the server, or starts it anew. */
  restart(): Promise<void> {
    this.latest = this.queue();
    return this.latest;
  }

  /** Ends when the server that is being started answers, or has failed to. */
  async settled(): Promise<void> {
    await this.latest;
  }

  /** The client, once the server answers. */
  get running(): LanguageClient | undefined {
    return this.client?.isRunning() ? this.client : undefined;
  }

  /** The command of the Python that runs the server. */
  get interpreterAtWork(): readonly string[] | undefined {
    return this.interpreter?.command;
  }

  get version(): string | undefined {
    return this.running?.initializeResult?.serverInfo?.version;
  }

  /** A file that comes with the extension's Python. */
  bundled(name: string): string {
    return path.join(this.extensionFolder, "bundled", name);
  }

  /** Restarts only where another interpreter than the one at work would be found now. */
  async restartIfInterpreterChanged(): Promise<void> {
    await this.latest;
    const search = await findInterpreter(this.extensionFolder, this.log);
    const found = search.kind === "found" ? search.interpreter.command : undefined;
    if (found?.join("\0") !== this.interpreter?.command.join("\0")) await this.restart();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.interpreter = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      // A server that crashed cannot say goodbye; what matters is that it is gone.
      this.log.warn(`The server did not stop in order: ${String(error)}`);
    }
  }

  private async startAnew(): Promise<void> {
    await this.stop();
    this.status.starting();
    const search = await findInterpreter(this.extensionFolder, this.log);
    if (search.kind === "none") {
      this.fail(search.message);
      return;
    }
    this.interpreter = search.interpreter;
    const { command, version, origin } = search.interpreter;
    this.log.info(`Starting the server with ${command.join(" ")} (Python ${version}, ${origin})`);
    this.crashed = undefined;
    this.client = this.createClient(search.interpreter);
    try {
      await this.client.start();
    } catch (error) {
      this.fail(`Pullback's server did not start: ${String(error)}`);
    }
  }

  private createClient(interpreter: Interpreter): LanguageClient {
    const [program, ...args] = interpreter.command;
    const script = this.bundled("start.py");
    const server: ServerOptions = {
      command: program,
      args: [...args, ...ISOLATED, script],
      // Not the workspace: a folder that someone else wrote is no place to start programs in.
      options: { cwd: this.extensionFolder },
    };
    const pages = vscode.Uri.file(path.join(this.extensionFolder, "bundled", "docs", "diagnostics"));
    const options: LanguageClientOptions = {
      documentSelector: DOCUMENTS,
      initializationOptions: {
        commands: COMMANDS,
        documentation: pages.toString(),
      },
      outputChannel: this.log,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => this.afterCrash(),
      },
      middleware: {
        workspace: { configuration: ({ items }) => items.map(settingsGiven) },
        handleRegisterCapability: async (params, register) => {
          await register(params, NOT_CANCELLED);
          const methods = params.registrations.map(({ method }) => method);
          if (methods.includes(TextDocumentContentRequest.method)) refreshVirtualDocuments(client);
        },
      },
    };
    const client = new LanguageClient("pullback", "Pullback", server, options);
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) this.showState(client, newState, interpreter);
    });
    return client;
  }

  private showState(client: LanguageClient, state: State, interpreter: Interpreter): void {
    if (state === State.Starting) this.status.starting();
    if (state === State.Stopped) this.status.failed("The server stopped; see the log");
    if (state !== State.Running) return;
    this.crashed ??= crashes();
    const serverVersion = client.initializeResult?.serverInfo?.version ?? "";
    const { version, command } = interpreter;
    this.status.ready(serverVersion, `Python ${version}: ${command.join(" ")}`);
  }

  /** A server that ended by itself is started again, with the text as it stands in the editor. */
  private afterCrash(): CloseHandlerResult {
    const answer = this.crashed?.();
    if (answer === undefined) return { action: CloseAction.DoNotRestart, handled: true }; // `startAnew` tells
    if (answer === "enough") {
      this.fail("Pullback's server crashes again and again, and is not started any more.", TO_START_AGAIN);
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    if (answer === "first") {
      const message = "Pullback's server crashed and was started again. Your text is as it was.";
      offer(vscode.window.showWarningMessage, message, [REPORT, SHOW_LOG]);
    }
    return { action: CloseAction.Restart, handled: true };
  }

  private fail(message: string, waysOut = TO_START): void {
    this.log.error(message);
    this.status.failed(message);
    offer(vscode.window.showErrorMessage, message, waysOut);
  }
}

// Not awaited: the message stays until somebody answers it, and a restart must not wait for that.
function offer(
  show: (message: string, ...labels: string[]) => Thenable<string | undefined>,
  message: string,
  waysOut: readonly WayOut[],
): void {
  void show(message, ...waysOut.map(([label]) => label)).then((chosen) => {
    const way = waysOut.find(([label]) => label === chosen);
    if (way) void vscode.commands.executeCommand(way[1]);
  });
}

// VS Code asks for the text of a virtual document once; a new server may have another answer.
function refreshVirtualDocuments(client: LanguageClient): void {
  const feature = client.getFeature(TextDocumentContentRequest.method);
  for (const { scheme, onDidChangeEmitter } of feature?.getProviders() ?? []) {
    vscode.workspace.textDocuments
      .filter((document) => document.uri.scheme === scheme)
      .forEach((document) => {
        onDidChangeEmitter.fire(document.uri);
      });
  }
}
