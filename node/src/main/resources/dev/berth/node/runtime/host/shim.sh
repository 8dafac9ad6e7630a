# Holds one container of Berth: starts it, keeps its log, and writes down how it
# ended. It lives outside the container, has nothing mounted, and outlives the
# agent; if it dies, the container dies with it.
#
#   sh shim FOLDER LAUNCHER LOG
#
# FOLDER holds `program` and `copy`, what LAUNCHER is to do to become the container
# and to copy what it says, `output`, a named pipe from one to the other, and `exit`,
# four blanks for which room is needed now and not when the disk is full; it gets, in
# this order:
#   running   number, start time and boot of this shim, before anything else happens
#   started   not empty once the container's own first process runs
#   exit      exit code of the container, and the end of the line
# Standard error is read by the agent until the line `started`.
folder=$1 launcher=$2 log=$3
umask 077

read -r stat <"/proc/$$/stat"
set -- ${stat##*) }
read -r boot </proc/sys/kernel/random/boot_id
set -C # two shims for one container: the second stops here
echo "$$ ${20} $boot" >"$folder/running" || exit 1
set +C

# A stop of the whole machine signals everybody: the container ends first, then this.
trap : HUP INT TERM

true >>"$log" || exit 1
exec 6>&2 2>/dev/null

# A full log is put aside under the name that the kubelet would give it; it and the
# four latest of these are kept.
put_aside() {
  at=$(date -u +%Y%m%d-%H%M%S)
  [ ! -e "$log.$at" ] || at=$at-$(date +%N)
  mv "$log" "$log.$at" || : >"$log"
  set -- "$log".[0-9]*
  while [ $# -gt 4 ]; do
    rm -f "$1"
    shift
  done
}

# Through a pipe, for a program that opens /dev/stdout anew would truncate the log.
# Whatever becomes of the log, somebody reads on, or the program would die of it.
(
  trap '' HUP INT TERM
  exec 6>&-
  while :; do
    "$launcher" 3<"$folder/copy" >>"$log"
    case $? in
      0) exit ;;
      3) put_aside ;;
      2) "$launcher" 3<"$folder/copy" >/dev/null && exit ;; # no log can be made
      1 | 125 | 126 | 127) exec cat >/dev/null ;;
    esac
  done
) <"$folder/output" &

# The name spaces are those of a thread of the agent. If the agent is gone, so are
# they, and no container comes into being. In the foreground, because a background
# process of sh would ignore SIGINT and SIGQUIT for ever.
(
  exec 2>&6 3<"$folder/program" 5>"$folder/started" </dev/null >"$folder/output" 6>&-
  exec "$launcher"
)
code=$?
true <>"$folder/output" # lets the reader go if nothing came so far as to open the pipe
wait
printf '%3d\n' $code 1<>"$folder/exit"
