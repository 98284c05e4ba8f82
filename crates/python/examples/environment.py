"""An environment, in which a perfect player begins against one that draws the lowest line: python environment.py"""

import dab_solver as dab


class Env:
    def __init__(self, board: str) -> None:
        self.position, self.player, self.boxes = dab.Position(board), 0, [0, 0]

    def step(self, line: int) -> None:
        self.boxes[self.player] += (closed := self.position.closes(line))
        self.position, self.player = self.position.draw(line), self.player if closed else 1 - self.player


env, table = Env("3x3"), dab.solve("3x3", progress=False)
while env.position.undrawn:
    env.step(table.answer(env.position)["best"][0] if env.player == 0 else env.position.undrawn[0])
print(f"{env.boxes[0]} : {env.boxes[1]}")
