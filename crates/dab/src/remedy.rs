//! What can be done about an error. A front end says it in words of its own; the file is the place of the error.

/// The remedy for an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the text of a remedy says what its fields are")]
pub enum Remedy {
    /// Allow more memory: `bytes`, if that is known.
    MoreMemory { bytes: Option<u64> },
    /// Allow `bytes` of memory, or fewer threads.
    MoreMemoryOrFewerThreads { bytes: u64 },
    /// Allow `bytes` of memory, or solve less; the quiet space is smaller than the full one.
    MoreMemoryOrLess { bytes: u64, is_full: bool },
    /// Start with more lines drawn; more memory helps, too, unless it is the time that is too short.
    MoreDrawn { or_memory: bool },
    /// Allow `bytes` of disk in place of `room`, or choose another disk if this one is full; or keep only the layers up to `keep`.
    MoreDisk { bytes: u128, room: u128, is_full: bool, keep: Option<usize> },
    /// Go on with more disk; finished layers stay.
    GoOnWithMoreDisk,
    /// Run the same command again, which goes on where it stopped.
    SameCommand,
    /// Have the system allow it, then try again.
    System,
    /// Repair the run; or delete the file, if it is there, and solve again.
    Repair { is_there: bool },
    /// Delete the manifest and run the same solve again, which makes it from the score files.
    DeleteManifest,
    /// Make the book again from its run.
    MakeBook,
    /// Solve again into another directory, and keep all layers if some were discarded.
    SolveElsewhere { keep_all: bool },
    /// Solve again and keep all layers.
    SolveWithAll,
    /// Use the version that wrote the file.
    SameVersion,
    /// Choose another directory, or move away the file of another run, or the manifest.
    MoveAway,
    /// Allow more open files.
    MoreFiles,
    /// Allow longer files, or choose another disk.
    LongerFiles,
    /// Use fewer threads, or allow more processes and memory.
    FewerThreads,
    /// Wait until the run is finished, or solve again into another directory.
    AskFinished,
    /// Finish the run.
    Finish,
    /// Check that board and run belong together.
    Belonging,
    /// Remove the file, or choose another name.
    OtherName,
    /// Ask the run that the book was made from, or make a larger book.
    AskRun,
    /// Wait for another process, or choose another directory.
    Wait,
    /// Name a run.
    NameRun,
    /// Name a book or a run.
    NameBook,
    /// Choose an empty directory, or a run.
    EmptyDirectory,
    /// Choose another directory, or solve the game that it holds.
    OtherDirectory,
    /// Ask about the penalty of the table, ask a run with the penalty `asked`, or solve on demand.
    TablePenalty { asked: i32 },
    /// Do not ask for the penalty: the text has one.
    NoPenalty { told: i32 },
    /// Name the board, such as this one.
    NameBoard { such_as: String },
    /// Do not ask for the start `start`.
    NoStart { start: String },
    /// Name the notation, such as this one.
    NameNotation { such_as: String },
    /// Ask about the position.
    Query { position: String },
    /// Ask a run of this board, or no table.
    RunOf { board: String },
    /// Solve a position of the game.
    SolvePosition,
    /// Count fewer lines.
    FewerLines,
    /// Solve the position into files, which may take longer.
    Solve { position: String },
    /// Ask for the nimber of the position where more memory is allowed.
    Nimber { position: String },
    /// Have the position solved, then ask again.
    HaveSolved,
    /// Look up the questions that there are.
    ListQuestions,
    /// Look up the fields of the question.
    ListFields,
    /// Words of a front end.
    Words(String),
}
