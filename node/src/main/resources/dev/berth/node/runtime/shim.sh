# Holds one container of Berth: starts it and writes down how it ended. It lives
# outside the container, has nothing mounted, and outlives the agent; if it dies,
# the container dies with it.
#
#   sh shim FOLDER LAUNCHER LOG
#
# FOLDER holds `program`, what LAUNCHER is to do to become the container, and
# `output`, a named pipe; it gets, in this order:
#   running   number, start time and boot of this shim, before anything else happens
#   started   not empty once the container's own first process runs
#   exit      exit code of the container
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

# Through a pipe, for a program that opens /dev/stdout anew would truncate the log.
exec 4>>"$log" 6>&2 2>/dev/null
cat <"$folder/output" >&4 4>&- 6>&- &

# The name spaces are those of a thread of the agent. If the agent is gone, so are
# they, and no container comes into being. In the foreground, because a background
# process of sh would ignore SIGINT and SIGQUIT for ever.
(
  exec 2>&6 3<"$folder/program" 5>"$folder/started" </dev/null >"$folder/output" 4>&- 6>&-
  exec "$launcher"
)
code=$?
true <>"$folder/output" # lets cat go if nothing came so far as to open the pipe
wait
echo $code >"$folder/exit"
