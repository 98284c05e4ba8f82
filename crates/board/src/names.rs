//! Enums whose variants have names.

/// Gives an enum the list `ALL` of its variants, `name`, and the name as the text that it is displayed as. With `from` and the
/// word for such a thing it is read from its name, too.
#[macro_export]
macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        impl $type {
            /// Every variant, in the order in which texts list them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
    ($type:ident from $what:literal { $($names:tt)* }) => {
        $crate::names!($type { $($names)* });

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.into_iter().find(|known| known.name() == text).ok_or_else(|| {
                    let [known @ .., last] = Self::ALL.map(Self::name);
                    format!("unknown {} '{text}': expected {} or {last}", $what, known.join(", "))
                })
            }
        }
    };
}
