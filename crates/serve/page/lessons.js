// The lessons, from the first line to control: title, and steps, each a position with a task.
//
// `goal` the lines that will do (best ones if it is missing), `whole` if the rest of the game is to be played, `you` the side of the
// player if it is not A, `side` the player to move if it is not A, `write` an endgame to be written first, `right` what is said then.

export const LESSONS = [
  ['The rules', [
    { position: '2x2:0', goal: 'any', ask: 'Two players take turns. A turn joins two neighbouring dots by a line. You are A: draw any line.', right: 'Now B would draw a line.' },
    { position: '2x2:c1', goal: 'capture', ask: 'Who draws the fourth side of a box owns it. Close the box.', right: 'The box is yours. Who closes a box draws again, in the same turn.' },
    { position: '2x2:b77', whole: true, ask: 'When all lines are drawn, most boxes win. Take all that you can, to the end.', right: 'All boxes are yours.' },
  ]],
  ['Safe lines and chains', [
    { position: '3x3:452311', goal: 'safe', ask: 'The third side of a box is a gift: the other player closes the box. A line is safe if no box gets its third side. Draw a safe line.', right: 'B can take nothing.' },
    { position: '3x3:8bf780', goal: 'safe', ask: 'One line alone is still safe. Who draws it leaves only gifts to the other player. Find it.', right: 'Whatever B draws now, you get boxes.' },
    { position: '3x3:5dea88', ask: 'No line is safe. Boxes hang together in chains, here of 1, 3 and 5: a line into a chain gives all of it. Open the one that costs least.', right: 'One box is lost, and B has to open a long chain, one of three boxes or more.' },
  ]],
  ['The double-cross', [
    { position: '2x4:20fff', whole: true, ask: 'B has opened a chain of four. If you take it whole, you must open the other one. Take two boxes; then draw the far end of the chain. B gets the two that are left by one line, the double-cross, and must open the other chain. Play to the end.', right: 'Two boxes were the price of four.' },
    { position: '3x4:1ffff', whole: true, ask: 'The same with three chains: you keep control if you leave two boxes of each chain but the last. Play to the end.', right: 'B closed boxes, and you won.' },
    { position: '3x3:1bff0', ask: 'Chains of 2, 3 and 4, and you must open one. In a chain of two, the middle line leaves nothing to be double-crossed: B has to take both boxes and to draw again. Find it.', right: 'B now has to open a long chain.' },
  ]],
  ['The long-chain rule', [
    { position: '3x3:bb5505', ask: 'Who must open the first long chain loses control. Add the dots and the long chains that there will be: A wants an even sum, B an odd one. Here are 16 dots, so A wants two chains. Draw the safe line that makes two.', right: 'With two long chains B opens the first.' },
    { position: '3x3:9bd683', side: 1, ask: 'You are B, and B wants an odd number of long chains here. Two safe lines are left: which of them makes one chain?', right: 'With one long chain A has to open it.' },
  ]],
  ['Sacrifices and loops', [
    { position: '3x3:6b3826', side: 1, ask: 'You are B, and safe lines lead to the wrong number of chains. Give up a box or two, so that the rest is one long chain.', right: 'A sacrifice changes who must open.' },
    { position: '3x3:ddfe7', ask: 'A ring of boxes is a loop. Its double-cross leaves four boxes, as two pairs, and that of a chain two: so B pays more to keep control of a loop. Open what costs you less.', right: 'A loop of four costs you two boxes, a chain of three all three.' },
    { position: '3x4:43b7f74b', whole: true, ask: 'B has opened a loop, and four of its boxes are left. Leave them as two pairs, by one line. Then play to the end.', right: 'Four boxes were the price of seven.' },
  ]],
  ['An endgame in writing', [
    { position: '4x3:1ffff', ask: 'Control costs two boxes for each chain and four for each loop, but for the last one. Two boxes can be taken, and then there are three chains of three. Is control worth its price?', right: 'With control all the way you would have lost by 1.' },
    { position: '2x9:0', write: '3^2+4+6l', whole: true, you: 1, ask: 'Write 3^2+4+6l: two chains of three, one of four, a loop of six. A has to open; you are B. Keep control as long as it pays.', right: 'Both have played their best.' },
    { position: '2x9:0', write: '', whole: true, you: 1, ask: 'Write an endgame of your own, such as 5+4+8l: chains of two boxes or more, and loops of even length.', right: 'Perfect.' },
  ]],
];
