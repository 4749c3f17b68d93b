//! Gzip, tar and zip, read through member by member.
//!
//! Nothing is written, and no member is held in memory, but a zip archive that cannot be searched where
//! it is: its table of contents stands at its end.

use std::cell::Cell;
use std::io::{self, Cursor, ErrorKind, Read, Seek};

use zip::CompressionMethod;
use zip::read::{Config, OwnedZipFileEntry, ZipReadOptions, read_zipfile_from_stream};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;

use super::gzip::Gunzip;
use super::limits::{Breach, Budget, Counted};
use super::names;
use super::reopen::Reopen;
use super::sniff::Container;
use super::stream::{Searched, Stream};
use super::survey::SkipReason;
use super::trouble::Trouble;
use super::walk::{Candidate, Flow, Walker};

/// Bytes of tar headers and long names in front of one member: real ones have a few kilobytes.
const TAR_HEADERS_MOST_BYTES: u64 = 1 << 20;

impl Walker<'_> {
    /// Looks through an archive.
    pub(super) fn open(
        &mut self,
        container: Container,
        candidate: Candidate<'_>,
        stream: Stream<'_>,
        budget: &Budget<'_>,
    ) -> Flow {
        let most = budget.limits().layers;
        if candidate.layers >= most {
            self.survey.note(&candidate.name, Trouble::Limit(Breach::Layers(most)));
            return Flow::On;
        }
        match container {
            Container::Gzip => self.gzip(candidate, stream, budget),
            Container::Tar => self.tar(&candidate, stream, budget),
            _ => match candidate.file {
                Some(file) => self.zip_file(&candidate, file, budget),
                None => self.zip_held(&candidate, stream, budget),
            },
        }
    }

    fn gzip(&mut self, candidate: Candidate<'_>, packed: Stream<'_>, budget: &Budget<'_>) -> Flow {
        let trailing = Cell::new(false);
        let name = candidate.name.clone();
        let inner = Candidate { layers: candidate.layers + 1, size_bytes: None, file: None, ..candidate };
        let unpacked = Stream::new(Box::new(Gunzip::new(packed, budget, &trailing)), None);
        let flow = self.read(inner, unpacked, budget);
        if trailing.get() {
            self.survey.note(&name, Trouble::TrailingBytes);
        }
        flow
    }

    fn tar(&mut self, archive: &Candidate<'_>, stream: Stream<'_>, budget: &Budget<'_>) -> Flow {
        let allowance = Cell::new(TAR_HEADERS_MOST_BYTES);
        let mut tar = tar::Archive::new(Guarded { inner: stream, allowance: &allowance });
        let entries = match tar.entries() {
            Ok(entries) => entries,
            Err(error) => return self.fail(&archive.name, &error, budget),
        };
        let mut flow = Flow::On;
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                // What broke the last member has been said.
                Err(_) if flow == Flow::Broken => return flow,
                Err(error) => return self.fail(&archive.name, &tar_error(error), budget),
            };
            if !budget.admit_member() {
                return self.fail(&archive.name, &io::Error::other("members"), budget);
            }
            let form = entry.header().entry_type();
            let size_bytes = entry.size();
            let on_tape =
                if form.is_gnu_sparse() { entry.header().entry_size().unwrap_or(0) } else { size_bytes };
            allowance.set(on_tape.saturating_add(TAR_HEADERS_MOST_BYTES));
            if form.is_dir() || form.is_pax_global_extensions() {
                continue;
            }
            let name = self.member_name(archive, &entry.path_bytes());
            if !(form.is_file() || form.is_contiguous()) {
                self.survey.skip(SkipReason::NoPlainFile, &name);
                continue;
            }
            let whole = Whole { inner: entry, left: size_bytes };
            flow = self.member(archive, name, size_bytes, Box::new(whole), budget);
            if matches!(flow, Flow::Leave | Flow::Stop) {
                return flow;
            }
        }
        flow
    }

    fn zip_file(&mut self, archive: &Candidate<'_>, file: &dyn Reopen, budget: &Budget<'_>) -> Flow {
        let open = || Ok(Searched::new(Counted { inner: file.open()?, budget }));
        match open().and_then(|directory| Ok((directory, open()?))) {
            Ok((directory, body)) => self.zip(archive, directory, body, archive.size_bytes, budget),
            Err(error) => self.fail(&archive.name, &error, budget),
        }
    }

    fn zip_held(&mut self, archive: &Candidate<'_>, stream: Stream<'_>, budget: &Budget<'_>) -> Flow {
        let most = budget.limits().zip_in_memory_bytes;
        let mut held = Vec::new();
        if let Err(error) = stream.take(most.saturating_add(1)).read_to_end(&mut held) {
            return self.fail(&archive.name, &error, budget);
        }
        if held.len() as u64 > most {
            self.survey.note(&archive.name, Trouble::Limit(Breach::ZipInMemory(most)));
            return Flow::On;
        }
        let length = Some(held.len() as u64);
        self.zip(archive, Cursor::new(held.as_slice()), Cursor::new(held.as_slice()), length, budget)
    }

    fn zip<R: Read + Seek>(
        &mut self,
        archive: &Candidate<'_>,
        directory: R,
        mut body: R,
        length: Option<u64>,
        budget: &Budget<'_>,
    ) -> Flow {
        let mut zip = match ZipIterable::try_new(directory, Config::default()) {
            Ok(zip) => zip,
            Err(ZipError::Io(error)) if error.kind() != ErrorKind::UnexpectedEof => {
                return self.fail(&archive.name, &error, budget);
            }
            Err(_) => return self.zip_without_directory(archive, body, budget),
        };
        let entries = match zip.files() {
            Ok(entries) => entries,
            Err(error) => return self.fail(&archive.name, &zip_error(error), budget),
        };
        let mut flow = Flow::On;
        for entry in entries {
            if !budget.admit_member() {
                return self.fail(&archive.name, &io::Error::other("members"), budget);
            }
            let entry = match entry {
                Ok(entry) => OwnedZipFileEntry::from(entry),
                Err(error) => return self.fail(&archive.name, &zip_error(error), budget),
            };
            if entry.is_dir() {
                continue;
            }
            let name = self.member_name(archive, entry.name_raw());
            if entry.is_symlink() {
                self.survey.skip(SkipReason::NoPlainFile, &name);
                continue;
            }
            if entry.encrypted() {
                self.survey.note(&name, Trouble::Encrypted);
                continue;
            }
            let packed = entry.compressed_size().min(length.unwrap_or(u64::MAX));
            let size_bytes = entry.size();
            if let Some(method) = unread_method(entry.compression()) {
                self.survey.note(&name, Trouble::UnreadMethod(method));
                continue;
            }
            let inner = match entry.as_ref().with_reader(&mut body, ZipReadOptions::new()) {
                Ok(inner) => inner,
                Err(error) => {
                    self.fail(&name, &zip_error(error), budget);
                    continue;
                }
            };
            let unpacked = Unpacked { inner, packed, unpacked: 0, budget };
            flow = self.member(archive, name, size_bytes, Box::new(unpacked), budget);
            if matches!(flow, Flow::Leave | Flow::Stop) {
                return flow;
            }
        }
        // Each member of a zip stands for itself: one that broke says nothing about the stream around.
        if flow == Flow::Broken { Flow::On } else { flow }
    }

    /// A zip whose end is missing has lost its table of contents: its members are read one after the
    /// other as far as they say their own length.
    fn zip_without_directory<R: Read + Seek>(
        &mut self,
        archive: &Candidate<'_>,
        mut body: R,
        budget: &Budget<'_>,
    ) -> Flow {
        if let Err(error) = body.rewind() {
            return self.fail(&archive.name, &error, budget);
        }
        while let Ok(Some(inner)) = read_zipfile_from_stream(&mut body) {
            if !budget.admit_member() {
                return self.fail(&archive.name, &io::Error::other("members"), budget);
            }
            if inner.is_dir() {
                continue;
            }
            let name = self.member_name(archive, inner.name_raw());
            let (packed, size_bytes) = (inner.compressed_size(), inner.size());
            let unpacked = Unpacked { inner, packed, unpacked: 0, budget };
            let flow = self.member(archive, name, size_bytes, Box::new(unpacked), budget);
            if matches!(flow, Flow::Leave | Flow::Stop) {
                return flow;
            }
        }
        self.survey.note(&archive.name, Trouble::Cut);
        Flow::On
    }

    fn member_name(&mut self, archive: &Candidate<'_>, raw: &[u8]) -> String {
        let member = names::member(raw);
        let name = names::inside(&archive.name, &member.text);
        if member.altered {
            self.survey.note(&name, Trouble::NameCleaned);
        }
        name
    }

    fn member(
        &mut self,
        archive: &Candidate<'_>,
        name: String,
        size_bytes: u64,
        bytes: Box<dyn Read + '_>,
        budget: &Budget<'_>,
    ) -> Flow {
        self.tell_progress(budget);
        let candidate = Candidate {
            name,
            named: false,
            layers: archive.layers + 1,
            size_bytes: Some(size_bytes),
            file: None,
        };
        self.read(candidate, Stream::new(bytes, Some(size_bytes)), budget)
    }
}

/// Ends a tar whose headers claim more than a header can need, before they fill the memory.
struct Guarded<'a, R> {
    inner: R,
    allowance: &'a Cell<u64>,
}

impl<R: Read> Read for Guarded<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        match self.allowance.get().checked_sub(count as u64) {
            Some(left) => self.allowance.set(left),
            None => return Err(io::Error::new(ErrorKind::InvalidData, "a tar header of over 1 MiB")),
        }
        Ok(count)
    }
}

/// A tar member that must have the length its header says.
struct Whole<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        if count == 0 && self.left > 0 && !into.is_empty() {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}

/// A zip member, booked as it unpacks.
struct Unpacked<'b, R> {
    inner: R,
    packed: u64,
    unpacked: u64,
    budget: &'b Budget<'b>,
}

impl<R: Read> Read for Unpacked<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.unpacked += count as u64;
        self.budget.unpack(count, self.packed, self.unpacked)?;
        Ok(count)
    }
}

/// The tar reader says of a cut archive only in words that it is cut.
fn tar_error(error: io::Error) -> io::Error {
    let why = error.to_string();
    let is_cut =
        why.contains("unexpected EOF") || why.contains("entire block") || why.contains("future member");
    match error.kind() {
        ErrorKind::Other if is_cut => ErrorKind::UnexpectedEof.into(),
        ErrorKind::Other => io::Error::new(ErrorKind::InvalidData, error),
        _ => error,
    }
}

fn zip_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::new(ErrorKind::InvalidData, other.to_string()),
    }
}

/// The number of a method that is not read.
#[expect(deprecated, reason = "the only name the library has for a method it does not unpack")]
fn unread_method(method: CompressionMethod) -> Option<u16> {
    match method {
        CompressionMethod::Unsupported(number) => Some(number),
        _ => None,
    }
}
