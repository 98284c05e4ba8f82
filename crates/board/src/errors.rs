//! Errors whose variants are declared with their texts.
//!
//! The macro of thiserror does the same, but takes longer to compile than all of a program that only reads tables.

/// Declares an enum of errors. Behind each variant stands the text that it is displayed as, which names its fields, and the
/// values of the `{}` in it.
#[macro_export]
macro_rules! errors {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $(
                $(#[$doc:meta])*
                $variant:ident $({ $($field:ident: $type:ty),* $(,)? })? $(($inner:ident: $inner_type:ty))?
                    => $text:literal $(, $value:expr)*;
            )*
        }
    ) => {
        $(#[$about])*
        #[allow(missing_docs, reason = "the text of an error says what its fields are")]
        pub enum $name {
            $($(#[$doc])* $variant $({ $($field: $type),* })? $(($inner_type))?,)*
        }

        impl std::fmt::Display for $name {
            #[allow(unused_variables, reason = "a text need not name all fields")]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),* })? $(($inner))? => write!(f, $text $(, $value)*),)*
                }
            }
        }
    };
}
