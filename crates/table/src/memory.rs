//! The memory that this process can have: the least of what is free, what its control groups leave it, and what is left of
//! its address space.
//!
//! Linux says all of it in files. A control group counts the pages of files that it has in the cache; the system takes those
//! back when the group needs memory, so they are not counted here.

use std::fs;
use std::path::{Path, PathBuf};

/// A guess where the system does not say.
const GUESS: u64 = 4 << 30;

/// Bytes of memory that can be had without swapping and within the limits of this process; a guess of 4 GiB where the system
/// does not say.
pub fn available_memory() -> u64 {
    available_below(Path::new("/"))
}

/// The same, of a system whose root is `root`.
fn available_below(root: &Path) -> u64 {
    let proc = root.join("proc");
    let groups = CONTROLLERS.iter().filter_map(|controller| controller.left(root));
    [free(&proc), address_space(&proc)].into_iter().flatten().chain(groups).min().unwrap_or(GUESS)
}

/// Bytes that are free on the machine, the cache included.
fn free(proc: &Path) -> Option<u64> {
    kibibytes(&fs::read_to_string(proc.join("meminfo")).ok()?, "MemAvailable:")
}

/// Bytes that are left of the address space.
fn address_space(proc: &Path) -> Option<u64> {
    let limits = fs::read_to_string(proc.join("self/limits")).ok()?;
    let soft = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?.split_whitespace().next()?;
    let used = kibibytes(&fs::read_to_string(proc.join("self/status")).ok()?, "VmSize:")?;
    Some(soft.parse::<u64>().ok()?.saturating_sub(used))
}

/// A number of KiB behind its name, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let number = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(number.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// The memory controller of one version of control groups, and the names of its files.
struct Controller {
    /// The type of its file system, and the option by which its mount is known.
    mount: (&'static str, Option<&'static str>),
    limit: &'static str,
    usage: &'static str,
    /// Parts of the usage that are pages of files.
    of_files: [&'static str; 2],
}

const CONTROLLERS: [Controller; 2] = [
    Controller {
        mount: ("cgroup2", None),
        limit: "memory.max",
        usage: "memory.current",
        of_files: ["active_file", "inactive_file"],
    },
    Controller {
        mount: ("cgroup", Some("memory")),
        limit: "memory.limit_in_bytes",
        usage: "memory.usage_in_bytes",
        of_files: ["total_active_file", "total_inactive_file"],
    },
];

impl Controller {
    /// Bytes that the group of this process and those above it leave.
    fn left(&self, root: &Path) -> Option<u64> {
        let (mount, group) = self.group(root)?;
        let groups = group.ancestors().map(|group| mount.join(group));
        groups.filter_map(|group| self.left_in(&group)).min()
    }

    /// The directory where the groups are, and the path of the group of this process below it.
    fn group(&self, root: &Path) -> Option<(PathBuf, PathBuf)> {
        let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
        let path = groups.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, path) = (fields.next()?, fields.next()?);
            let is_here = match self.mount.1 {
                Some(name) => controllers.split(',').any(|controller| controller == name),
                None => controllers.is_empty(),
            };
            is_here.then_some(path)
        })?;
        let mounts = fs::read_to_string(root.join("proc/self/mountinfo")).ok()?;
        let (mount_root, mount) = mounts.lines().find_map(|line| {
            let (place, kind) = line.split_once(" - ")?;
            let (mut place, mut kind) = (place.split(' ').skip(3), kind.split(' '));
            let is_type = kind.next() == Some(self.mount.0);
            let options = kind.nth(1).unwrap_or_default();
            let is_here = is_type && self.mount.1.is_none_or(|name| options.split(',').any(|option| option == name));
            is_here.then_some((place.next()?, place.next()?))
        })?;
        // A container may see its own group as the root of the mount, under the path that it has outside.
        let below = Path::new(path).strip_prefix(mount_root).unwrap_or(Path::new(""));
        Some((root.join(mount.trim_start_matches('/')), below.to_path_buf()))
    }

    fn left_in(&self, group: &Path) -> Option<u64> {
        let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
        // `max` is no number and no limit.
        let (limit, usage) = (number(self.limit)?, number(self.usage)?);
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let of_files = |name: &&str| stat.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
        let of_files: u64 = self.of_files.iter().filter_map(of_files).sum();
        Some(limit.saturating_sub(usage.saturating_sub(of_files)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// A system with these files.
    #[track_caller]
    fn check(files: &[(&str, &str)], expected: u64) {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        assert_eq!(available_below(root.path()), expected);
    }

    const FREE: (&str, &str) = ("proc/meminfo", "MemTotal:       16384 kB\nMemAvailable:    8192 kB\n");

    #[test]
    fn what_is_free() {
        check(&[], GUESS);
        check(&[("proc/meminfo", "MemTotal: 1 kB\n")], GUESS);
        check(&[FREE], 8 * MIB);
    }

    #[test]
    fn the_address_space() {
        let status = ("proc/self/status", "Name:\tdab\nVmSize:\t    1024 kB\n");
        let limits = |soft: &str| {
            format!("Limit  Soft Limit  Hard Limit  Units\nMax address space         {soft}  unlimited  bytes\n")
        };
        check(&[FREE, status, ("proc/self/limits", &limits("unlimited"))], 8 * MIB);
        check(&[FREE, status, ("proc/self/limits", &limits("5242880"))], 4 * MIB);
        check(&[FREE, status, ("proc/self/limits", &limits("1000"))], 0);
    }

    #[test]
    fn the_control_group_and_those_above_it() {
        let group = ("proc/self/cgroup", "0::/user/job\n");
        let mount = ("proc/self/mountinfo", "30 24 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
        let (own, above) = ("sys/fs/cgroup/user/job", "sys/fs/cgroup/user");
        let file = |dir: &str, name: &str| format!("{dir}/{name}");
        check(
            &[FREE, group, mount, (&file(own, "memory.max"), "max\n"), (&file(own, "memory.current"), "1\n")],
            8 * MIB,
        );
        check(
            &[
                FREE,
                group,
                mount,
                (&file(own, "memory.max"), "max\n"),
                (&file(own, "memory.current"), "1048576\n"),
                (&file(above, "memory.max"), "4194304\n"),
                (&file(above, "memory.current"), "3145728\n"),
                (
                    &file(above, "memory.stat"),
                    "anon 1048576\nfile 2097152\ninactive_file 1048576\nactive_file 524288\n",
                ),
            ],
            4 * MIB - 3 * MIB / 2,
        );
    }

    #[test]
    fn the_control_group_of_version_1() {
        let group = ("proc/self/cgroup", "12:cpu,cpuacct:/docker/a1\n4:memory:/docker/a1\n1:name=systemd:/docker/a1\n");
        let mounts = |root: &str| {
            let cpu = format!("31 24 0:28 {root} /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
            cpu + &format!("35 24 0:32 {root} /sys/fs/cgroup/memory rw master:9 - cgroup cgroup rw,memory\n")
        };
        let files = |dir: &str| {
            let file = |name: &str| format!("sys/fs/cgroup/memory{dir}/{name}");
            let stat = "inactive_file 7\ntotal_inactive_file 1048576\ntotal_active_file 0\n";
            [
                (file("memory.limit_in_bytes"), "6291456\n"),
                (file("memory.usage_in_bytes"), "3145728\n"),
                (file("memory.stat"), stat),
            ]
        };
        // Seen from the machine, and from the container itself.
        for (root, dir) in [("/", "/docker/a1"), ("/docker/a1", "")] {
            let (mounts, files) = (mounts(root), files(dir));
            let mut all = vec![FREE, group, ("proc/self/mountinfo", &mounts[..])];
            all.extend(files.iter().map(|(name, text)| (&name[..], *text)));
            check(&all, 4 * MIB);
        }
    }
}
