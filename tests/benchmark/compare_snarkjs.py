#!/usr/bin/env python3
"""Compares `baton prove` with `snarkjs groth16 prove` on generated circuits and prints tables in Markdown.

    compare_snarkjs.py [--bin build/release/bin] [--rounds 3] [--memory 18] [--work FOLDER] [SHAPE:LOG_SIZE ...]

Whole commands, interleaved, on the same machine. CPU seconds count the command and every process that it started.
With --memory K the peak of memory (sum of PSS over all processes of one command) is sampled on chain 2^K, beside the
bound key + 400 bytes x domain + 64 MB. The last table compares wall time on one core and on all.
"""
import argparse
import ctypes
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SNARKJS = ROOT / "tests/snarkjs/node_modules/.bin/snarkjs"
PR_SET_CHILD_SUBREAPER = 36
SAMPLE_SECONDS = 0.02


class Fixture:
    def __init__(self, binaries, folder, shape, log_size):
        self.name = f"{shape} 2^{log_size}"
        self.domain = 2**log_size
        prefix = folder / f"{shape}{log_size}"
        self.key, self.witness = prefix.with_suffix(".zkey"), prefix.with_suffix(".wtns")
        if not self.key.exists():
            subprocess.run([binaries / "baton-fixture", shape, str(log_size), prefix], check=True,
                           stdout=subprocess.DEVNULL)


def commands(binaries, fixture, folder):
    files = [fixture.key, fixture.witness, folder / "proof.json", folder / "public.json"]
    return {"baton": [binaries / "baton", "prove", "--private", *files], "snarkjs": [SNARKJS, "groth16", "prove", *files]}


def measure(command, cores=None):
    """Wall and CPU seconds of a command with all of its descendants; `cores` restricts them."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    pin = (lambda: os.sched_setaffinity(0, cores)) if cores else None
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, preexec_fn=pin)
    wall = time.monotonic() - start
    reap_orphans()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def reap_orphans():
    """Waits for processes that outlived their parent and so became ours."""
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


def descendants(root):
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, queue = [], [root]
    while queue:
        pid = queue.pop()
        found.append(pid)
        queue += children.get(pid, [])
    return found


def pss_bytes(pid):
    try:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def peak_pss(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak = 0
    done = threading.Event()

    def sample():
        nonlocal peak
        while not done.is_set():
            peak = max(peak, sum(pss_bytes(pid) for pid in descendants(process.pid)))
            done.wait(SAMPLE_SECONDS)

    sampler = threading.Thread(target=sample)
    sampler.start()
    code = process.wait()
    done.set()
    sampler.join()
    reap_orphans()
    if code != 0:
        raise SystemExit(f"exit code {code}: {command}")
    return peak


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def print_header(*cells):
    print_row(*cells)
    print_row(*["---"] * len(cells))


def compare(binaries, fixtures, rounds, folder):
    print_header("circuit", "baton CPU s", "snarkjs CPU s", "ratio (median)", "lowest ratio", "baton wall s",
                 "snarkjs wall s")
    for fixture in fixtures:
        runs = {"baton": [], "snarkjs": []}
        for _ in range(rounds):
            for name, command in commands(binaries, fixture, folder).items():
                runs[name].append(measure(command))
        wall, cpu = ({name: statistics.median(run[i] for run in many) for name, many in runs.items()}
                     for i in range(2))
        ratios = [theirs[1] / ours[1] for ours, theirs in zip(runs["baton"], runs["snarkjs"])]
        print_row(fixture.name, f"{cpu['baton']:.2f}", f"{cpu['snarkjs']:.2f}", f"{statistics.median(ratios):.1f}",
                  f"{min(ratios):.1f}", f"{wall['baton']:.2f}", f"{wall['snarkjs']:.2f}")


def compare_memory(binaries, fixture, folder):
    peak = peak_pss(commands(binaries, fixture, folder)["baton"])
    bound = fixture.key.stat().st_size + 400 * fixture.domain + 64 * 2**20
    print_header("circuit", "peak PSS MB", "bound MB")
    print_row(fixture.name, f"{peak / 2**20:.0f}", f"{bound / 2**20:.0f}")


def compare_cores(binaries, fixtures, rounds, folder):
    print_header("circuit", "wall s on 1 core", f"wall s on {os.cpu_count()} cores", "gain")
    for fixture in fixtures:
        command = commands(binaries, fixture, folder)["baton"]
        one, many = [], []
        for _ in range(rounds):
            one.append(measure(command, {0})[0])
            many.append(measure(command)[0])
        one, many = statistics.median(one), statistics.median(many)
        print_row(fixture.name, f"{one:.2f}", f"{many:.2f}", f"{one / many:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("circuits", nargs="*", metavar="SHAPE:LOG_SIZE")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int, default=18, help="log size of the memory measurement; 0: none")
    parser.add_argument("--work", type=pathlib.Path, help="keeps the fixtures there")
    arguments = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.work or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        binaries = arguments.bin.resolve()
        fixtures = [Fixture(binaries, folder, shape, int(log_size)) for shape, log_size in
                    (circuit.split(":") for circuit in arguments.circuits or ["chain:16", "bits:16"])]
        compare(binaries, fixtures, arguments.rounds, folder)
        print()
        compare_cores(binaries, fixtures, arguments.rounds, folder)
        if arguments.memory:
            print()
            compare_memory(binaries, Fixture(binaries, folder, "chain", arguments.memory), folder)


if __name__ == "__main__":
    main()
