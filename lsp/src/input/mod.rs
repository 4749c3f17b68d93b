//! From the arguments of a command line to chunks of named sources.
//!
//! Opens files, walks folders, reads through archives without unpacking them to disk, tells text from
//! other things. Knows nothing of what a log line means; a source is named, numbered and handed on.
//!
//! Sources come in a fixed order: arguments as given, folders by path, members as the archive has them.

mod archives;
mod args;
mod encoding;
mod fetch;
mod gzip;
mod limits;
mod names;
mod sniff;
mod stream;
mod survey;
mod trouble;
mod walk;

pub use args::PathArg;
pub use limits::{Breach, Limits};
pub use names::log_root;
pub use sniff::{Kind, kind};
pub use survey::{Problem, SkipReason, Skips, SourceInfo, Survey};
pub use trouble::Trouble;
pub use walk::{Verdict, Visitor, walk, walk_stream};
