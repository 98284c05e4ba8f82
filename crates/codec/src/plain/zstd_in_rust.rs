//! Frames of zstd without a C compiler. They are only read: on wasm, blocks that this program writes stay as packed.

use ruzstd::decoding::FrameDecoder;

use crate::Damage;

/// A context of zstd, to be used again and again.
pub(super) struct Zstd(FrameDecoder);

impl Zstd {
    pub(super) fn new() -> Self {
        Self(FrameDecoder::new())
    }

    /// No frame is ever shorter than `bytes`, because none is made.
    #[cfg(any(not(feature = "encode"), target_family = "wasm"))]
    pub(super) fn compress(&mut self, _bytes: &[u8], _frame: &mut [u8]) -> bool {
        false
    }

    /// Writes the bytes of a frame to the begin of `bytes`; returns their number.
    pub(super) fn decompress(&mut self, frame: &[u8], bytes: &mut [u8]) -> Result<usize, Damage> {
        self.0.decode_all(frame, bytes).map_err(|error| Damage::Compression(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::Zstd;

    /// A frame by hand: five bytes in a block that repeats one.
    #[test]
    fn a_frame_is_read() {
        let (frame, mut got) = ([0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x2b, 0, 0, 7], [0; 6]);
        assert_eq!(Zstd::new().decompress(&frame, &mut got), Ok(5));
        assert_eq!(got, [7, 7, 7, 7, 7, 0]);
    }

    /// Each frame of the other library is read, and a damaged one is an error or other bytes, never a panic.
    #[cfg(feature = "encode")]
    #[test]
    fn frames_of_the_other_library() {
        let (mut c, mut rust) = (super::super::zstd_in_c::Zstd::new(), Zstd::new());
        let (mut frame, mut got) = (Vec::new(), [0; 5000]);
        for (len, step) in [(100, 1), (1000, 3), (4096, 77), (4096, 1), (5000, 250)] {
            let bytes: Vec<u8> = (0..len).map(|i| ((i / step) * i % 7) as u8).collect();
            assert!(c.compress(&bytes, &mut frame));
            assert_eq!(rust.decompress(&frame, &mut got).map(|len| &got[..len]), Ok(&bytes[..]));
            assert!(rust.decompress(&frame, &mut got[..len - 1]).is_err());
            assert!(rust.decompress(&frame[..frame.len() - 1], &mut got).is_err());
            for at in 0..frame.len() {
                frame[at] ^= 0x10;
                let _ = rust.decompress(&frame, &mut got);
                frame[at] ^= 0x10;
            }
            assert_eq!(rust.decompress(&frame, &mut got), Ok(len));
        }
    }
}
