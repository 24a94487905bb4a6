//! Windows device names.

/// Whether Windows takes a file of this name for a device: the part before the first dot decides, in any case,
/// trailing blanks ignored.
pub(super) fn is_device_name(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or_default().trim_end_matches(' ').to_ascii_lowercase();
    if matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" | "clock$") {
        return true;
    }
    // Superscript digits are Latin-1, and Windows takes them for digits here.
    ["com", "lpt"].into_iter().filter_map(|port| stem.strip_prefix(port)).any(|number| {
        let mut digits = number.chars();
        matches!((digits.next(), digits.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    })
}
