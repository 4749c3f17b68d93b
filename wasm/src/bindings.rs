//! What JavaScript sees. A file is an object with `size` and `read(from, length)`; a panic becomes an
//! error that says how far reading had come.
#![allow(unsafe_code, reason = "the generated glue of wasm-bindgen")]

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};

use gemlens::input::{Reopen, Seekable};
use gemlens_core::say::Lang;
use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::map::Geometry;
use crate::wire;

/// Bytes asked from the browser at a time.
const WINDOW_BYTES: u64 = 2 << 20;

thread_local! {
    /// The input at hand and how much of it was read, for the message of a panic.
    static AT: RefCell<(String, u64)> = const { RefCell::new((String::new(), 0)) };
}

#[wasm_bindgen]
extern "C" {
    /// Takes the message of a panic; the page defines it.
    #[wasm_bindgen(js_name = gemlensPanicked)]
    fn panicked(message: &str);
}

struct Source {
    read: Function,
    size_bytes: u64,
}

impl Reopen for Source {
    fn open(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Ok(Box::new(Reader { source: self, at: 0, window: Vec::new(), start: 0 }))
    }
}

struct Reader<'a> {
    source: &'a Source,
    at: u64,
    window: Vec<u8>,
    start: u64,
}

impl Read for Reader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let held = self.start..self.start + self.window.len() as u64;
        if !held.contains(&self.at) {
            let length = WINDOW_BYTES.min(self.source.size_bytes.saturating_sub(self.at));
            if length == 0 {
                return Ok(0);
            }
            let (from, length) = (JsValue::from_f64(self.at as f64), JsValue::from_f64(length as f64));
            let bytes = self.source.read.call2(&JsValue::NULL, &from, &length).map_err(failed)?;
            self.window = Uint8Array::new(&bytes).to_vec();
            self.start = self.at;
        }
        let rest = self.window.get((self.at - self.start) as usize..).unwrap_or_default();
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Reader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.source.size_bytes.checked_add_signed(by),
        };
        self.at = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

fn failed(error: JsValue) -> io::Error {
    let text = js_sys::Reflect::get(&error, &JsValue::from_str("message")).ok().and_then(|m| m.as_string());
    io::Error::other(text.unwrap_or_else(|| String::from("the browser refused")))
}

/// The session of the page.
#[wasm_bindgen]
pub struct Lens {
    inner: crate::Lens,
}

impl Default for Lens {
    fn default() -> Lens {
        Lens::new()
    }
}

#[wasm_bindgen]
impl Lens {
    /// A session without inputs.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Lens {
        std::panic::set_hook(Box::new(|info| {
            let at = AT.with_borrow(|(name, bytes)| format!("{name}, byte {bytes}"));
            panicked(&format!("{info} ({at})"));
        }));
        Lens { inner: crate::Lens::new() }
    }

    /// Reads one input: `read(from, length)` gives its bytes, `progress(bytes)` is told how far it is.
    pub fn add(&mut self, name: &str, named: bool, size: f64, read: Function, progress: &Function) {
        let source = Source { read, size_bytes: size as u64 };
        let mut tell = |bytes: u64| {
            AT.with_borrow_mut(|at| at.1 = bytes);
            // A page that can't show progress still wants the result.
            let _ = progress.call1(&JsValue::NULL, &JsValue::from_f64(bytes as f64));
        };
        AT.with_borrow_mut(|at| *at = (name.to_owned(), 0));
        self.inner.add(name, named, size as u64, Box::new(source), &mut tell);
    }

    /// Puts the picture together.
    pub fn finish(&mut self) {
        self.inner.finish();
    }

    /// Chooses `en` or `zh`.
    pub fn lang(&mut self, locale: &str) {
        self.inner.set_lang(Lang::from_locale(locale));
    }

    /// Answers a `Request` with an `Answer`.
    pub fn ask(&mut self, request: JsValue) -> Result<JsValue, JsError> {
        let request: wire::Request = serde_wasm_bindgen::from_value(request)?;
        Ok(serde_wasm_bindgen::to_value(&self.inner.ask(request))?)
    }

    /// The picture of one memory type of a graph, as an object of typed arrays.
    pub fn map(&self, process: usize, graph: usize, memory_type: f64) -> js_sys::Object {
        object(&self.inner.geometry(process, graph, memory_type))
    }
}

fn object(geometry: &Geometry) -> js_sys::Object {
    let object = js_sys::Object::new();
    let set = |key: &str, value: JsValue| {
        // Setting a key of a fresh object can't fail.
        let _ = js_sys::Reflect::set(&object, &JsValue::from_str(key), &value);
    };
    set("from", js_sys::Float64Array::from(geometry.from.as_slice()).into());
    set("size", js_sys::Float64Array::from(geometry.size.as_slice()).into());
    set("real", js_sys::Float64Array::from(geometry.real.as_slice()).into());
    set("begin", js_sys::Uint32Array::from(geometry.begin.as_slice()).into());
    set("end", js_sys::Uint32Array::from(geometry.end.as_slice()).into());
    set("flags", Uint8Array::from(geometry.flags.as_slice()).into());
    set("stream", js_sys::Int32Array::from(geometry.stream.as_slice()).into());
    set("load", js_sys::Float64Array::from(geometry.load.as_slice()).into());
    set("labels", geometry.labels.as_str().into());
    set("extent", geometry.extent.into());
    set("theoryMin", geometry.theory_min.into());
    set("peak", geometry.peak.into());
    set("peakAt", geometry.peak_at.into());
    object
}
