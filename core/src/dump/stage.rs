//! What the name of a dump file tells: number, graph id, stage (dump graphs chapter 1).
//!
//! Only a hint: what a file is gets decided by its content.

/// The parts of a file name that GE gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileName<'n> {
    /// The id of the graph, where the name has one.
    pub graph_id: Option<u64>,
    /// The stage, `PreRunAfterBuild`; empty for a name that GE doesn't give.
    pub stage: &'n str,
}

/// Reads the last part of a path or member name.
pub fn of_file(name: &str) -> FileName<'_> {
    read(name).unwrap_or_default()
}

fn read(name: &str) -> Option<FileName<'_>> {
    let last = name.rsplit(['/', '\\', '!']).next()?;
    let rest = last.strip_prefix("ge_proto_").or_else(|| last.strip_prefix("ge_onnx_"))?;
    let (number, rest) = digits(rest)?;
    if number.is_empty() {
        return None;
    }
    let stem = rest.strip_suffix(".gz").unwrap_or(rest);
    let stem = stem.strip_suffix(".txt").or_else(|| stem.strip_suffix(".pbtxt")).unwrap_or(stem);
    let stem = stem.trim_start_matches("_aclop").trim_start_matches('_');
    let with_id = stem.strip_prefix("aclop_").unwrap_or(stem).strip_prefix("graph_").and_then(digits);
    Some(match with_id {
        Some((id, rest)) if !id.is_empty() && rest.starts_with('_') => {
            FileName { graph_id: id.parse().ok(), stage: rest.trim_start_matches('_') }
        }
        _ => FileName { graph_id: None, stage: stem },
    })
}

/// The digits in front, and the rest.
fn digits(text: &str) -> Option<(&str, &str)> {
    text.split_at_checked(text.bytes().take_while(u8::is_ascii_digit).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_age_are_read() {
        for (name, graph_id, stage) in [
            ("a/ge_proto_00000012_graph_3_PreRunAfterBuild.txt", Some(3), "PreRunAfterBuild"),
            ("ge_onnx_00000001_graph_11_Build.pbtxt", Some(11), "Build"),
            ("ge_proto_00000000_Build.txt.gz", None, "Build"),
            ("ge_proto_00046_afterUBMatch.txt", None, "afterUBMatch"),
            ("ge_proto_00000002_graph_0_partition_1_x.txt", Some(0), "partition_1_x"),
            ("graph.txt", None, ""),
            ("ge_proto_Build.txt", None, ""),
        ] {
            assert_eq!(of_file(name), FileName { graph_id, stage }, "{name}");
        }
    }
}
