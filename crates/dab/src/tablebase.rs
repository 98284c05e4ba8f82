//! A run or a book, opened: scores, answers and best play of its positions.
