//! The programs that may be started, with their options.
//!
//! Options that write, start a program, ask the network, read lists of file names, follow links out of the fence, or
//! wait for ever are not in the table, and what is not in the table is refused. The syntax of the lists is that of
//! [`options`](super::options).

use super::options::Parsed;
use super::{Checked, custom};

/// What the words are that are no options.
#[derive(Debug, Clone, Copy)]
pub(super) enum Operands {
    /// Files and folders, fenced.
    Paths,
    /// Text.
    Text,
    /// At most one path.
    OnePath,
    /// A pattern, then paths; only paths where one of the options named is given.
    Pattern(&'static [&'static str]),
    /// None at all.
    None,
    /// What the function says of it.
    Custom(fn(&mut Parsed) -> Checked<()>),
}

/// A program with its options.
pub(super) struct Row {
    /// Names divided by blanks: they take the same options.
    pub(super) names: &'static str,
    pub(super) options: &'static str,
    pub(super) operands: Operands,
}

const fn row(names: &'static str, operands: Operands, options: &'static str) -> Row {
    Row { names, options, operands }
}

const PATTERN_GIVEN: &[&str] = &["-e", "-f", "--regexp", "--file"];

use Operands::{Custom, None as NoOperands, OnePath, Paths, Pattern, Text};

/// Options that every program of the table takes.
pub(super) const COMMON: &str = " --help --version";

pub(super) const ROWS: &[Row] = &[
    row(
        "ls dir vdir",
        Paths,
        "-aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I=w=T= --all --almost-all --author --escape --block-size= \
         --ignore-backups --color? --directory --classify? --file-type --format= --full-time --group-directories-first \
         --no-group --human-readable --si --dereference-command-line --hide= --hyperlink? --indicator-style= --inode \
         --ignore= --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars \
         --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= \
         --zero",
    ),
    row(
        "cat tac",
        Paths,
        "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting",
    ),
    row("head tail", Paths, "-# -qvz -n= -c= --lines= --bytes= --quiet --silent --verbose --zero-terminated"),
    row("wc", Paths, "-clmLw --bytes --chars --lines --max-line-length --words --total="),
    row("stat", Paths, "-LftxlnrsqF -c= --format= --printf= --dereference --file-system --terse --cached="),
    row(
        "file",
        Paths,
        "-bhiIkLNnEr0 -F=e= --brief --mime --mime-type --mime-encoding --no-dereference --dereference --keep-going \
         --separator= --no-pad --no-buffer --raw --exclude= --extension --print0",
    ),
    row(
        "du",
        Paths,
        "-abcDHhklmPsSx0 -d=B=t= -X=@ --max-depth= --apparent-size --exclude= --exclude-from=@ --block-size= \
         --threshold= --time? --time-style= --si --total --summarize --human-readable --all --bytes --count-links \
         --separate-dirs --one-file-system --inodes --null --no-dereference",
    ),
    row(
        "df",
        Text,
        "-ahHiklPTm -t=x=B= --type= --exclude-type= --block-size= --output? --total --all --human-readable --si \
         --inodes --local --no-sync --portability --print-type",
    ),
    row("pwd", NoOperands, "-LP --logical --physical"),
    row("basename", Text, "-az -s= --multiple --suffix= --zero"),
    row("dirname", Text, "-z --zero"),
    row(
        "realpath",
        Paths,
        "-eEmLPqsz --relative-to=@ --relative-base=@ --canonicalize-existing --canonicalize-missing --logical \
         --physical --quiet --strip --no-symlinks --zero",
    ),
    row(
        "readlink",
        Paths,
        "-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent \
         --verbose --zero",
    ),
    row(
        "sort",
        Paths,
        "-bdfghiMnrRVcCmsuz -k=t= --key= --field-separator= --parallel= --unique --reverse --numeric-sort \
         --human-numeric-sort --version-sort --general-numeric-sort --ignore-case --ignore-leading-blanks \
         --dictionary-order --ignore-nonprinting --month-sort --random-sort --stable --zero-terminated --check? \
         --merge --debug --sort=",
    ),
    row(
        "uniq",
        OnePath,
        "-cdDiuz -f=s=w= --count --repeated --all-repeated? --unique --ignore-case --skip-fields= --skip-chars= \
         --check-chars= --group? --zero-terminated",
    ),
    row(
        "cut",
        Paths,
        "-nsz -b=c=d=f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited \
         --output-delimiter= --zero-terminated",
    ),
    row("tr", Text, "-cCdst --complement --delete --squeeze-repeats --truncate-set1"),
    row(
        "nl",
        Paths,
        "-p -b=d=f=h=i=l=n=s=v=w= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= \
         --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= \
         --starting-line-number= --number-width=",
    ),
    row("comm", Paths, "-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated"),
    row(
        "diff",
        Paths,
        "-abBcdeEHinNpqrstTuwyZ -C=U=F=I=x=S=W=L= -X=@ --brief --unified? --context? --color? --exclude= \
         --exclude-from=@ --recursive --side-by-side --width= --suppress-common-lines --left-column \
         --ignore-all-space --ignore-space-change --ignore-trailing-space --ignore-blank-lines \
         --ignore-tab-expansion --ignore-case --ignore-matching-lines= --strip-trailing-cr --label= --from-file=@ \
         --to-file=@ --no-dereference --new-file --unidirectional-new-file --text --minimal --speed-large-files \
         --normal --report-identical-files --show-c-function --show-function-line= --expand-tabs --initial-tab \
         --ed --rcs --starting-file= --horizon-lines= --tabsize= --line-format= --old-line-format= \
         --new-line-format= --unchanged-line-format= --old-group-format= --new-group-format= \
         --unchanged-group-format= --changed-group-format=",
    ),
    row("cmp", Paths, "-bls -i=n= --verbose --silent --quiet --print-bytes --bytes= --ignore-initial="),
    row(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum shasum",
        Paths,
        "-bctwz -a=l= --algorithm= --length= --binary --check --tag --text --zero --ignore-missing --quiet --status \
         --strict --warn",
    ),
    row("sum", Paths, "-rs --sysv"),
    row(
        "grep egrep fgrep",
        Pattern(PATTERN_GIVEN),
        "-# -EFGPivwxcLlqsoHhnbzZTUaIrRyu -e=m=A=B=C=D=d= -f=@ --include= --exclude= --exclude-dir= \
         --exclude-from=@ --color? --colour? --context= --max-count= --after-context= --before-context= \
         --files-with-matches --files-without-match --count --line-number --ignore-case --no-ignore-case \
         --invert-match --word-regexp --line-regexp --regexp= --file=@ --recursive --dereference-recursive \
         --no-messages --no-filename --with-filename --only-matching --quiet --silent --text --binary --binary-files= \
         --null --null-data --perl-regexp --extended-regexp --fixed-strings --basic-regexp --byte-offset --label= \
         --line-buffered --initial-tab --directories= --devices=",
    ),
    row(
        "rg",
        Pattern(&["-e", "-f", "--regexp", "--file", "--files", "--type-list"]),
        "-nNiSswxvcloqFPUHIau.0p -e=g=t=T=m=A=B=C=M=d=j=r=E= -f=@ --files --files-with-matches \
         --files-without-match --hidden --no-hidden --no-ignore --no-ignore-vcs --no-ignore-dot --no-ignore-exclude \
         --no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-messages --ignore --ignore-vcs --glob= \
         --iglob= --glob-case-insensitive --type= --type-not= --type-list --type-add= --type-clear= --json --no-json \
         --stats --no-stats --sort= --sortr= --max-depth= --maxdepth= --max-count= --max-columns= \
         --max-columns-preview --max-filesize= --context= --after-context= --before-context= --heading --no-heading \
         --line-number --no-line-number --column --no-column --vimgrep --color= --colors= --trim --no-trim \
         --multiline --no-multiline --multiline-dotall --pcre2 --no-pcre2 --auto-hybrid-regex --replace= \
         --only-matching --count --count-matches --include-zero --passthru --passthrough --smart-case --ignore-case \
         --case-sensitive --word-regexp --line-regexp --invert-match --fixed-strings --no-fixed-strings --no-config \
         --no-messages --messages --with-filename --no-filename --null --null-data --crlf --no-crlf --encoding= \
         --no-encoding --engine= --threads= --unrestricted --text --no-text --binary --no-binary --one-file-system \
         --no-follow --no-unicode --unicode --regexp= --file=@ --ignore-file=@ --ignore-file-case-insensitive \
         --pretty --quiet --path-separator= --context-separator= --no-context-separator \
         --field-match-separator= --field-context-separator= --no-require-git --require-git --line-buffered \
         --block-buffered --no-mmap --mmap --byte-offset --stop-on-nonmatch --dfa-size-limit= --regex-size-limit= \
         --sort-files --no-pre --no-search-zip --debug --trace",
    ),
    row(
        "fd fdfind",
        Pattern(&[]),
        "-HIuisgFap01q -d=t=e=E=S=o=j=c= -C=@ --hidden --no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent \
         --no-global-ignore-file --ignore --ignore-vcs --unrestricted --case-sensitive --ignore-case --glob --regex \
         --fixed-strings --and= --absolute-path --relative-path --full-path --print0 --max-depth= --min-depth= \
         --exact-depth= --exclude= --prune --type= --extension= --size= --changed-within= --changed-before= \
         --change-newer-than= --newer= --changed-after= --change-older-than= --older= --owner= --format= \
         --max-results= --quiet --show-errors --base-directory=@ --path-separator= --search-path=@ --color= \
         --strip-cwd-prefix? --one-file-system --threads= --no-follow --max-buffer-time= --ignore-file=@ \
         --ignore-contain=",
    ),
    row(
        "tree",
        Custom(custom::tree),
        "-adfipsugDhFCnNqrtUvcJXxAS -L=P=I= --dirsfirst --filesfirst --noreport --gitignore --du --prune --charset= \
         --filelimit= --timefmt= --sort: --matchdirs --ignore-case --info --si --inodes --device --metafirst \
         --nolinks",
    ),
    row(
        "od",
        Paths,
        "-abcdDeFfhHiIlLoOsvxX -A=j=N=t= -w? --address-radix= --skip-bytes= --read-bytes= --format= \
         --output-duplicates --width? --endian=",
    ),
    row("hexdump hd", Paths, "-bcCdovx -n=s=e= -f=@ --one-byte-octal --canonical --length= --skip="),
    row("seq", Text, "-# -w -f=s= --equal-width --format= --separator="),
    row(
        "date",
        Custom(custom::date),
        "-uR -d= -r=@ -I? --utc --universal --date= --reference=@ --rfc-email --rfc-2822 --rfc-3339= --iso-8601? \
         --debug",
    ),
    row(
        "uname arch",
        NoOperands,
        "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor \
         --hardware-platform --operating-system",
    ),
    row("id", Text, "-aGgnruzZ --group --groups --name --real --user --zero --context"),
    row("groups", Text, ""),
    row("whoami logname", NoOperands, ""),
    // Without what asks a name server.
    row("hostname", NoOperands, "-sI --short --all-ip-addresses"),
    row("nproc", NoOperands, "--all --ignore="),
    row("uptime", NoOperands, "-ps --pretty --since"),
    row("free", NoOperands, "-bkmghltvw --bytes --kibi --mebi --gibi --human --si --lohi --total --wide"),
    row(
        "ps",
        Custom(custom::ps),
        "-AaeflFjHMLTNdwxyZ -o=p=C=u=U=g=G=t=O= --sort= --pid= --ppid= --format= --user= --forest --no-headers --headers --cols= --width= --deselect",
    ),
    row(
        "sed",
        Custom(custom::sed),
        "-nErsuz -e= --quiet --silent --expression= --regexp-extended --separate --null-data --sandbox --posix",
    ),
    row("paste", Paths, "-sz -d= --serial --delimiters= --zero-terminated"),
    row("rev", Paths, ""),
    row("fold", Paths, "-bs -w= --bytes --spaces --width="),
    row(
        "fmt",
        Paths,
        "-cstu -w=p=g= --width= --split-only --crown-margin --tagged-paragraph --uniform-spacing --prefix= --goal=",
    ),
    row("expand unexpand", Paths, "-aif -t= --initial --tabs= --all --first-only"),
    row(
        "join",
        Paths,
        "-iz -a=e=o=t=v=1=2=j= --ignore-case --check-order --nocheck-order --header --zero-terminated",
    ),
    row("tsort", OnePath, ""),
    row(
        "column",
        Paths,
        "-txneJL -s=o=c=N=R=H=T=O= --table --separator= --output-separator= --output-width= --fillrows",
    ),
    row("strings", Paths, "-af -n=t=e= -# --all --print-file-name --bytes= --radix= --encoding="),
    row("base64 base32", OnePath, "-di -w= --decode --ignore-garbage --wrap="),
    row("factor", Text, ""),
    row(
        "numfmt",
        Text,
        "-d=z --from= --to= --suffix= --padding= --format= --round= --field= --header? --grouping --delimiter=",
    ),
    row("getconf", Text, "-a"),
    row("locale", Text, "-acmk --all-locales"),
    row("tty", NoOperands, "-s --silent --quiet"),
    row("cal ncal", Text, "-13jmsyhwbN -A=B=d=n="),
];
