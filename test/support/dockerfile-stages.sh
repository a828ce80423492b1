set -e
mount --make-rprivate /
mount -t tmpfs -o size=3g tmpfs "$WORK"
stage() {
    mkdir -p "$WORK/$1/up" "$WORK/$1/work" "$WORK/$1/root"
    ROOT=$WORK/$1/root
    mount -t overlay -o "lowerdir=/,upperdir=$WORK/$1/up,workdir=$WORK/$1/work" overlay "$ROOT"
    mount --rbind /dev "$ROOT/dev"
    mount --rbind /proc "$ROOT/proc"
    mount -t tmpfs tmpfs "$ROOT/tmp"
    # Where the official image has it.
    [ "$(command -v node)" = /usr/local/bin/node ] || cp "$(readlink -f "$(command -v node)")" "$ROOT/usr/local/bin/node"
}
