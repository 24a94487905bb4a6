//! `find`: its expression is read word by word, by positive lists.

use std::path::Path;

use super::programs::operand;
use super::{Checked, refuse};
use crate::permit::view::View;

/// Words of an expression that take nothing.
const PLAIN: &str = "-print -print0 -ls -prune -quit -true -false -empty -readable -writable -executable -nouser -nogroup \
     -depth -d -daystart -mount -xdev -x -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -not -a -and \
     -o -or ! ( ) ,";

/// Words that take one word of text.
const WITH_TEXT: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type \
     -xtype -size -perm -user -group -uid -gid -links -inum -maxdepth -mindepth -mtime -atime -ctime -mmin -amin -cmin \
     -used -fstype -printf -context -newermt -newerat -newerct -newerBt";

/// Words that take the name of a file.
const WITH_PATH: &str = "-newer -anewer -cnewer -samefile -newermm -newerma -newermc -neweram -neweraa -newerac -newercm \
     -newerca -newercc";

/// Checks the words after `find`. Links are not followed: `-L` and `-follow` are not on any list.
pub(super) fn check(args: &[String], cwd: &Path, view: &dyn View) -> Checked<()> {
    let has = |list: &str, word: &str| list.split_whitespace().any(|it| it == word);
    let mut args = args.iter().map(String::as_str).peekable();
    while args.next_if(|it| matches!(*it, "-P" | "-H" | "-E" | "-O1" | "-O2" | "-O3" | "-s")).is_some() {}
    let starts_expression = |word: &str| word.starts_with('-') || matches!(word, "(" | ")" | "!" | ",");
    while let Some(path) = args.next_if(|it| !starts_expression(it)) {
        operand(path, cwd, view)?;
    }
    if matches!(args.peek(), Some(&"--version" | &"-version" | &"--help" | &"-help")) {
        args.next();
    }
    while let Some(word) = args.next() {
        if has(PLAIN, word) {
            continue;
        }
        let value = |args: &mut dyn Iterator<Item = &str>| {
            args.next().map(str::to_owned).ok_or_else(|| format!("find: `{word}` needs a value"))
        };
        if has(WITH_TEXT, word) {
            value(&mut args)?;
        } else if has(WITH_PATH, word) {
            operand(&value(&mut args)?, cwd, view)?;
        } else {
            return refuse(format!("find: `{word}` is not allowed"));
        }
    }
    Ok(())
}
