"""The recipe of a machine's disk: a clean Debian with the few modules it needs."""

from __future__ import annotations

import lzma
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

from tests.vm import cpio, releases
from tests.vm.releases import Release
from tests.vm.sources import sources_list

HERE: Final = Path(__file__).parent
SIZE: Final = "3G"  # of the disk; the file has holes
PATIENCE: Final = 900.0  # seconds for one step; a mirror may be slow


def make(release: Release, work: Path) -> None:
    """Makes disk, kernel and the kernel's first file system in a folder, and writes the version down; needs root."""
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"  {text} ({time.monotonic() - began:.0f} s)", flush=True)

    (work / "sources.list").write_text(sources_list(release.codename))
    root = work / "root"
    fetch = "linux-image-$(uname_of linux-image-amd64)"  # the package with the kernel in it
    _debootstrap(release, work, root, releases.PACKAGES, fetch)
    say("a clean Debian is made")
    (package,) = (work / "fetched").glob("linux-image-*.deb")
    _run("dpkg-deb", "-x", package, work / "image")
    (kernel,) = (work / "image" / "boot").glob("vmlinuz-*")
    version = kernel.name.removeprefix("vmlinuz-")
    built = _build_modules(release, work, version)
    say(f"the modules for {version} are built")
    modules = _modules(work, root, version, built)
    _furnish(root)
    (work / "initrd").write_bytes(_initrd(root, version, modules))
    shutil.copy(kernel, work / "vmlinuz")
    _run("mke2fs", "-q", "-F", "-t", "ext4", "-L", "root", "-d", root, work / "disk.raw", SIZE)
    (work / "version").write_text(version + "\n")
    say("the disk is made")


def _debootstrap(release: Release, work: Path, root: Path, packages: tuple[str, ...], fetch: str) -> None:
    """Makes a root of that release; what `fetch` names is only downloaded, to the folder `fetched`."""
    (work / "fetched").mkdir(exist_ok=True)
    script = work / "fetch.sh"
    script.write_text(
        "#!/bin/sh\nset -eu\nroot=$1\n"
        'uname_of() { chroot "$root" apt-cache depends "$1" | sed -n \'s/.*Depends: linux-image-//p\' | head -n 1; }\n'
        f'chroot "$root" sh -c "mkdir -p /fetched && cd /fetched && apt-get -q download {fetch}"\n'
        f'mv "$root"/fetched/* {work / "fetched"}/\nrmdir "$root/fetched"\n'
    )
    script.chmod(0o755)
    hooks = [f"--customize-hook={script}"] if fetch else []
    _run(
        "mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}", *hooks,
        release.codename, root, work / "sources.list",
    )  # fmt: skip


def _build_modules(release: Release, work: Path, version: str) -> list[Path]:
    """Builds what the kernel lacks, in a root of the release with its compiler: its tools run nowhere else."""
    workshop = work / "workshop"
    packages = ("gcc", "make", "xz-utils", f"linux-headers-{version}", release.linux_source)
    _debootstrap(release, work, workshop, packages, "")
    shutil.copytree(HERE / "kernel", workshop / "build")
    _run("chroot", workshop, "sh", "/build/build.sh", version)
    built = [work / f"{name}.ko" for name in releases.BUILT]
    for path in built:
        shutil.copy(workshop / "build" / path.name, path)
    shutil.rmtree(workshop)
    return built


def _modules(work: Path, root: Path, version: str, built: list[Path]) -> list[Path]:
    """Copies the modules that are wanted, and those that they need, and returns those that the disk needs."""
    whole = work / "image"
    if not (whole / "lib").exists():
        (whole / "lib").symlink_to("usr/lib")
    source, target = whole / "lib/modules" / version, root / "usr/lib/modules" / version
    _run("depmod", "-b", whole, version)
    wanted = {path for name in releases.MODULES for path in _needed(whole, version, name)}
    for path in sorted(wanted):
        copy = target / path.relative_to(source.resolve())
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    (target / "extra").mkdir()
    for path in built:
        shutil.copy(path, target / "extra")
    for name in ("modules.builtin", "modules.order", "modules.builtin.modinfo"):
        shutil.copy(source / name, target / name)
    _run("depmod", "-b", root, version)
    return list(dict.fromkeys(path for name in releases.EARLY for path in _needed(root, version, name)))


def _needed(root: Path, version: str, name: str) -> list[Path]:
    """Returns a module and what it needs, in the order of loading; nothing for one that is built in."""
    command = ["modprobe", "-d", str(root), "-S", version, "--show-depends", name]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment()).stdout
    return [Path(line.split()[1]).resolve() for line in said.splitlines() if line.startswith("insmod ")]


def _furnish(root: Path) -> None:
    """Puts in what the machine needs to be asked, and makes it a machine: a name, a disk, no password."""
    shutil.copy(HERE / "inside/vm_agent.py", root / "usr/local/lib/vm_agent.py")
    shutil.copy(HERE / "inside/vm-agent.service", root / "etc/systemd/system/vm-agent.service")
    _run("chroot", root, "systemctl", "--quiet", "enable", "vm-agent.service")
    _run("chroot", root, "systemctl", "--quiet", "mask", *releases.MASKED)
    (root / "etc/hostname").write_text("table\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost table\n")
    (root / "etc/machine-id").write_text("")
    (root / "etc/fstab").write_text("/dev/vda / ext4 defaults 0 1\n")
    for lists in (root / "etc/apt").glob("sources.list*"):
        shutil.rmtree(lists) if lists.is_dir() else lists.write_text("")


def _initrd(root: Path, version: str, modules: list[Path]) -> bytes:
    entries = [cpio.directory(name) for name in ("bin", "lib", "dev", "proc", "sys", "newroot")]
    entries.append(cpio.file("init", (HERE / "early_init.sh").read_bytes()))
    entries.append(cpio.file("bin/busybox", (root / "bin/busybox").read_bytes()))
    entries += [cpio.link(f"bin/{name}", "busybox") for name in ("sh", "mount", "insmod", "sleep", "switch_root")]
    for path in modules:
        data = path.read_bytes()
        entries.append(
            cpio.file(f"lib/{path.name.removesuffix('.xz')}", lzma.decompress(data) if path.suffix == ".xz" else data)
        )
    order = "".join(f"{path.name.removesuffix('.xz')}\n" for path in modules)
    return cpio.archive([*entries, cpio.file("order", order.encode())])


def _run(*words: str | Path) -> None:
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE, env=environment()
    )
    if done.returncode:
        raise RuntimeError(
            f"{' '.join(map(str, words[:6]))} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}"
        )


def environment() -> dict[str, str]:
    """Returns the environment of the programs that make a disk: those of root are on the path."""
    return {
        **os.environ,
        "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin",
        "LC_ALL": "C",
        "DEBIAN_FRONTEND": "noninteractive",
    }
