//! The arguments as they are typed: paths, numbers and names are checked here, positions when [`crate::input`] reads
//! them.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Command, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use dab::figures::{parse_size, parse_time};

use crate::output::Output;

pub(crate) use self::of_verbs::{
    Batch, Book, Caribou, Convert, Crosscheck, Draw, Endgame, Export, FromTables, Nimstring, Picture, Plan, Puzzles,
    Query, Review, Run, Search, Solve, Told,
};

mod of_verbs;

const ABOUT: &str = "Solves Dots and Boxes exactly and answers from the solved boards";
const AFTER: &str = "    board → space → solve → store → book → dab → cli, serve

A board RxC has R rows and C columns of boxes. A position is RxC:HEX, the mask of its drawn lines: bit i is line i, \
horizontal lines row by row, then vertical lines row by row; 3x3:0 is the empty board. A diagram of '+', '-' and '|', and \
the notations of other programs, are read too (dab convert --help).

Other boards are closed:N and open:N, N boxes in a row (closed: top and both ends are drawn from the beginning); \
triangles:closed:N and triangles:open:N, 2N-1 triangles between N and N+1 dots; graph:FILE, any strings-and-coins graph \
(a graph file, or a run of one).

A score is the number of open boxes that the player to move gets less those of the opponent, under best play.

A position is quiet when no box has exactly three sides: nothing can be captured. A layer is all stored positions with \
equally many drawn units (lines, or whole chains of the start); a slab is the part of a layer that is solved at a time. \
A run is the directory with the result of one solve; a book is one file with the first layers of a run. \
docs/GUIDE.md has the other words.

Exit codes: 0 done, 1 a check found something wrong, 2 wrong arguments or input, 3 a file cannot be used, 4 a file is \
damaged, 5 too little memory, disk or time allowed, 130 interrupted.";

/// The verbs by purpose, those that are rarely needed last.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Solve", &["solve", "plan", "search"]),
    ("Ask", &["query", "review", "draw"]),
    ("Study", &["endgame", "nimstring", "caribou", "problems", "puzzles", "survey"]),
    ("Serve", &["serve"]),
    ("Files", &["info", "verify", "book", "export", "convert"]),
    ("Rarely needed", &["penalties", "census", "plot", "crosscheck", "completions", "man"]),
];

#[derive(Parser)]
#[command(name = "dab", version, about = ABOUT, after_long_help = AFTER, max_term_width = 110)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// Print results as JSON, one object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print results and errors only: no progress, no notes
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
    /// Threads to use [default: one for each core]
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Memory to use at most, such as 512M or 3G [default: half of what is free, or less where a control group or
    /// ulimit bounds this process]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
}

impl Args {
    /// The command line, whose help lists the verbs in groups.
    pub(crate) fn grouped() -> Command {
        let command = Self::command();
        let mut verbs = String::new();
        for (purpose, names) in GROUPS {
            verbs += &format!("{purpose}:\n");
            for verb in names.iter().filter_map(|name| command.find_subcommand(name)) {
                let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
                verbs += &format!("  {:<11}  {about}\n", verb.get_name());
            }
            verbs.push('\n');
        }
        let template = "{about-with-newline}\n{usage-heading} {usage}\n\n";
        command.help_template(format!("{template}{verbs}Options:\n{{options}}{{after-help}}"))
    }

    /// The form of output that arguments ask for which make no sense.
    pub(crate) fn output_asked() -> Output {
        let mut options = std::env::args_os().take_while(|argument| argument != "--");
        Output { json: options.any(|argument| argument == "--json"), quiet: false }
    }
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Solve every position of a board and keep the scores in files
    ///
    /// Examples:
    ///     dab solve 3x3
    ///     dab solve 3x5 --space full --memory 256M --disk 16G --keep 15
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Finished layers are kept: after an interruption the same command resumes the solve.")]
    Solve(Solve),
    /// Estimate memory, disk and time of a solve, without solving
    ///
    /// Examples:
    ///     dab plan 4x5
    ///     dab plan 5x5 --nodes 16 --cores 64 --memory 512G --disk-bandwidth 40G
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
The arguments are those of 'dab solve'. Positions and slabs are exact, the rest is estimated.")]
    Plan(Plan),
    /// Print score, best moves and best play of positions
    ///
    /// Examples:
    ///     dab query 3x3:1f --from runs/3x3
    ///     dab query --batch positions.txt --from runs/3x3
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Without --from, the books that come with the program answer ('dab info' lists them). A position that they do not hold, or \
one below the last layer of the book of --from, is solved on demand if its plan (dab plan) takes ten minutes at most: in \
memory if the scores fit (--memory), else in temporary files (TMPDIR), which are removed. On two cores that includes 5x5 \
with 12 lines drawn, 6x6 with 26 and 7x7 with 40. \
Every line is listed with its kind: capture (it closes a box), safe (nothing can be captured afterwards), sacrifice \
(the opponent can capture, but may not decline) or loony (the opponent may decline the last boxes).

With --marks a score is followed by 'v' if the player to move must make the next loony move, and by '^' if the opponent \
must. Among moves of the same score a player first avoids making it, then prefers that the opponent has to. Marks take \
every position that best play can reach: a second on 3x4, some twenty on 3x5, minutes on 4x4.")]
    Query(Query),
    /// Write a position or a game in another notation
    ///
    /// Examples:
    ///     dab convert @game.dbl --to dots
    ///     dab convert abbacbbcad --board 1x2 --to wilson
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Each notation is recognised by itself. Notations of positions:
    compact      1x2:37, the mask of drawn lines
    diagram      a picture of '+', '-' and '|'
    wilson       Wilson's analyze: penalty and side to move above a picture
    bits         1110110, a digit a line in canonical order, as in OpenSpiel
and of games:
    lattice      abbacb, Wilson's moves: rows and columns of the lattice from a
    dots         1. a2-b2 2. a1-a2, rows of dots numbered from the bottom;
                 or 4 0 2, numbers of lines; a position may come first
    address      an address of the page of dab serve
    littlegolem  [Size \"5\"] ;b[haa];r[vaa], dots lettered from the top and left
    dabble       .dbl of Dabble: size in dots, strings and coins
    ksquares     .dbl of KSquares: size in boxes, dots
A position written as a game has its lines in canonical order. docs/NOTATIONS.md shows all of them.")]
    Convert(Convert),
    /// Replay a game and print the cost of each turn
    ///
    /// Examples:
    ///     dab review @game.txt
    ///     dab review --batch games.txt --board 4x4 --start icelandic
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Margins are boxes of A, who moved first, less those of B: the closed ones and those still to come under best play. The \
cost of a line is the margin that its player loses by not drawing a best one. A turning point is a line that changes the \
winner, or turns a win into a tie or back.

Without --from, the review begins at the first position of the game that takes only seconds to solve, or at the start if a \
book of its board comes with the program ('dab info' lists them). With --from, it \
begins where the run or book begins. A game may end early; a line that cannot be drawn, or a turn of the wrong player, \
is an error.")]
    Review(Review),
    /// Solve problems with known answers and compare
    ///
    /// Examples:
    ///     dab problems
    ///     dab problems --only 12.18 --json
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Without PATH the command solves the problems that are part of the program: positions and endgames from papers and books, \
and positions with a single winning move. docs/GUIDE.md shows how to write problems.")]
    Problems {
        /// A file with problems, or a directory whose .txt files are read
        #[arg(value_name = "PATH")]
        path: Option<PathBuf>,
        /// Only problems whose names contain this
        #[arg(long, value_name = "TEXT")]
        only: Option<String>,
    },
    /// Make puzzles: positions in which one line alone keeps the result
    ///
    /// Examples:
    ///     dab puzzles 3x3 --grade 2
    ///     dab puzzles 4x4 --n 20 > puzzles.txt
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Two players by simple rules play, a greedy one or one that follows the rules of the Caribou page. Once at most --left lines are left, the \
rest of the game is solved. Grade 1: the greedy player finds the line; 2: the rules of Caribou do; 3: they allow other lines, too; 4: they exclude it. \
The text is a file for dab problems.")]
    Puzzles(Puzzles),
    /// Show scores and best moves under each last-move penalty
    ///
    /// Examples:
    ///     dab penalties 3x3:fff
    ///     dab penalties 3x3:0 --max-penalty 12
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
The penalty is charged to the player who draws the last line. The position is solved for each penalty, as dab query \
solves it. Between two neighbouring penalties every score lies on the straight line between its scores there (Wilson's \
interpolation), and the best moves are those that are best at both. The last line says whether the scores allow that.")]
    Penalties {
        /// The position in any notation, @FILE, or '-' for standard input
        #[arg(value_name = "POSITION")]
        position: String,
        #[command(flatten)]
        told: Told,
        /// The largest penalty [default: open boxes + 1, which makes the game nimstring]
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        max_penalty: Option<i32>,
    },
    /// Print the nimbers of positions and of their moves
    ///
    /// Examples:
    ///     dab nimstring 3x3:0
    ///     dab nimstring --batch positions.txt
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
In nimstring boxes count nothing. A player who closes a box must move again, and the player who cannot move loses. A \
position whose player to move may decline the last boxes of a capture run is loony: he wins whatever else there is. The \
nimber of a move is that of the position it leaves; '*' marks moves that win. In JSON a loony nimber is null.

Nimbers are worked out in memory, within --memory: a second for 3x3, a minute or more for 3x4.")]
    Nimstring(Nimstring),
    /// Find the score of one position by search
    ///
    /// Examples:
    ///     dab search 3x4:0
    ///     dab search 5x5:510264066c84442 --time 10m --memory 1G
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
For proofs without files, for narrow boards, which fall into components early, and as a second opinion: the search shares
no code with 'dab solve' but the rules. On larger boards it tells bounds of the score as it proves them. Ctrl-C and --time
end it with the bounds proven so far. --memory bounds all that it remembers. The positions of a batch share this memory.")]
    Search(Search),
    /// Check the files of a run, or a book
    ///
    /// Examples:
    ///     dab verify runs/4x4 --level sample
    ///     dab verify runs/4x4 --repair
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
    checksums   every block and every digest
    sample      re-derive a sample of the scores of every slab by the rules
    full        re-derive every score

With --repair damaged slabs are first computed again from the layers above them; the mended files are byte for byte the \
undamaged ones.")]
    Verify {
        /// The directory of the run, or a book
        #[arg(value_name = "PATH")]
        path: PathBuf,
        /// Level of the check: checksums, sample or full
        #[arg(long, default_value = "checksums")]
        level: Level,
        /// Compute damaged slabs again
        #[arg(long)]
        repair: bool,
    },
    /// Make a book: the first layers of a finished run in one file
    ///
    /// Examples:
    ///     dab book runs/3x4 --layers 12 --out 3x4.book
    ///     dab book runs/4x4 --max-size 100M --out 4x4.book
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
'dab query' answers from a book as from a run. Positions below its last layer are solved on demand.")]
    Book(Book),
    /// Draw a position, with or without scores, or a game in motion
    ///
    /// Examples:
    ///     dab draw 3x3:fff --out chains.svg
    ///     dab draw @game.txt --after 20 --scores --legend --out game.png
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Better lines are darker. Safe lines are solid, sacrifices dashed, loony lines dotted, captures thick. Boxes show the letter \
of their owner, A or B, if the text or the game tells it. Scores come from a run or a book; without --from they \
come from where dab query has them.")]
    Draw(Draw),
    /// Plot the layers of a run: positions, bits, scores and seconds
    ///
    /// Examples:
    ///     dab plot runs/3x3 --out 3x3.svg
    ///     dab plot runs/4x4 --out 4x4.png
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Every stored score is read once. Seconds are those of the solve, if the run has them; a book has none.")]
    Plot {
        /// The directory of a run, or a book
        #[arg(value_name = "PATH")]
        path: PathBuf,
        #[command(flatten)]
        picture: Picture,
    },
    /// Show boards with scores in the browser, and play there
    ///
    /// Examples:
    ///     dab serve
    ///     dab serve --from runs/3x3 runs/4x4 5x5.book --port 8080
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Serves a page and a JSON API (docs/API.md) on 127.0.0.1, where no other machine reaches it; Ctrl-C ends it. Answers come \
from the runs and books, then from the books that come with the program ('dab info' lists them). Other positions are \
solved on demand if that takes no longer than --time, in memory or in temporary files.")]
    Serve {
        /// Solved runs and books to answer from
        #[arg(long, value_name = "PATH", num_args(1..))]
        from: Vec<PathBuf>,
        /// The port, 0 for any that is free
        #[arg(long, value_name = "N", default_value_t = 3220)]
        port: u16,
        /// The most time that a solve on demand may take, such as 90s, 10m or 2h
        #[arg(long, value_name = "LIMIT", value_parser = parse_time, default_value = "10m")]
        time: Duration,
        /// Disk that temporary files of a solve on demand may take, such as 500M or 2T [default: what is free]
        #[arg(long, value_name = "SIZE", value_parser = parse_size)]
        disk: Option<u64>,
        /// A site whose pages may ask, too, such as https://notes.example [default: none]
        #[arg(long, value_name = "ORIGIN")]
        allow_origin: Option<String>,
    },
    /// Write positions with their scores and best moves
    ///
    /// Examples:
    ///     dab export runs/3x4 --sample 100000 --out sample.csv
    ///     dab export runs/3x4 --layer 12 --format npy --out layer.npy
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
One row for each stored position: the position, its layer, its score, and the mask of its best moves. csv is text; npy is \
an array of NumPy, which many other programs read, too (docs/GUIDE.md). Every position has the same chance to be in a \
sample.")]
    Export(Export),
    /// Describe a run or a book, or list the books that are found
    ///
    /// Examples:
    ///     dab info
    ///     dab info runs/3x3
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Books are found without being named in 'books' beside the program, in '../share/dab/books' seen from there, and in \
'data/books' of the current directory.")]
    Info {
        /// The directory of a run, or a book [default: list the books that are found without being named]
        #[arg(value_name = "PATH")]
        path: Option<PathBuf>,
    },
    /// Count the first positions of a game by winner and score
    ///
    /// Examples:
    ///     dab census data/books/4x4.book
    ///     dab census runs/5x5 --lines 4 --json
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Positions are sets of drawn lines, symmetric ones included: K of n undrawn lines make C(n, K) positions. The first player is the one to move at the start. While no box is \
closed, the number of lines says who is to move, and the winner is the player who gets more of the open boxes from there on; \
the last-move penalty counts. Once a box is closed the drawn lines do not say who is to move: such positions are counted as \
'closed' and by their score, which is that of the player to move.

From three lines on, the census lists one first move of each class of symmetry, with the replies by the number of third moves \
after which the second player wins. It does not where three lines can close a box. A book may need more layers than K: the \
score of a position with something to capture is that of the position left, which has more lines.")]
    Census {
        /// The directory of a run, or a book
        #[arg(value_name = "PATH")]
        path: PathBuf,
        /// Count positions with up to K lines more than the start
        #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = 3)]
        lines: usize,
    },
    /// Hold rules of thumb against every stored position of a run
    ///
    /// Examples:
    ///     dab survey runs/3x3
    ///     dab survey runs/3x3 --nimstring runs/3x3-nimstring --plot 3x3.svg
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Stored positions are those in which nothing can be captured, one of each class of symmetry. The statements: the long chain rule, while no box is \
closed and only chains and loops are left; the winner of nimstring wins the boxes, while no box is closed; endgames with controlled value below 2 \
have value 1 or 2. That of nimstring needs a run of the same start with a last-move penalty of more boxes than are open.")]
    Survey {
        /// The directory of a run of the quiet space, or a book
        #[arg(value_name = "PATH")]
        path: PathBuf,
        /// A run of the same start with a last-move penalty of more boxes than are open
        #[arg(long, value_name = "DIR")]
        nimstring: Option<PathBuf>,
        /// Write a picture, .svg or .png: how often each statement is right by layer
        #[arg(long, value_name = "FILE")]
        plot: Option<PathBuf>,
    },
    /// Apply the closed-form theory to long chains and loops
    ///
    /// Examples:
    ///     dab endgame 3^2+4+6l
    ///     dab endgame 3+4l^2 --lead 2
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
Components are joined by '+'; 3 is a chain of three boxes, 4l a loop of four, ^N repeats. Loops of grids are even; strings \
and coins have odd ones, too, for which there is another theorem.")]
    Endgame(Endgame),
    /// Say what the rules of the Caribou page would play and lose
    ///
    /// Examples:
    ///     dab caribou 3x3:fff
    ///     dab caribou @diagram.txt --from runs/4x4
    #[command(verbatim_doc_comment)]
    #[command(after_help = "\
The rules avoid giving boxes away, count long chains for control, open the cheapest chain first, and decline if what \
is left is worth more than the handout. Where a run, a book or a moment's solve knows the scores, the errors of the rules are told.")]
    Caribou(Caribou),
    /// Compare theory, tables, searches and programs with each other
    ///
    /// Examples:
    ///     dab crosscheck endgames
    ///     dab crosscheck board --from runs/3x3
    #[command(verbatim_doc_comment)]
    #[command(subcommand)]
    Crosscheck(Crosscheck),
    /// Print what a shell needs to complete the arguments
    ///
    /// Examples:
    ///     dab completions bash > ~/.local/share/bash-completion/completions/dab
    ///     dab completions zsh > ~/.zfunc/_dab
    #[command(verbatim_doc_comment)]
    Completions {
        /// bash, elvish, fish, powershell or zsh
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Write man pages: one for the program, one for each verb
    ///
    /// Examples:
    ///     dab man ~/.local/share/man/man1
    ///     dab man man1
    #[command(verbatim_doc_comment)]
    Man {
        /// The directory to write them to
        #[arg(value_name = "DIR")]
        dir: PathBuf,
    },
}

/// The part of a run that is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Every block and every digest.
    Checksums,
    /// A sample of the scores of every slab, by the rules.
    Sample,
    /// Every score, by the rules.
    Full,
}

dab_board::names!(Level from "level" { Checksums = "checksums", Sample = "sample", Full = "full" });

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command below a command.
    fn verbs(command: &Command) -> Vec<&Command> {
        command.get_subcommands().flat_map(|verb| [vec![verb], verbs(verb)].concat()).collect()
    }

    #[test]
    fn every_verb_is_in_one_group() {
        let command = Args::command();
        let mut verbs: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        verbs.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, verbs);
    }

    #[test]
    fn help_begins_with_two_examples_that_parse() {
        let command = Args::command();
        for verb in verbs(&command) {
            let name = verb.get_name();
            let help = verb.get_long_about().map(ToString::to_string).unwrap_or_default();
            let (_, examples) = help.split_once("\n\nExamples:\n").unwrap_or_else(|| panic!("{name} has no examples"));
            assert_eq!(examples.lines().count(), 2, "{name}");
            for example in examples.lines() {
                let words = example.split_whitespace().take_while(|word| *word != ">");
                assert!(words.clone().skip(1).any(|word| word == name), "{name}: {example}");
                let parsed = Args::try_parse_from(words);
                assert!(parsed.is_ok(), "{example}: {}", parsed.err().unwrap());
            }
        }
    }
}
