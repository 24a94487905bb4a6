use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Everything below a folder: links by their target, files by their bytes, folders and the rest by a word.
/// Two equal trees mean that nothing was made, changed or removed.
pub type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// Looks at everything below `root`, following no link.
pub fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(meta) = path.symlink_metadata() else { continue };
            let what = if meta.is_symlink() {
                format!("-> {}", std::fs::read_link(&path).unwrap_or_default().display()).into_bytes()
            } else if meta.is_dir() {
                open.push(path.clone());
                b"a folder".to_vec()
            } else if !meta.is_file() {
                b"special".to_vec()
            } else if meta.len() > 64 * 1024 * 1024 {
                // Sparse giants: their length and time say enough.
                format!("{} bytes, {:?}", meta.len(), meta.modified().ok()).into_bytes()
            } else {
                std::fs::read(&path).unwrap_or_default()
            };
            tree.insert(path.strip_prefix(root).unwrap_or(&path).to_owned(), what);
        }
    }
    tree
}
