//! What an error text or an error code means: for lines that are no kind of their own.
//!
//! Codes: plog grammar 7.1. Texts: those of real logs. A text that is not listed says nothing.

use memchr::memmem;

use crate::digits::{decimal, leading};
use crate::model::fault::{Nature, Place};

/// The nature of a code of the runtime or of GE.
pub(super) fn of_runtime_code(code: i64) -> Option<Nature> {
    Some(match code {
        207_001 | 245_000 => Nature::OutOfMemory(Place::Unsaid),
        207_018 => Nature::OutOfMemory(Place::Device),
        207_005 => Nature::Streams,
        107_000 | 145_000..=145_999 => Nature::InvalidValue,
        107_002 => Nature::NoContext,
        507_013 => Nature::Dma,
        507_014 | 507_017 | 507_046 => Nature::Timeout,
        507_015 => Nature::AiCore,
        507_018 => Nature::AiCpu,
        507_011 => Nature::Execution,
        507_899 => Nature::Internal,
        _ => return None,
    })
}

/// The nature of a code of the driver.
pub(super) fn of_driver_code(code: i64) -> Option<Nature> {
    match code {
        6 => Some(Nature::OutOfMemory(Place::Device)),
        87 => Some(Nature::DeviceBusy),
        _ => None,
    }
}

/// The nature of a named code.
pub(super) fn of_named_code(code: &[u8]) -> Option<Nature> {
    Some(match code {
        b"EL0004" => Nature::OutOfMemory(Place::Unsaid),
        b"EL0018" | b"EE1013" | b"EH0010" => Nature::OutOfMemory(Place::Host),
        b"EL0019" | b"EI0007" | b"EI0011" => Nature::OutOfMemory(Place::Device),
        b"EL0005" => Nature::DeviceBusy,
        b"EL0003" | b"EE1001" | b"EE1017" | b"E13025" => Nature::InvalidValue,
        b"EE1023" => Nature::Streams,
        b"E19022" => Nature::GraphLimit,
        b"E19025" => Nature::OutputSize,
        b"E19999" | b"EZ9999" | b"ERR00100" | b"ERR99999" => Nature::Execution,
        _ => return None,
    })
}

/// Texts that name the matter, the most telling first.
const DEFINITE: &[(&str, Nature)] = &[
    ("catch oom event", Nature::OutOfMemory(Place::DeviceSystem)),
    ("section_type: memory error", Nature::Hardware),
    ("context pointer null", Nature::NoContext),
    ("context is a null pointer", Nature::NoContext),
    ("context is empty", Nature::NoContext),
    ("ctx is NULL", Nature::NoContext),
    ("ctx is null", Nature::NoContext),
    ("sq cq res alloc failed", Nature::Streams),
    ("sq resource failed", Nature::Streams),
    ("tream resource failed", Nature::Streams),
    ("0x7020023", Nature::Streams),
    ("alloc host memory failed", Nature::OutOfMemory(Place::Host)),
    ("Device malloc failed", Nature::OutOfMemory(Place::Device)),
    ("alloc device memory failed", Nature::OutOfMemory(Place::Device)),
    ("out of memory", Nature::OutOfMemory(Place::Unsaid)),
    ("insufficient memory", Nature::OutOfMemory(Place::Unsaid)),
    ("Failed to allocate memory", Nature::OutOfMemory(Place::Unsaid)),
    ("resources are busy", Nature::DeviceBusy),
    ("resource busy", Nature::DeviceBusy),
    ("device num fail", Nature::DeviceBusy),
    ("sendmsg fail", Nature::DeviceBusy),
    ("Memory async failed", Nature::InvalidValue),
    ("invalid value", Nature::InvalidValue),
    ("(aicpu)", Nature::AiCpu),
    ("aicpu exception", Nature::AiCpu),
    ("Aicore kernel execute failed", Nature::AiCore),
    ("aicore exception", Nature::AiCore),
    ("aicore execute exception", Nature::AiCore),
    ("feature not support", Nature::Unsupported),
    ("not supported by the driver", Nature::Unsupported),
    ("driver not support", Nature::Unsupported),
    ("driver does not support", Nature::Unsupported),
    ("not support this feature", Nature::Unsupported),
];

/// Texts of errors that follow others.
const FOLLOWING: &[(&str, Nature)] = &[
    ("sdma error", Nature::Dma),
    ("Memory async copy failed", Nature::Dma),
    ("page table translation", Nature::Dma),
    ("(DMA)", Nature::Dma),
    ("Notify Wait", Nature::Timeout),
    ("timeout", Nature::Timeout),
    ("time out", Nature::Timeout),
    ("timed out", Nature::Timeout),
    ("rpc", Nature::Rpc),
    ("RPC", Nature::Rpc),
    ("init failed", Nature::Initialise),
    ("nitialize failed", Nature::Initialise),
    ("nitialization failed", Nature::Initialise),
    ("version failed", Nature::Initialise),
    ("failed to start", Nature::Initialise),
    ("Task run failed", Nature::Execution),
    ("Task from HCCL run failed", Nature::Execution),
    ("execute failed", Nature::Execution),
    ("execute model failed", Nature::Execution),
];

/// For each byte the texts that begin with it, as bits: one walk over a line finds them all.
const DEFINITE_BEGINNINGS: [u64; 256] = beginnings(DEFINITE);
const FOLLOWING_BEGINNINGS: [u64; 256] = beginnings(FOLLOWING);

const fn beginnings(texts: &[(&str, Nature)]) -> [u64; 256] {
    assert!(texts.len() <= 64);
    let mut table = [0; 256];
    let mut number = 0;
    while number < texts.len() {
        table[texts[number].0.as_bytes()[0] as usize] |= 1 << number;
        number += 1;
    }
    table
}

/// The nature of the first of the listed texts that stands anywhere in `text`.
fn listed(texts: &[(&str, Nature)], beginnings: &[u64; 256], text: &[u8]) -> Option<Nature> {
    // Bits of the texts that stand before the best one found so far.
    let mut better = u64::MAX;
    let mut best = None;
    for (at, &byte) in text.iter().enumerate() {
        let mut candidates = beginnings[usize::from(byte)] & better;
        while candidates != 0 {
            let number = candidates.trailing_zeros();
            let Some((part, nature)) = texts.get(number as usize) else { break };
            if text.get(at..).is_some_and(|rest| rest.starts_with(part.as_bytes())) {
                best = Some(*nature);
                better = (1u64 << number) - 1;
                break;
            }
            candidates &= candidates - 1;
        }
    }
    best
}

/// What stands in front of a code of the runtime.
const RUNTIME_CODE: &[&str] =
    &["runtime result = ", "ErrCode=", "error code is ", "errorCode is ", "result[", "ret = ", "err="];

/// What stands in front of a code of the driver.
const DRIVER_CODE: &[&str] = &["drvRetCode=", "drvRet=", "err: ", "ret="];

/// What a text was understood as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meaning {
    pub(super) nature: Nature,
    /// A code of the runtime in it.
    pub(super) runtime: Option<i64>,
    /// A code of the driver in it.
    pub(super) driver: Option<i64>,
}

/// The meaning of an error text of `module`; `None` where it is not known.
pub(super) fn meaning(module: &[u8], text: &[u8]) -> Option<Meaning> {
    if memmem::find(text, b"report error module").is_some() {
        return None;
    }
    let runtime =
        RUNTIME_CODE.iter().find_map(|front| number_behind(text, front)).filter(|code| *code > 99_999);
    let driver = DRIVER_CODE.iter().find_map(|front| number_behind(text, front)).filter(|code| *code < 1000);
    let nature = listed(DEFINITE, &DEFINITE_BEGINNINGS, text)
        .or_else(|| runtime.and_then(of_runtime_code))
        .or_else(|| driver.filter(|code| *code == 87).and_then(of_driver_code))
        .or_else(|| listed(FOLLOWING, &FOLLOWING_BEGINNINGS, text))
        .or_else(|| matches!(module, b"CCECPU" | b"AICPU").then_some(Nature::AiCpu))?;
    Some(Meaning { nature, runtime, driver })
}

/// Whether a text without a header may be an error at all; cheap.
pub(super) fn may_be_error(text: &[u8]) -> bool {
    ["rror", "fail", "Fail", "oom event"].iter().any(|word| memmem::find(text, word.as_bytes()).is_some())
}

/// The decimal number directly behind `front`.
pub(super) fn number_behind(text: &[u8], front: &str) -> Option<i64> {
    let mut from = 0;
    while let Some(hit) = memmem::find(text.get(from..)?, front.as_bytes()) {
        let behind = text.get(from + hit + front.len()..)?;
        let digits = behind.get(..leading(behind, |b| b.is_ascii_digit()))?;
        // `0x7110001` is no decimal number.
        if !digits.is_empty() && behind.get(digits.len()) != Some(&b'x') {
            return Some(i64::try_from(decimal(digits)).unwrap_or(i64::MAX));
        }
        from += hit + front.len();
    }
    None
}

/// Whether a letter O stands where only a digit can: text recognised from a picture.
pub(super) fn is_damaged(text: &[u8]) -> bool {
    text.windows(5).any(|w| match w {
        [b'=', b'O', b'x', a, b] => a.is_ascii_hexdigit() && b.is_ascii_hexdigit(),
        [before, b'O', b'x', b'0'..=b'9', _] => !before.is_ascii_alphanumeric(),
        [b'=' | b'(', b'O', b',' | b')', ..] => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, nature: Option<Nature>) {
        assert_eq!(meaning(b"RUNTIME", text.as_bytes()).map(|m| m.nature), nature);
    }

    #[test]
    fn texts_and_codes_have_a_nature() {
        check("ctx is NULL!", Some(Nature::NoContext));
        check("Call halGetDeviceInfo failed: drvRet=87, module type=0", Some(Nature::DeviceBusy));
        check("execute model failed, modelId is 1, errorCode is 507011", Some(Nature::Execution));
        check("Task run failed, stream_id=45, sqe_type=1(aicpu)", Some(Nature::AiCpu));
        check("Task run failed, taskType[Notify Wait]", Some(Nature::Timeout));
        check("x failed, retCode=0x7110001", None);
        check("report error module_name=EE1001", None);
    }

    #[test]
    fn words_like_memory_alone_mean_nothing() {
        check("memory pool created", None);
        check("Stop listening on port 207001", None);
        check("set ret = 0", None);
    }

    #[test]
    fn a_letter_for_a_digit_is_damage() {
        assert!(is_damaged(b"setting1=Ox40000000110a0000"));
        assert!(is_damaged(b"device(O), serial"));
        assert!(is_damaged(b"copy_type=2, flip_num=O, x"));
        assert!(!is_damaged(b"setting1=0xc0, Ox and cart (OK), Oxygen"));
    }
}
