#!/usr/bin/env bash
# setup-wasm.sh - make `cargo build --target wasm32-unknown-unknown` work.
#
# The LAST line on stdout (the only one) is the rustup toolchain to build with;
# everything else goes to stderr, so:
#
#     export RUSTUP_TOOLCHAIN="$(xtask/setup-wasm.sh)"
#     cargo build --release --target wasm32-unknown-unknown
#
# What it does, first success wins:
#   1. the active toolchain already has the target            -> use it
#   2. `rustup target add wasm32-unknown-unknown` works       -> use it
#   3. a toolchain this script made earlier still works       -> use it
#   4. Debian/apt machine: takes rustc and the prebuilt wasm32 standard library
#      of ONE Debian suite (so both are the same build), unpacks them, with the
#      C library they were built for, into a private folder, wraps rustc so that
#      it runs on that private C library, and registers the folder with
#      `rustup toolchain link`.  Nothing is installed system-wide, and the
#      machine's apt sources are not touched.  cargo stays rustup's own.
#
# Settings (environment):
#   WASM_MIN_RUST        lowest rustc version accepted in 4   (default 1.90)
#   WASM_SUITES          Debian suites to try in 4, in order  (default: testing unstable stable)
#   WASM_TOOLCHAIN_DIR   where 4 unpacks     (default: ${XDG_CACHE_HOME:-~/.cache}/wasm32-debian)
#   WASM_TOOLCHAIN_NAME  its rustup name                      (default wasm32-debian)
#   WASM_RUSTUP=0        skip step 2 (for testing step 4; implies not using step 1)
#   WASM_RUSTUP_TIMEOUT  seconds step 2 may take              (default 180)
set -euo pipefail

target=wasm32-unknown-unknown
min_rust=${WASM_MIN_RUST:-1.90}
suites=${WASM_SUITES:-testing unstable stable}
name=${WASM_TOOLCHAIN_NAME:-wasm32-debian}
dir=${WASM_TOOLCHAIN_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/wasm32-debian}

log() { printf 'setup-wasm: %s\n' "$*" >&2; }
die() { log "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# Compiles, for the wasm target and for the host, something that needs std.
works() { # TOOLCHAIN
  local t rc=0
  t=$(mktemp -d)
  printf '%s\n' '#[no_mangle] pub extern "C" fn f(n: u32) -> u32 { let v: Vec<String> = (0..n).map(|i| i.to_string()).collect(); v.concat().len() as u32 }' >"$t/w.rs"
  printf '%s\n' 'fn main() { println!("{}", std::env::args().count()); }' >"$t/h.rs"
  { RUSTUP_TOOLCHAIN=$1 rustc --edition 2021 -O --crate-type cdylib --target "$target" -o "$t/w.wasm" "$t/w.rs" &&
    [ -s "$t/w.wasm" ] &&
    RUSTUP_TOOLCHAIN=$1 rustc --edition 2021 -o "$t/h" "$t/h.rs" && "$t/h" >/dev/null; } >"$t/log" 2>&1 || rc=1
  [ $rc = 0 ] || sed 's/^/setup-wasm:   | /' "$t/log" | tail -n 20 >&2
  rm -rf "$t"
  return $rc
}

done_with() { log "using toolchain $1 ($(RUSTUP_TOOLCHAIN=$1 rustc --version))"; printf '%s\n' "$1"; exit 0; }

have rustup || die "rustup is needed"
if [ "${RUSTUP_TOOLCHAIN:-}" = "$name" ]; then unset RUSTUP_TOOLCHAIN; fi

# --- 1 and 2: the toolchain that is active here ------------------------------
if [ "${WASM_RUSTUP:-1}" != 0 ]; then
  active=$(rustup show active-toolchain | awk 'NR==1{print $1}')
  libdir=$(rustc --print target-libdir --target "$target" 2>/dev/null || true)
  if [ -n "$libdir" ] && compgen -G "$libdir/libcore-*.rlib" >/dev/null && works "$active"; then
    done_with "$active"
  fi
  log "rustup target add $target (toolchain $active)"
  if timeout "${WASM_RUSTUP_TIMEOUT:-180}" rustup target add --toolchain "$active" "$target" >&2 && works "$active"; then
    done_with "$active"
  fi
  log "rustup could not add the target; trying Debian's packages"
fi

# --- 3: made by an earlier run -----------------------------------------------
linked() { rustup toolchain list | awk '{print $1}' | grep -qxF "$name"; }
if [ -f "$dir/ok" ] && [ -x "$dir/bin/cargo" ] && linked && works "$name"; then done_with "$name"; fi

# --- 4: Debian's rustc + wasm32 std, with their own C library ------------------
for tool in apt-get apt-cache dpkg dpkg-deb; do have $tool || die "no $tool here, and rustup could not add the target"; done
arch=$(dpkg --print-architecture)
if [ -e "$dir" ] && [ ! -e "$dir/.setup-wasm" ] && [ -n "$(ls -A "$dir")" ]; then die "$dir exists and is not this script's"; fi
rm -rf "$dir"; mkdir -p "$dir"; touch "$dir/.setup-wasm"
mkdir -p "$dir/apt/parts" "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/debs"

# The mirror is the one that this machine already uses for Debian itself.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)/$(LABEL)' 'Created-By: Packages' 2>/dev/null |
         awk '$2=="Debian/Debian" && !n++ {print $1}')
if [ -z "$mirror" ]; then
  (( EUID == 0 )) && { log "apt-get update"; apt-get -qq update >&2 || true; }
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)/$(LABEL)' 'Created-By: Packages' 2>/dev/null |
           awk '$2=="Debian/Debian" && !n++ {print $1}')
fi
[ -n "$mirror" ] || die "apt knows no Debian mirror here (run apt-get update first?)"

signed=
for k in /usr/share/keyrings/debian-archive-keyring.gpg /usr/share/keyrings/debian-archive-keyring.pgp; do
  [ -e "$k" ] && { signed="Signed-By: $k"; break; }
done

# apt with a state of its own: no system source, list or cache is read or written.
cat >"$dir/apt/conf" <<CONF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$dir/apt/parts";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::lists "$dir/apt/lists";
Dir::Cache "$dir/apt/cache";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
papt() { local c=$1; shift; APT_CONFIG="$dir/apt/conf" "apt-$c" "$@"; }
version_of() { papt cache policy "$1" 2>/dev/null | awk '/Candidate:/ && !n++ {print $2}'; }

for suite in $suites; do
  log "looking at Debian $suite"
  { echo "Types: deb"; echo "URIs: $mirror"; echo "Suites: $suite"; echo "Components: main"
    echo "Architectures: $arch"; [ -n "$signed" ] && echo "$signed"; } >"$dir/apt/parts/debian.sources"
  papt get -qq update >&2 || { log "  $suite: apt-get update failed"; continue; }
  v=$(version_of rustc); w=$(version_of libstd-rust-dev-wasm32)
  case "$v" in ''|'(none)') log "  no rustc there"; continue;; esac
  [ "$v" = "$w" ] || { log "  rustc $v and its wasm32 library $w differ there"; continue; }
  dpkg --compare-versions "$v" ge "$min_rust" || { log "  rustc $v is older than $min_rust"; continue; }

  std=$(papt cache depends libstd-rust-dev | awk '/Depends: libstd-rust-/ && !n++ {print $2}')
  lld=$(papt cache depends libstd-rust-dev-wasm32 | awk '$2 ~ /^lld-[0-9]+$/ && !n++ {print $2}')
  [ -n "$std" ] && [ -n "$lld" ] || { log "  no libstd-rust-* or lld-* named there"; continue; }
  # The shared libraries that the compiler and the linker load, down to libc.
  libs=$(papt cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
           --no-replaces --no-enhances "$std" "$lld" | grep -E '^(lib|zlib)[a-z0-9.+-]*$' | sort -u) || true
  rm -rf "$dir/debs" "$dir/root" "$dir/bin" "$dir/lib"; mkdir -p "$dir/debs" "$dir/root"
  log "  downloading rustc $v"
  # shellcheck disable=SC2086
  ( cd "$dir/debs" && papt get -qq download rustc libstd-rust-dev libstd-rust-dev-wasm32 "$lld" $libs >&2 ) ||
    { log "  download failed"; continue; }
  log "  unpacking $(du -sh "$dir/debs" | cut -f1)"
  failed=0
  for d in "$dir"/debs/*.deb; do
    # only what a compiler needs: no documentation, no other wasm targets
    dpkg-deb --fsys-tarfile "$d" | tar -x -C "$dir/root" --no-same-owner \
      --exclude='./usr/share/*' --exclude='./etc/*' --exclude='*/gconv/*' --exclude='*/wasm32-wasi*' || { failed=1; break; }
  done
  [ $failed = 0 ] || { log "  unpacking failed"; continue; }
  rm -rf "$dir/debs"

  # Wrappers: run each program by the private dynamic loader on the private
  # libraries.  --library-path is not inherited, so cc and the programs that
  # rustc starts go on using the system's own.
  loader=$(find "$dir/root/" -name 'ld-linux*.so.*' -print -quit)
  [ -n "$loader" ] || { log "  no dynamic loader in libc6"; continue; }
  libpath=$(find "$dir/root/" -name '*.so*' -not -path '*/rustlib/*' -printf '%h\n' | sort -u | paste -sd:)
  lldbin=$(find "$dir/root/usr/lib/llvm-${lld#lld-}/" -path '*/bin/lld' -print -quit)
  [ -n "$lldbin" ] || { log "  no lld in $lld"; continue; }
  wrap() { # PROGRAM WRAPPER [fixed arguments]
    local prog=$1 out=$2; shift 2
    mkdir -p "${out%/*}"; rm -f "$out"
    printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" %s "$@"\n' "$loader" "$libpath" "$prog" "$*" >"$out"
    chmod 755 "$out"
  }
  wrap "$dir/root/usr/bin/rustc" "$dir/bin/rustc" --sysroot "'$dir/root/usr'"
  [ -x "$dir/root/usr/bin/rustdoc" ] && wrap "$dir/root/usr/bin/rustdoc" "$dir/bin/rustdoc" --sysroot "'$dir/root/usr'"
  host=$("$dir/bin/rustc" -vV | awk '/^host:/{print $2}') || { log "  its rustc does not run here"; continue; }
  wrap "$(readlink -f "$lldbin")" "$dir/root/usr/lib/rustlib/$host/bin/rust-lld"

  ln -s root/usr/lib "$dir/lib" # rustup wants bin/ and lib/ in a toolchain
  ln -s "$(rustup which cargo)" "$dir/bin/cargo" # else rustup takes any cargo it finds
  if linked; then rustup toolchain uninstall "$name" >&2; fi
  rustup toolchain link "$name" "$dir" >&2 || { log "  rustup toolchain link failed"; continue; }
  if works "$name"; then
    rm -rf "$dir/apt"
    date -u +"%Y-%m-%d $suite $v" >"$dir/ok"
    done_with "$name"
  fi
  log "  rustc $v of $suite does not work here"
  rustup toolchain uninstall "$name" >&2 || true
done
die "no suite of Debian gave a working wasm32 toolchain"
