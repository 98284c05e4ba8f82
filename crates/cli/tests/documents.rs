//! The documents: each command that they show runs and prints the text below it; the library example of the README is the
//! tested one; the records that it cites are tables; links lead somewhere; `panics.tsv` lists the places that could panic.
//!
//! Commands stand in blocks of `console`, which show the output, or of `sh`. The blocks of a document are run in order, in one
//! directory that has the data of the repository. In what is expected `…` stands for the rest of a line and a line `...` for any
//! number of lines. A block that cannot be run here has a comment above it with the reason: `<!-- not run: REASON -->`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A block of commands.
struct Block {
    row: usize,
    /// Commands with their output, or a script without one.
    commands: Vec<(String, Option<String>)>,
    /// Whether a comment says that it cannot be run.
    is_excused: bool,
}

/// The blocks of commands of a document.
fn blocks(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut rows = document.lines().enumerate();
    let mut above = "";
    while let Some((row, line)) = rows.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let text: Vec<&str> = rows.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            let commands = match kind {
                "sh" => vec![(text.join("\n"), None)],
                "console" => consoles(&text),
                _ => Vec::new(),
            };
            let reason = above.strip_prefix("<!-- not run: ").and_then(|comment| comment.strip_suffix(" -->"));
            if !commands.is_empty() {
                blocks.push(Block {
                    row: row + 1,
                    commands,
                    is_excused: reason.is_some_and(|reason| reason.len() > 5),
                });
            }
        }
        above = line;
    }
    blocks
}

/// The commands of a block of `console`, each with the lines that it prints.
fn consoles(text: &[&str]) -> Vec<(String, Option<String>)> {
    let mut commands: Vec<(String, Option<String>)> = Vec::new();
    for line in text {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Some(String::new()))),
            (None, Some((_, Some(expected)))) => *expected += &format!("{line}\n"),
            (None, _) => panic!("no command above '{line}'"),
        }
    }
    commands
}

fn fits(expected: &[&str], found: &[&str]) -> bool {
    match (expected.split_first(), found.split_first()) {
        (None, None) => true,
        (Some((&"...", rest)), _) => (0..=found.len()).any(|skipped| fits(rest, &found[skipped..])),
        (Some((expected, rest)), Some((line, others))) => {
            let same = match expected.split_once('…') {
                Some((begin, _)) => line.starts_with(begin),
                None => expected == line,
            };
            same && fits(rest, others)
        }
        _ => false,
    }
}

/// The README and every document.
fn documents() -> Vec<PathBuf> {
    let docs = fs::read_dir(Path::new(ROOT).join("docs")).unwrap().map(|file| file.unwrap().path());
    let mut documents: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|ext| ext == "md")).collect();
    documents.push(Path::new(ROOT).join("README.md"));
    documents.sort();
    documents
}

/// Runs a command by the shell, which knows `dab`; returns what it prints.
#[cfg(unix)]
#[track_caller]
fn run(command: &str, dir: &Path, place: &str) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_dab")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let done = Command::new("sh").args(["-e", "-c", command]).current_dir(dir).env("PATH", path).output().unwrap();
    assert!(done.status.success(), "{place}: {command}\n{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn commands_print_what_the_documents_show() {
    let mut n_run = 0;
    for path in documents() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(Path::new(ROOT).canonicalize().unwrap().join("data"), dir.path().join("data"))
            .unwrap();
        for Block { row, commands, is_excused } in blocks(&fs::read_to_string(&path).unwrap()) {
            if is_excused {
                continue;
            }
            let place = format!("{}, row {row}", path.display());
            for (command, expected) in commands {
                let found = run(&command, dir.path(), &place);
                n_run += 1;
                let Some(expected) = expected else { continue };
                let lines = (expected.lines().collect::<Vec<_>>(), found.lines().collect::<Vec<_>>());
                assert!(fits(&lines.0, &lines.1), "{place}: {command}\n{found}");
            }
        }
    }
    assert!(n_run >= 8, "{n_run} commands");
}

/// Commands within the text are examples, too: their verbs and options exist.
#[cfg(unix)]
#[test]
fn verbs_and_options_in_the_text_exist() {
    let mut n_named = 0;
    for path in documents() {
        let document = fs::read_to_string(&path).unwrap();
        // Every other piece stands in a block of its own.
        let prose = document.split("\n```").step_by(2).collect::<String>();
        for command in prose.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("dab ")) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let n_verbs = if words[0] == "crosscheck" && words.len() > 1 { 2 } else { 1 };
            let verb = words[..n_verbs].join(" ");
            if !verb.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c == ' ') || verb == "--version" {
                continue;
            }
            let help = run(&format!("dab {verb} --help"), Path::new(ROOT), &path.display().to_string());
            let options = words.iter().filter(|word| word.starts_with("--") && word.len() > 2);
            options.for_each(|option| assert!(help.contains(option), "{}: dab {command}", path.display()));
            n_named += 1;
        }
    }
    assert!(n_named > 50, "{n_named}");
}

#[test]
fn the_library_example_is_that_of_the_crate() {
    let read = |path: &str| fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let readme = read("README.md");
    let (shown, _) = readme.split_once("```rust\n").unwrap().1.split_once("```").unwrap();
    let library = read("crates/dab/src/lib.rs");
    let mut blocks = library.split("//! ```\n");
    let tested = blocks.nth(1).unwrap().lines().map(|line| line.strip_prefix("//!").unwrap().trim_start_matches(' '));
    let shown = shown.lines().map(str::trim_start);
    assert!(shown.eq(tested.filter(|line| !line.starts_with("# "))));
}

/// The address of a heading: its words in small letters, set apart by dashes.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut n_links = 0;
    for path in documents() {
        let document = fs::read_to_string(&path).unwrap();
        for link in document.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            if let Some(heading) = heading {
                let text = fs::read_to_string(&target).unwrap();
                let mut headings =
                    text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#'));
                assert!(headings.any(|found| anchor(found) == heading), "{}: {link}", path.display());
            }
            n_links += 1;
        }
    }
    assert!(n_links > 20, "{n_links}");
}

#[test]
fn records_are_tables() {
    let records = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/records")).unwrap();
    let tables =
        records.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|ext| ext == "tsv"));
    for path in tables {
        let table = fs::read_to_string(&path).unwrap();
        let n_fields = |row: &str| row.split('\t').count();
        let columns = n_fields(table.lines().next().unwrap());
        assert!(table.lines().all(|row| n_fields(row) == columns), "{}", path.display());
    }
}

/// The lines of a source file without comments and tests.
fn code(source: &str) -> String {
    let tests = [
        "#[cfg(test)]\nmod tests",
        "#[cfg(test)]\npub(crate) mod tests",
        "#[cfg(test)]\n#[cfg(target",
        "#[cfg(all(test,",
    ]
    .iter()
    .filter_map(|begin| source.find(begin))
    .min();
    let lines = source[..tests.unwrap_or(source.len())].lines();
    lines.filter(|line| !line.trim_start().starts_with("//")).fold(String::new(), |code, line| code + line + "\n")
}

/// The texts of panics. An assertion without a text states what the lines around it say.
fn panics(code: &str) -> Vec<&str> {
    let begins = [".expect(", "panic!(", "unreachable!(", " assert!("];
    let statements =
        begins.iter().flat_map(|begin| code.split(begin).skip(1)).filter_map(|rest| rest.split(';').next());
    statements.filter_map(|statement| statement.split('"').nth(1)).collect()
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|ext| ext == "rs")
            && entry.file_name().is_some_and(|name| name != "tests.rs")
        {
            found.push(entry);
        }
    }
}

#[test]
fn places_that_could_panic_are_listed() {
    let root = Path::new(ROOT);
    let listed = include_str!("panics.tsv");
    let (mut files, mut n_texts) = (Vec::new(), 0);
    ["codec", "isa", "space", "solve", "store"]
        .iter()
        .for_each(|name| sources(&root.join("crates").join(name).join("src"), &mut files));
    for file in files {
        let code = code(&fs::read_to_string(&file).unwrap());
        assert!(!code.contains(".unwrap()"), "{}: an error, or a reason in `expect`", file.display());
        for text in panics(&code) {
            assert!(listed.contains(&format!("\n{text}\t")), "{}: \"{text}\" is not listed", file.display());
            n_texts += 1;
        }
    }
    assert!(n_texts > 20, "{n_texts}");
}
