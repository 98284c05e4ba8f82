//! Checks that a table holds enough for a purpose.
//!
//! A check costs a look at what the files say of themselves; it reads no score. Each error says what is lacking.

use dab_board::Position;
use dab_space::Layer;

use crate::{Files, TableError, Tablebase};

impl Tablebase {
    /// Checks that the scores have the penalty asked for, if one was.
    ///
    /// # Errors
    /// If they have another one.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert!(table.require_penalty(None).is_ok() && table.require_penalty(Some(1)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn require_penalty(&self, asked: Option<i32>) -> Result<(), TableError> {
        let penalty = self.penalty().into();
        match asked {
            Some(asked) if asked != penalty => {
                Err(TableError::OtherPenalty { name: self.files().name(), penalty, asked })
            }
            _ => Ok(()),
        }
    }

    /// Checks that a position arises from the start.
    ///
    /// # Errors
    /// If it does not.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert!(table.require_arising(&"4x4:f".parse()?).is_ok());
    /// assert!(table.require_arising(&"3x3:f".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn require_arising(&self, position: &Position) -> Result<(), TableError> {
        let start = self.start();
        match start.board() == position.board() && start.drawn().is_subset(position.drawn()) {
            true => Ok(()),
            false => Err(TableError::NotHeld { position: position.to_string(), start: start.to_string() }),
        }
    }

    /// Checks that every layer of a run is solved, whether its scores were kept or not.
    ///
    /// # Errors
    /// If one is not.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert!(table.require_finished().is_ok()); // a book is made of a finished run
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn require_finished(&self) -> Result<(), TableError> {
        let n_layers = self.files().n_layers();
        let solved = (0..n_layers).map(Layer).filter(|&layer| self.files().scores().is_finished(layer)).count();
        if matches!(self.files(), Files::Run(_)) && solved < n_layers {
            return Err(TableError::Unfinished { name: self.files().name(), solved, n_layers });
        }
        Ok(())
    }

    /// Checks that every layer is here.
    ///
    /// # Errors
    /// If one is not.
    ///
    /// ```
    /// # let table = dab_table::Tablebase::open("../../data/books/4x4.book")?;
    /// assert!(table.require_all().is_err()); // a book holds the first layers only
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn require_all(&self) -> Result<(), TableError> {
        self.require_finished()?;
        let (name, n_layers) = (self.files().name(), self.files().n_layers());
        let held = self.whole_layers().count();
        match self.files() {
            _ if held == n_layers => Ok(()),
            Files::Book(_) => Err(TableError::PartOnly { name, held, n_layers }),
            _ => Err(TableError::Discarded { name, kept: held, n_layers }),
        }
    }

    /// Returns a layer if all its scores are here.
    ///
    /// # Errors
    /// If they are not, or there is no such layer.
    pub(crate) fn require_layer(&self, layer: Layer) -> Result<Layer, TableError> {
        if self.whole_layers().any(|held| held == layer) {
            return Ok(layer);
        }
        let (name, n_layers) = (self.files().name(), self.files().n_layers());
        let held = match (self.whole_layers().min(), self.whole_layers().max()) {
            (Some(first), Some(last)) => format!("it holds layers {first} to {last} of {n_layers}"),
            _ => "it holds no layer".to_owned(),
        };
        Err(TableError::NoSuchLayer(format!("{name} has no scores of layer {layer}: {held}")))
    }

    /// The layers all of whose scores are here, ascending.
    pub(crate) fn whole_layers(&self) -> impl Iterator<Item = Layer> {
        let is_whole = |layer: &Layer| match self.files() {
            Files::Run(run) => run.released(*layer).is_empty(),
            _ => true,
        };
        self.files().layers().map(|layer| layer.layer).filter(is_whole)
    }
}
