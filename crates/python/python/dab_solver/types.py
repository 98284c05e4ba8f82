"""The shapes of answers, for type checkers: the same fields as `dab … --json` prints."""

from typing import Literal, TypedDict

Kind = Literal["capture", "safe", "sacrifice", "loony"]
Player = Literal["A", "B"]
Mark = Literal["v", "", "^"]
"""``"v"`` if the player to move must make the next loony move, ``"^"`` if the opponent must."""


class _Marked(TypedDict, total=False):
    mark: Mark
    """If the table has marks."""


class Move(_Marked):
    """A line and its score."""

    line: int
    name: str
    """Of the line: the dots that it joins, such as ``a1-b1``."""
    score: int
    """Net boxes for the player who draws it, the boxes that it closes included."""
    kind: Kind


class Answer(_Marked):
    """The score of a position and of each of its lines."""

    position: str
    penalty: int
    score: int
    """Net boxes still to come for the player to move."""
    best: list[int]
    """Every best line, ascending."""
    moves: list[Move]
    """Every open line, ascending."""
    source: Literal["run", "book", "solved"]


class Reply(TypedDict):
    """The best reply of the controller to an opening."""

    component: str
    reply: Literal["keep", "give up", "either"]
    value: int
    """Net boxes for the controller from then on."""


class EndgameAnswer(TypedDict):
    """The theory's answer for a simple loony endgame."""

    position: str
    size: int
    """Boxes."""
    controlled_value: int
    """Net boxes for the controller who keeps control to the end."""
    value: int
    """Net boxes for the controller under best play, at least 0."""
    open: list[str]
    """Every optimal opening."""
    case: str
    """The theorem and its case that give the value; "any loops" where some are odd."""
    fully_controlled_value: int
    """Net boxes for the controller who keeps control and gives even the last handout away."""
    replies: list[Reply]


class NimMove(TypedDict):
    """A line in nimstring."""

    line: int
    name: str
    """Of the line: the dots that it joins, such as ``a1-b1``."""
    nimber: int | None
    """Of the position that it leaves; None if that is loony."""
    wins: bool
    captures: bool


class NimComponent(TypedDict):
    """A component as if it were alone on the board."""

    name: str
    nimber: int
    lines: list[int]


class NimAnswer(TypedDict):
    """A position in nimstring."""

    position: str
    nimber: int | None
    """None if the position is loony."""
    wins: bool
    moves: list[NimMove]
    capturable: int
    """Boxes that can be captured."""
    components: list[NimComponent]
    """Those that the captures leave."""
    nim_sum: int


class Line(TypedDict):
    """One line of a game."""

    line: int
    name: str
    """Of the line: the dots that it joins, such as ``a1-b1``."""
    kind: Kind | None
    cost: int | None
    """Boxes that it loses against a best line; None if the scores are not known."""
    best: list[int]
    best_names: list[str]


class Turn(TypedDict):
    """All lines that a player draws before the other one is to move."""

    turn: int
    by: Player
    boxes: list[int]
    """Boxes of A and of B after it."""
    before: int | None
    """Margin before it: boxes of A less boxes of B at the end of the game, under best play from there on."""
    after: int | None
    cost: int
    lines: list[Line]


class TurningPoint(TypedDict):
    """A line that changes who wins, or whether anybody does."""

    turn: int
    by: Player
    line: int
    name: str
    """Of the line: the dots that it joins, such as ``a1-b1``."""
    before: int
    after: int
    best: list[int]
    best_names: list[str]


class Mistake(TypedDict):
    """A line that is not a best one."""

    turn: int
    by: Player
    line: int
    name: str
    """Of the line: the dots that it joins, such as ``a1-b1``."""
    cost: int
    best: list[int]
    best_names: list[str]


class End(TypedDict):
    """The end of a reviewed game, which may be before the last line."""

    position: str
    boxes: list[int]
    undrawn: int
    margin: int | None


class Review(TypedDict):
    """The review of a game from its first position with a known score on."""

    board: str
    penalty: int
    position: str
    turns: list[Turn]
    turning_points: list[TurningPoint]
    mistakes: list[Mistake]
    """Dearest first."""
    lost: list[int]
    """Boxes that the mistakes of A and of B cost."""
    end: End


class _LayerMarks(TypedDict, total=False):
    marks_digest: str


class Layer(_LayerMarks):
    """A layer in numbers."""

    layer: int
    slabs: int
    positions: int
    bytes: int
    digest: str


class LayerChecks(TypedDict):
    """Scores of a layer that were derived again before they were written."""

    layer: int
    scores: int
    digest: str


class Checks(TypedDict):
    """Scores of a run that were derived again before they were written."""

    per_slab: int
    """Of every slab, or all of them if there are fewer; 0 once a solve went on without checks."""
    layer: int
    """The first layer that was checked."""
    slab: int
    """Its first slab that was."""
    layers: list[LayerChecks]


class Summary(TypedDict, total=False):
    """A run, a book or scores in memory, in numbers; fields without value are left out."""

    path: str
    path_bytes: str
    """The bytes of a path that is no text, in hexadecimal."""
    kind: Literal["run", "book", "solved"]
    board: str
    start: str
    space: Literal["quiet", "full"]
    penalty: int
    marks: bool
    n_layers: int
    positions: int
    bytes: int
    """Of a book the length of its file, of a run the sum over its layers."""
    released_slabs: int
    released_bytes: int
    digest: str | None
    marks_digest: str
    checks: Checks
    layers: list[Layer]
