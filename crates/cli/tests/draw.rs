//! `dab draw` and `dab plot`.

use crate::common;

use std::fs;
use std::path::Path;

use common::{dab, fails, json, says, solved, stderr};

fn svg(dir: &Path, args: &[&str]) -> String {
    says(dir, &[args, &["--out", "picture.svg"]].concat());
    fs::read_to_string(dir.join("picture.svg")).unwrap()
}

/// Width and height of a PNG, as its header says.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn scores_stand_on_their_lines() {
    let dir = solved("3x3");
    let labels = |text: &str| text.matches("text-anchor=\"middle\"").count();
    let plain = svg(dir.path(), &["draw", "3x3:fff"]);
    // Dots, twelve drawn lines and the twelve open ones; nobody has a box.
    assert_eq!((plain.matches("<circle").count(), plain.matches("<path").count(), labels(&plain)), (16, 24, 0));
    let solved = svg(dir.path(), &["draw", "3x3:fff", "--scores"]);
    assert_eq!((solved.matches(">\u{2212}1</text>").count(), labels(&solved)), (12, 12));
    assert_eq!(svg(dir.path(), &["draw", "3x3:fff", "--from", "runs/3x3"]), solved);
    // Every line has the score that query says.
    let answer = json(dir.path(), &["query", "3x3:1ffff", "--json"]);
    let drawn = svg(dir.path(), &["draw", "3x3:1ffff", "--scores"]);
    for (score, text) in [(2, "+2"), (0, "0"), (-6, "\u{2212}6")] {
        let expected = answer["moves"].as_array().unwrap().iter().filter(|m| m["score"] == score).count();
        assert_eq!(drawn.matches(&format!(">{text}</text>")).count(), expected, "{text}");
    }
}

/// Marks stand behind scores, of a run that has them or by a search.
#[test]
fn marks_stand_behind_scores() {
    let dir = tempfile::tempdir().unwrap();
    says(dir.path(), &["solve", "2x3", "--marks", "--out", "marked"]);
    for (position, mark) in [("2x3:1", "^"), ("2x3:3", "v")] {
        let answer = json(dir.path(), &["query", position, "--from", "marked", "--json"]);
        let drawn = svg(dir.path(), &["draw", position, "--from", "marked"]);
        assert_eq!(drawn, svg(dir.path(), &["draw", position, "--marks"]));
        let expected = answer["moves"].as_array().unwrap().iter().filter(|m| m["mark"] == mark).count();
        assert_eq!(drawn.matches(&format!("{mark}</text>")).count(), expected);
        assert!(expected > 0, "{answer}");
    }
}

#[test]
fn boxes_belong_to_who_closed_them() {
    let dir = tempfile::tempdir().unwrap();
    let game = svg(dir.path(), &["draw", "abbacbbcad", "--board", "1x2"]);
    assert_eq!((game.matches(">A</text>").count(), game.matches(">B</text>").count()), (0, 1));
    let wilson = svg(dir.path(), &["draw", "0 16 1 B\n+-+-+\n|A|\n+-+ +"]);
    assert_eq!(wilson.matches(">A</text>").count(), 1);
    for board in ["closed:5:3", "triangles:open:3", "triangles:closed:4", "1x12", "7x7:0"] {
        assert!(svg(dir.path(), &["draw", board]).ends_with("</svg>\n"));
    }
    fs::write(dir.path().join("kite.txt"), "coin a\ncoin b\nstring a b\nstring a b\nstring a ground\n").unwrap();
    let graph = svg(dir.path(), &["draw", "graph:kite.txt:1", "--scores"]);
    assert_eq!((graph.matches("<circle").count(), graph.matches("</text>").count()), (2, 2));
}

#[test]
fn png_has_the_size_of_the_svg() {
    let dir = tempfile::tempdir().unwrap();
    let pixels = |args: &[&str]| {
        says(dir.path(), &[args, &["--out", "picture.png"]].concat());
        fs::read(dir.path().join("picture.png")).unwrap()
    };
    let (plain, scored) = (pixels(&["draw", "2x3:7"]), pixels(&["draw", "2x3:7", "--scores"]));
    assert_eq!((size(&plain), size(&scored)), ((390, 290), (390, 290)));
    // The font is there: digits are more than their background.
    assert!(scored.len() > plain.len() + 1000, "{} and {} bytes", plain.len(), scored.len());
    assert_eq!(pixels(&["draw", "2x3:7"]), plain);
}

#[test]
fn pictures_for_print() {
    let dir = tempfile::tempdir().unwrap();
    let texts = |text: &str, wanted: &str| text.matches(&format!(">{wanted}</text>")).count();
    let named = svg(dir.path(), &["draw", "2x3:1", "--coordinates", "--numbers"]);
    // A line is drawn; 1, 2 and 3 name lines and rows of dots.
    assert_eq!(["a", "d", "1", "3", "0", "16"].map(|text| texts(&named, text)), [1, 1, 2, 2, 0, 1]);
    let triangles = svg(dir.path(), &["draw", "triangles:open:3", "--coordinates"]);
    assert_eq!(["a", "c", "d", "2"].map(|text| texts(&triangles, text)), [2, 2, 1, 1]);
    let scored = svg(dir.path(), &["draw", "2x2:3", "--scores", "--legend", "--caption", "Two <lines>"]);
    assert_eq!(["safe", "best", "Two &lt;lines&gt;"].map(|text| texts(&scored, text)), [1, 1, 1]);
    // The legend stands below the coordinates.
    for (position, letters) in [("2x2:3", "abc"), ("1x4:3", "abcde"), ("triangles:closed:3", "abc")] {
        let both = svg(dir.path(), &["draw", position, "--scores", "--legend", "--coordinates"]);
        let heights = |text: &str| -> Vec<f64> {
            let end = format!(">{text}</text>");
            let before = both.match_indices(&end).map(|(at, _)| &both[..at]);
            before
                .map(|before| before.rsplit_once(" y=\"").unwrap().1.split('"').next().unwrap().parse().unwrap())
                .collect()
        };
        let legend = heights("safe").into_iter().chain(heights("best")).fold(f64::INFINITY, f64::min);
        for letter in letters.chars() {
            let heights = heights(&letter.to_string());
            assert!(!heights.is_empty() && heights.iter().all(|height| legend - height > 17.0), "{letter}: {both}");
        }
    }
    let grey = svg(dir.path(), &["draw", "2x2:3", "--scores", "--grey"]);
    for colour in
        grey.split('#').skip(1).map(|rest| &rest[..6]).filter(|colour| !["1c2330", "dfe1e4", "e6e7ea"].contains(colour))
    {
        assert!(colour[..2] == colour[2..4] && colour[2..4] == colour[4..], "{colour}");
    }
    says(dir.path(), &["draw", "2x3:7", "--out", "large.png", "--scale", "2.5"]);
    assert_eq!(size(&fs::read(dir.path().join("large.png")).unwrap()), (975, 725));
    let game = ["draw", "2x2 a1-b1 b1-b2 a1-a2"];
    assert_eq!(
        svg(dir.path(), &[&game[..], &["--after", "2"]].concat()),
        svg(dir.path(), &["draw", "2x2 a1-b1 b1-b2"])
    );
    fails(dir.path(), &[&game[..], &["--after", "4", "--out", "a.svg"]].concat(), 2, &["the game has 3 moves, not 4"]);
    fails(dir.path(), &["draw", "2x2", "--scale", "0", "--out", "a.png"], 2, &["expected a number from 0.1 to 20"]);
}

#[test]
fn plots_show_every_layer() {
    let dir = solved("2x3");
    says(dir.path(), &["book", "runs/2x3", "--layers", "6", "--out", "2x3.book"]);
    let run = svg(dir.path(), &["plot", "runs/2x3"]);
    assert!(run.contains(">2x3:0, quiet space: 3,917 positions stored</text>"), "{run}");
    assert!(run.contains(">Seconds</text>") && run.contains(">Bits a position</text>"));
    // One layer of 18 is empty: where a single line is left, it captures.
    assert_eq!(run.matches("<circle").count(), 17);
    let book = svg(dir.path(), &["plot", "2x3.book"]);
    assert!(!book.contains(">Seconds</text>"));
    assert_eq!(book.matches("<circle").count(), 7);
    // Seconds are no result: without them the run is as good.
    fs::remove_file(dir.path().join("runs/2x3/seconds.tsv")).unwrap();
    assert!(!svg(dir.path(), &["plot", "runs/2x3"]).contains(">Seconds</text>"));
    assert!(says(dir.path(), &["verify", "runs/2x3", "--level", "full"]).contains("18 of 18 layers"));
    let again = dab(dir.path(), &["solve", "2x3"]).success();
    assert!(stderr(&again).contains("is already solved"), "{}", stderr(&again));
}

#[test]
fn what_cannot_be_drawn_is_named() {
    let dir = solved("2x2");
    let refused = |args: &[&str], code: i32, pieces: &[&str]| fails(dir.path(), args, code, pieces);
    refused(&["draw", "3x3:0", "--out", "a.webp"], 2, &["a.webp is neither .svg nor .png"]);
    refused(&["draw", "3x3:0", "--scores", "--out", "a.gif"], 2, &["a .gif shows a game without scores"]);
    refused(&["plot", "runs/2x2", "--out", "a.gif"], 2, &["neither .svg nor .png"]);
    refused(&["draw", "3x3:0", "--out", "a"], 2, &["neither .svg nor .png"]);
    refused(&["draw", "3x3:0", "--out", "nowhere/a.svg"], 3, &["cannot write nowhere/a.svg"]);
    refused(&["draw", "3x3:x", "--out", "a.svg"], 2, &["'x' is no hexadecimal mask"]);
    refused(
        &["draw", "5x5:0", "--scores", "--out", "a.svg"],
        5,
        &["'dab solve 5x5:0 --out DIR' and draw it with --from DIR"],
    );
    refused(&["draw", "3x3:0", "--from", "runs/2x2", "--out", "a.svg"], 2, &["3x3:0 does not arise from 2x2:0"]);
    refused(&["plot", "nowhere", "--out", "a.svg"], 3, &["nowhere is not a run"]);
    assert!(!dir.path().join("a.svg").exists());
}
