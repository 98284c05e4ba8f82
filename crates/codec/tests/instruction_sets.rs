//! The instruction sets of `dab-isa` are those of the machine, and a name chooses one. They are tested here, because each crate with
//! tests of its own is one more program to link, and the codec is the first that asks for a set.

use dab_isa::Isa;

#[test]
fn a_name_chooses_a_set() {
    let available = Isa::available();
    for isa in &available {
        assert_eq!(Isa::named(Some(isa.name())).unwrap().name(), isa.name());
    }
    assert_eq!(Isa::named(None).unwrap().name(), available.last().unwrap().name());
    for name in ["", "avx", "AVX2", "portable "] {
        let error = Isa::named(Some(name)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("DAB_ISA={name}: this machine has portable")), "{error}");
    }
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn sets_are_those_that_the_system_lists() {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap();
    let has = |feature: &str| info.split_whitespace().any(|word| word == feature);
    let names: Vec<&str> = Isa::available().into_iter().map(Isa::name).collect();
    for (name, features) in [
        ("sse4.2", &["sse4_2", "cx16", "popcnt"][..]),
        ("avx2", &["avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"]),
        (
            "avx512",
            &[
                "avx512bw",
                "avx512vl",
                "avx512vbmi",
                "avx512_vbmi2",
                "avx512_bitalg",
                "avx512_vpopcntdq",
                "gfni",
                "vaes",
            ],
        ),
    ] {
        assert_eq!(names.contains(&name), features.iter().all(|feature| has(feature)), "{name}");
    }
}
