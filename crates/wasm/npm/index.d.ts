export type Kind = 'capture' | 'safe' | 'sacrifice' | 'loony';

/** An open line. */
export interface Move {
  /** Its number: horizontal lines first, row by row. */
  line: number;
  /** The dots that it joins, such as `a1-b1`. */
  name: string;
  /** Net boxes for the player who draws it. */
  score: number;
  kind: Kind;
}

export interface Answer {
  /** In compact text, such as `3x3:1f`. */
  position: string;
  /** What the player pays who draws the last line, in boxes. */
  penalty: number;
  /** Net boxes still to come for the player to move, under best play. */
  score: number;
  /** The numbers of all best lines. */
  best: number[];
  moves: Move[];
  source: 'book' | 'solved';
  /** With `details`: best play, its names, and whether it reaches the end of the game. */
  play?: number[];
  play_names?: string[];
  is_whole?: boolean;
  /** With `details`: closed boxes, boxes that can be captured, and the components that this leaves. */
  closed?: number;
  capturable?: number;
  components?: { kind: 'chain' | 'loop' | 'joined'; name: string; boxes: number; lines: number[] }[];
  /** With `details`, of a simple loony endgame: the theory of its value. */
  endgame?: {
    name: string;
    size: number;
    controlled_value: number;
    value: number;
    open: string[];
    case: string;
    table: { value: number; open: string[] };
  };
}

export interface Options {
  /** The board, where the notation does not tell it. */
  board?: string;
  penalty?: number;
  details?: boolean;
}

/** `code` is for programs: `bad_position`, `too_much`, `failed` and others of the API of the page. */
export class Problem extends Error {
  code: string;
}

/**
 * The scores of a position, in any notation, and of all its lines. Books answer at once; else it is solved, which keeps this
 * thread busy: ask large positions in a worker. Throws a `Problem`.
 */
export function ask(position: string, options?: Options): Promise<Answer>;

/** The answer to any question of the API of the page, such as `review` or `nimber`, by its fields. */
export function question(name: string, fields?: Record<string, unknown>): Promise<unknown>;
