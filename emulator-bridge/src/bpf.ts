/** A compiled congestion control (BPF struct_ops) that is loaded into the kernel for the time of a run, as `kernel-bpf-<name>`. */
export interface BpfObject {
  readonly name: string;
  readonly path: string;
}

export const BPF_NAME = /^[a-z0-9_-]{1,48}$/;

/** As the native programs take them. */
export const bpfWords = (objects: readonly BpfObject[]): string[] =>
  objects.flatMap(({ name, path }) => ['--bpf', `${name}=${path}`]);
