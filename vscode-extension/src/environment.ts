// What of the environment the user's program gets when a gradient is checked: what a Python needs to find itself
// and its libraries, and no key or token that this process happens to hold. Knows nothing of VS Code.

type Environment = Readonly<Record<string, string | undefined>>;

const NEEDED = [
  ...["PATH", "PATHEXT", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LANGUAGE"],
  ...["TMPDIR", "TEMP", "TMP", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"],
  // without these no program starts, or none finds its folders, on Windows
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "USERNAME", "USERPROFILE", "HOMEDRIVE"],
  ...["HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "NUMBER_OF_PROCESSORS"],
];
const FAMILIES = /^(LC|PYTHON|CONDA|OMP|OPENBLAS|MKL|BLIS|NUMEXPR|NUMBA|JAX|XLA|CUDA|TF)_?[A-Z]/i;
// Python's own variables are needed; a package index may have its password in its address.
const SECRET = /TOKEN|SECRET|PASSWORD|CREDENTIAL|AUTH|KEY|INDEX_URL/i;

export function needed(environment: Environment): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !SECRET.test(entry[0]) &&
      (NEEDED.includes(entry[0].toUpperCase()) || FAMILIES.test(entry[0])),
  );
  return Object.fromEntries(kept);
}
