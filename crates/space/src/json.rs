//! Structs as objects of JSON.
//!
//! Serde's own macros do the same, but take longer to compile than all of a program that only reads tables.

#[doc(hidden)]
pub use serde_core as serde;

/// Makes a struct serialize as these fields, in this order, which are all that it has. A field `unless` some test is left out where the test holds.
#[macro_export]
macro_rules! serialize_fields {
    ($name:ident { $($field:ident $(unless $is_empty:path)?),* $(,)? }) => {
        impl $crate::json::serde::Serialize for $name {
            fn serialize<S: $crate::json::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use $crate::json::serde::ser::SerializeMap;

                let Self { $($field),* } = self;
                let mut fields = serializer.serialize_map(None)?;
                $(if true $(&& !$is_empty($field))? {
                    fields.serialize_entry(stringify!($field), $field)?;
                })*
                fields.end()
            }
        }
    };
}

/// Makes a struct deserialize from these fields and no others; those that may be left out have their default then.
#[macro_export]
macro_rules! deserialize_fields {
    ($name:ident { $($field:ident $(unless $is_empty:path)?),* $(,)? }) => {
        impl<'de> $crate::json::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::json::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use $crate::json::serde::de::{Error, MapAccess, Visitor};

                struct Reader;

                impl<'de> Visitor<'de> for Reader {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("struct ", stringify!($name)))
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<$name, A::Error> {
                        $(let mut $field = None;)*
                        while let Some(name) = fields.next_key::<String>()? {
                            match name.as_str() {
                                $(stringify!($field) if $field.is_none() => $field = Some(fields.next_value()?),)*
                                $(stringify!($field) => return Err(A::Error::duplicate_field(stringify!($field))),)*
                                _ => return Err(A::Error::unknown_field(&name, &[$(stringify!($field)),*])),
                            }
                        }
                        $($(let $field = $field.or_else(|| Some(Default::default()).filter($is_empty));)?)*
                        Ok($name { $($field: $field.ok_or_else(|| A::Error::missing_field(stringify!($field)))?),* })
                    }
                }

                deserializer.deserialize_map(Reader)
            }
        }
    };
}

/// Makes a struct serialize and deserialize as these fields, as the two macros above.
#[macro_export]
macro_rules! json_fields {
    ($($fields:tt)*) => {
        $crate::serialize_fields!($($fields)*);
        $crate::deserialize_fields!($($fields)*);
    };
}
