//! Every mistake of a user is named, with the remedy and the exit code, and nothing panics.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use common::{dab_fed, fails, files, json, says, solved, stderr, stdout};

/// Fails in an empty directory.
#[track_caller]
fn refused(args: &[&str], code: i32, pieces: &[&str]) {
    fails(tempfile::tempdir().unwrap().path(), args, code, pieces);
}

#[test]
fn boards_and_starts() {
    refused(&["solve", "3y3"], 2, &["unknown board '3y3': expected ROWSxCOLUMNS"]);
    refused(&["solve", "0x3"], 2, &["board 0x3 has no boxes"]);
    refused(&["solve", "9x9"], 2, &["board 9x9 has 180 lines: at most 128"]);
    refused(&["solve", "99999999999999999999x3"], 2, &["unknown board"]);
    refused(&["plan", "7x7"], 2, &["7x7:0 leaves 112 units to draw (112 lines), but at most 64", "more lines drawn"]);
    refused(&["solve", "3x3", "--start", "danish"], 2, &["unknown start 'danish': expected american"]);
    refused(&["solve", "3x3:0", "--start", "swedish"], 2, &["leave out --start swedish"]);
    refused(&["solve", "3x3", "--space", "loud"], 2, &["unknown space 'loud': expected quiet or full"]);
    refused(&["solve"], 2, &["<BOARD>"]);
}

#[test]
fn numbers() {
    refused(&["solve", "3x3", "--penalty", "-1"], 2, &["penalty -1 is out of range: 3x3:0 allows 0 to 118"]);
    let most = "marks are solved for at most 31 together: start from a position with more lines drawn, or solve without --marks";
    refused(&["solve", "4x8", "--marks"], 2, &["4x8:0 has 32 open boxes and penalty 0, but", most]);
    refused(&["plan", "5x6", "--marks", "--penalty", "2"], 2, &["30 open boxes and penalty 2, but", most]);
    refused(&["solve", "2x2", "--marks", "--space", "full"], 2, &["marks are solved in the quiet space only"]);
    refused(&["plan", "3x3", "--penalty", "119"], 2, &["penalty 119 is out of range"]);
    refused(&["query", "3x3:0", "--penalty", "119"], 2, &["penalty 119 is out of range: 3x3:0 allows 0 to 118"]);
    refused(&["penalties", "3x3:0", "--max-penalty", "-1"], 2, &["penalty -1 is out of range: 3x3:0 allows 0 to 118"]);
    refused(&["solve", "3x3", "--threads", "0"], 2, &["--threads"]);
    refused(&["query", "3x3", "--threads", "100000"], 2, &["--threads 100000 are more than can help: at most "]);
    refused(&["solve", "3x3", "--keep", "-1"], 2, &["'-1' for '--keep <K>': expected the number of a layer"]);
    refused(&["solve", "3x3", "--memory", "lots"], 2, &["'lots' is no size", "512M"]);
    refused(&["crosscheck", "endgames", "--max-boxes", "256"], 2, &["256"]);
    refused(&["crosscheck", "endgames", "--max-boxes", "255", "--all"], 2, &["use a smaller --max-boxes"]);
    refused(&["solve", "5x6:0"], 2, &["71 lines", "more lines drawn"]);
}

#[test]
fn positions() {
    refused(&["query", "3x3:1g"], 2, &["'1g' is no hexadecimal mask of drawn lines: character 2 of the mask is 'g'"]);
    refused(&["query", "1x1:10"], 2, &["mask 10 draws line 4, but board 1x1 has only lines 0 to 3"]);
    refused(&["query", "2x2:"], 2, &["no mask after the colon"]);
    refused(&["query", "+---+\n|   /\n+---+"], 2, &["diagram, row 2, column 5: expected '|' or a space, found '/'"]);
    refused(&["nimstring", "3x3:0", "--memory", "1M"], 5, &["1048576 bytes of memory", "allow more with --memory"]);
    refused(&["nimstring"], 2, &["POSITION"]);
    for endgame in ["3,4", "3 4", "3+4"] {
        refused(&["query", endgame], 2, &["'dab endgame 3+4' is for endgames"]);
    }
    refused(&["query", "3,4"], 2, &["the text is legal as dabble and as ksquares notation: say which"]);
    refused(&["query"], 2, &["POSITION"]);
    refused(&["query", "--batch", "nothing.txt"], 3, &["cannot open the batch nothing.txt"]);
    refused(&["endgame", "3+3l"], 2, &["column 3: a loop has at least 4 boxes, not 3"]);
    refused(&["endgame", "3", "--lead", "-1"], 2, &["-1"]);
    refused(&["caribou"], 2, &["POSITION"]);
    refused(&["caribou", "2x2:0", "--games", "0"], 2, &["--games"]);
    refused(&["endgame", "3^"], 2, &["column 3: expected a count, found the end"]);
}

#[test]
fn positions_that_take_too_much_to_be_solved_on_the_spot() {
    let time = ["positions with 2 threads take about ", "but a solve on demand may take at most 10.0 min"];
    let remedy = "run 'dab solve 4x5:0 --out DIR' (or solve its board) and ask with --from DIR";
    refused(&["query", "4x5:0", "--threads", "2"], 5, &[time[0], time[1], remedy]);
    refused(
        &["query", "4x5:0", "--threads", "2", "--penalty", "1"],
        5,
        &["run 'dab solve 4x5:0 --penalty 1 --out DIR'"],
    );
    // 4x4 is solved once, but not for a hundred penalties.
    let often = "positions with 1 thread, solved 112 times, take about ";
    refused(
        &["penalties", "4x4:0", "--max-penalty", "111", "--threads", "1"],
        5,
        &[often, "'dab solve 4x4:0 --penalty P'"],
    );
    refused(&["query", "5x6:0"], 2, &["5x6:0 leaves 71 units to draw (71 lines), but at most 64", "more lines drawn"]);
    let dir = tempfile::tempdir().unwrap();
    let done =
        dab_fed(dir.path(), &["query", "--strict", "--batch", "-", "--threads", "1"], "1x1:0\n4x5:0\n1x1:1\n").code(5);
    assert_eq!(stdout(&done).lines().count(), 1);
    assert!(stderr(&done).starts_with("dab: standard input, line 2: 4x5:0: "), "{}", stderr(&done));
}

#[test]
fn no_place_for_temporary_files() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "text").unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_dab"))
        .current_dir(dir.path())
        .env("TMPDIR", "file/tmp")
        .args(["query", "3x3:0", "--memory", "0"])
        .assert()
        .code(3);
    assert!(stderr(&done).contains("cannot keep scores in file/tmp"), "{}", stderr(&done));
    assert!(stderr(&done).contains("set TMPDIR to another one"), "{}", stderr(&done));
}

#[test]
fn instruction_sets_that_the_machine_lacks() {
    let query = |isa: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dab"));
        command.env("DAB_ISA", isa).args(["query", "2x2:0"]).assert()
    };
    query("portable").success();
    for isa in ["mmx", "Portable", ""] {
        let done = query(isa).code(2);
        assert!(stderr(&done).contains(&format!("DAB_ISA={isa}: this machine has portable")), "{}", stderr(&done));
    }
}

#[test]
fn bytes_that_are_no_text() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("batch"), b"1x1:0\n\xff\xfe\n1x1:1\n").unwrap();
    let done = dab_fed(dir.path(), &["query", "--batch", "batch"], "").code(1);
    assert_eq!(stdout(&done).lines().count(), 3);
    assert!(stderr(&done).contains("batch: 1 of 3 lines could not be answered"), "{}", stderr(&done));
}

#[test]
fn directories_that_are_no_runs() {
    refused(&["verify", "nowhere"], 3, &["nowhere is not a run: there is no such directory"]);
    refused(&["query", "1x1:0", "--from", "."], 3, &[". is not a run: it has no manifest.json; name the directory"]);
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "text").unwrap();
    fails(dir.path(), &["query", "1x1:0", "--from", "file"], 3, &["file is not a book", "which 'dab book' makes"]);
    fails(dir.path(), &["solve", "1x1", "--out", "file/run"], 3, &["file/run", "permissions"]);
    fails(
        dir.path(),
        &["solve", "1x1", "--out", "."],
        3,
        &["it has no manifest.json but holds file", "choose an empty"],
    );
}

#[test]
fn runs_of_something_else() {
    let dir = solved("2x2");
    let run = "runs/2x2";
    fails(
        dir.path(),
        &["solve", "2x3", "--out", run],
        3,
        &["holds another run: board: expected 2x3, got 2x2", "choose"],
    );
    fails(dir.path(), &["solve", "2x2:1", "--out", run], 3, &["start: expected 2x2:1, got 2x2:0"]);
    fails(dir.path(), &["solve", "2x2", "--penalty", "1", "--out", run], 3, &["penalty: expected 1, got 0"]);
    fails(dir.path(), &["solve", "2x2", "--marks", "--out", run], 3, &["marks: expected true, got false"]);
    fails(
        dir.path(),
        &["query", "2x2:0", "--from", run, "--penalty", "1"],
        2,
        &["runs/2x2 was solved with last-move penalty 0, not 1", "leave out --penalty"],
    );
    fails(dir.path(), &["query", "2x3:0", "--from", run], 2, &["2x3:0 does not arise from 2x2:0"]);
    says(dir.path(), &["solve", "2x2:1"]);
    fails(dir.path(), &["query", "2x2:2", "--from", "runs/2x2-1"], 2, &["2x2:2 does not arise from 2x2:1"]);
}

/// The largest score file of a run.
fn score_file(run: &Path) -> PathBuf {
    let files = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path());
    let scores = files.filter(|path| path.extension().is_some_and(|extension| extension == "score"));
    scores.max_by_key(|path| path.metadata().unwrap().len()).unwrap()
}

/// Damages the largest score file of a run of 3x3; `verify` names what is wrong, `solve` repairs it.
#[track_caller]
fn damaged(damage: impl Fn(&Path), pieces: &[&str]) {
    let dir = solved("3x3");
    let digest = &json(dir.path(), &["solve", "3x3", "--json"])["digest"];
    let file = score_file(&dir.path().join("runs/3x3"));
    damage(&file);
    let name = format!("runs/3x3/{}", file.file_name().unwrap().to_str().unwrap());
    fails(dir.path(), &["verify", "runs/3x3"], 4, &[&[name.as_str()], pieces].concat());
    let _ = fs::remove_file(&file);
    assert_eq!(json(dir.path(), &["solve", "3x3", "--json"])["digest"], *digest);
    says(dir.path(), &["verify", "runs/3x3", "--level", "full"]);
}

#[test]
fn missing_score_file() {
    damaged(|file| fs::remove_file(file).unwrap(), &["is missing although the manifest lists layer"]);
}

#[test]
fn truncated_score_file() {
    let truncate = |file: &Path| {
        let bytes = fs::read(file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    };
    damaged(truncate, &["last bytes: expected DABENDED", "run the same solve again"]);
}

#[test]
fn flipped_bit() {
    let flip = |file: &Path| {
        let mut bytes = fs::read(file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(file, bytes).unwrap();
    };
    damaged(flip, &["slab ", "is damaged", "run the same solve again"]);
}

#[test]
fn foreign_score_file() {
    let other = solved("3x4");
    let foreign = score_file(&other.path().join("runs/3x4"));
    let replace = |file: &Path| {
        fs::copy(&foreign, file).unwrap();
    };
    damaged(replace, &["belongs to run"]);
    // A foreign file that even has the right length.
    let swap_run_id = |file: &Path| {
        let (mut bytes, foreign) = (fs::read(file).unwrap(), fs::read(&foreign).unwrap());
        bytes[..52].copy_from_slice(&foreign[..52]);
        fs::write(file, bytes).unwrap();
    };
    damaged(swap_run_id, &["belongs to run "]);
}

/// A manifest that came from another directory makes nobody overwrite what is here.
#[test]
fn a_foreign_manifest_costs_no_layer() {
    let (dir, other) = (solved("3x4"), solved("2x3"));
    let (run, foreign) = (dir.path().join("runs/3x4"), other.path().join("runs/2x3"));
    for discarded in [false, true] {
        if discarded {
            says(other.path(), &["solve", "2x3", "--keep", "3", "--out", "kept"]);
        }
        let foreign = if discarded { other.path().join("kept") } else { foreign.clone() };
        fs::copy(foreign.join("manifest.json"), run.join("manifest.json")).unwrap();
        let before = files(&run);
        let pieces = ["runs/3x4/layer-", "belongs to run ", "choose another directory, or move away", "manifest.json"];
        fails(dir.path(), &["solve", "2x3", "--out", "runs/3x4"], 4, &pieces);
        fails(dir.path(), &["verify", "runs/3x4", "--repair"], 4, &pieces);
        assert!(
            files(&run)
                .into_iter()
                .filter(|(name, _)| name != "lock")
                .eq(before.into_iter().filter(|(name, _)| name != "lock"))
        );
    }
    fs::remove_file(run.join("manifest.json")).unwrap();
    fails(dir.path(), &["solve", "2x3", "--out", "runs/3x4"], 4, &["belongs to run "]);
    assert!(says(dir.path(), &["solve", "3x4"]).contains("score"));
    says(dir.path(), &["verify", "runs/3x4"]);
}

#[test]
fn damaged_manifest() {
    let dir = solved("2x2");
    let manifest = dir.path().join("runs/2x2/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    for wrong in ["", "{}", &text[..text.len() / 2], &text.replacen("2x2:0", "2x2:1", 1), &"[".repeat(9999)] {
        fs::write(&manifest, wrong).unwrap();
        for args in [&["verify", "runs/2x2"][..], &["solve", "2x2"], &["query", "2x2:0", "--from", "runs/2x2"]] {
            fails(dir.path(), args, 4, &["runs/2x2/manifest.json is damaged"]);
        }
    }
    fs::remove_file(manifest).unwrap();
    says(dir.path(), &["solve", "2x2"]);
}

#[test]
fn an_unfinished_run_answers_for_the_layers_that_it_has() {
    let dir = solved("2x2");
    fs::remove_file(dir.path().join("runs/2x2/manifest.json")).unwrap();
    // Without its manifest and its first layers the run is one that was interrupted.
    fs::remove_file(dir.path().join("runs/2x2/layer-00.score")).unwrap();
    fs::create_dir(dir.path().join("runs/2x2/layer-00.score.part")).unwrap();
    fails(dir.path(), &["solve", "2x2"], 3, &["layer-00.score.part", "run the same command again"]);
    fails(
        dir.path(),
        &["query", "2x2:0", "--from", "runs/2x2"],
        3,
        &["layer 0 of runs/2x2 is not solved yet", "finish"],
    );
    assert_eq!(says(dir.path(), &["query", "2x2:1", "--from", "runs/2x2"]), says(dir.path(), &["query", "2x2:1"]));
    assert!(
        says(dir.path(), &["verify", "runs/2x2"]).contains("level checksums: 12 of 13 layers checked, all correct")
    );
    fails(dir.path(), &["verify", "runs/2x2", "--level", "full"], 3, &["only 12 of 13 layers"]);
}

/// Messages quote a line of an input at most, and nothing that a terminal would obey.
#[test]
fn messages_are_short_and_plain() {
    let dir = tempfile::tempdir().unwrap();
    let long = "z".repeat(100_000);
    let lines = "y\n".repeat(500);
    let escape = "\u{1b}[2J\u{7}";
    for text in [long.as_str(), &lines, escape] {
        for args in [
            &["query", text][..],
            &["solve", text],
            &["query", "3x3", "--board", text],
            &["endgame", text],
            &["review", text, "--board", "2x2"],
            &["convert", "2x2", "--to", text],
            &["plan", "3x3", "--start", text],
        ] {
            let done = dab_fed(dir.path(), args, "").code(2);
            let said = stderr(&done);
            assert!(said.chars().count() < 3000 && said.lines().count() < 50, "{args:?}: {} bytes", said.len());
            assert!(said.chars().all(|c| c == '\n' || !c.is_control()), "{said:?}");
        }
    }
}

/// With --json errors are JSON, too.
#[test]
fn errors_as_json() {
    let dir = tempfile::tempdir().unwrap();
    let check = |args: &[&str], code: i32, kind: &str, piece: &str| {
        let done = dab_fed(dir.path(), args, "").code(code);
        let error: serde_json::Value = serde_json::from_str(&stderr(&done)).unwrap();
        assert_eq!((&error["version"], &error["code"], &error["kind"]), (&1.into(), &code.into(), &kind.into()));
        assert!(error["error"].as_str().unwrap().contains(piece), "{error}");
    };
    check(&["query", "3y3", "--json"], 2, "input", "unknown board '3y3'");
    check(&["query", "--json"], 2, "input", "POSITION");
    check(&["--json", "solve", "3x3", "--keep", "-1"], 2, "input", "expected the number of a layer");
    check(&["info", "nowhere", "--json"], 3, "file", "there is no such directory");
    check(&["query", "4x5:0", "--json"], 5, "limit", "a solve on demand may take at most");
}

/// A terminal obeys nothing that a graph file or a path says.
#[test]
fn names_are_printed_plainly() {
    let dir = tempfile::tempdir().unwrap();
    let escape = "\u{1b}[2J\u{7}\u{9b}1m";
    let graph = format!("coin {escape}a\ncoin {escape}b\nstring {escape}a {escape}b\nstring {escape}b ground\n");
    let name = format!("{escape}.txt");
    fs::write(dir.path().join(&name), graph).unwrap();
    let board = format!("graph:{name}");
    for args in [
        &["query", &board][..],
        &["query", &board, "--marks"],
        &["plan", &board],
        &["solve", &board, "--out", "run"],
        &["query", &board, "--from", "run"],
        &["convert", &board, "--to", "diagram"],
        &["nimstring", &board],
        &["search", &board],
        &["penalties", &board],
        &["census", "run", "--lines", "1"],
        &["info", "run"],
    ] {
        let done = dab_fed(dir.path(), args, "");
        let said = stdout(&done) + &stderr(&done);
        assert!(said.chars().all(|c| matches!(c, '\n' | '\t') || !c.is_control()), "{args:?}: {said:?}");
        assert!(done.get_output().status.success(), "{args:?}: {said}");
    }
}

/// A path that is no text is not lost in JSON.
#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_no_text() {
    use std::os::unix::ffi::OsStringExt;
    let dir = solved("1x2");
    let name = std::ffi::OsString::from_vec(b"r\xff\xfe".to_vec());
    fs::rename(dir.path().join("runs/1x2"), dir.path().join(&name)).unwrap();
    let done =
        Command::new(env!("CARGO_BIN_EXE_dab")).current_dir(dir.path()).args(["info", "--json"]).arg(name).assert();
    let found: serde_json::Value = serde_json::from_str(&stdout(&done.success())).unwrap();
    assert_eq!((&found["path"], &found["path_bytes"]), (&"r\u{fffd}\u{fffd}".into(), &"72fffe".into()));
}
