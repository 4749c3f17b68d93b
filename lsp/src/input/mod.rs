//! From the arguments of a command line to chunks of named sources.
//!
//! Opens files, walks folders, reads through archives without unpacking them to disk, tells text from
//! other things. Knows nothing of what a log line means; a source is named, numbered and handed on.
//!
//! Sources come in a fixed order: arguments as given, folders by path, members as the archive has them.

mod archives;
#[cfg(feature = "cli")]
mod args;
mod encoding;
mod fetch;
mod gzip;
mod limits;
mod names;
mod reopen;
mod sniff;
mod stream;
mod survey;
mod trouble;
mod walk;

#[cfg(feature = "cli")]
pub use args::PathArg;
pub use limits::{Breach, Limits};
pub use names::log_root;
pub use reopen::{Given, Reopen, Seekable};
pub use sniff::{Kind, kind};
pub use survey::{Problem, SkipReason, Skips, SourceInfo, Survey};
pub use trouble::Trouble;
#[cfg(feature = "cli")]
pub use walk::walk;
pub use walk::{Verdict, Visitor, walk_given, walk_stream};
