//! Problems with known answers: read from text, solved and compared.
