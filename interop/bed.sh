# A real Kubernetes (interop/kubernetes) with our image and charts, for the checks that are played on it: sourced, with
# `check` and `root` set. With --keep as its argument such a check leaves the cluster up, to look at.
#
# Exit code 77: it cannot run here, as a line says.
# shellcheck shell=bash disable=SC2154
keep=
if [ "${1:-}" = --keep ]; then keep=1; shift; fi
[ "$(id -u)" = 0 ] || { echo "$check: skipped, it needs root" >&2; exit 77; }
programs=$("$root/interop/peers" --cached helm kubectl) || exit $?
{ read -r helm; read -r kubectl; } <<<"$programs"
state=${BERTH_KUBERNETES:-/var/lib/berth-kubernetes}
work=$(mktemp -d /tmp/cluster.XXXXXX)
export HELM_CACHE_HOME=$work HELM_CONFIG_HOME=$work HELM_DATA_HOME=$work
finish() {
  code=$?
  if [ $code != 0 ] && [ -n "${KUBECONFIG:-}" ]; then
    k get pods,pv,pvc,volumeattachments -A -o wide >&2 || true
    k get events -A --field-selector type=Warning | tail -n 12 >&2 || true
    for pod in $(k -n berth get pods -o name); do k -n berth logs "$pod" --all-containers --tail=8 >&2 || true; done
  fi
  rm -rf --one-file-system "$work"
  if [ -z "$keep" ]; then "$root/interop/kubernetes" down || true; fi
  exit $code
}
trap finish EXIT
k() { "$kubectl" "$@"; }
fail() { echo "$check: $1" >&2; exit 1; }
# Waits until a command says what is expected.
until_says() { # EXPECTED WHAT COMMAND...
  local expected=$1 what=$2 said=
  shift 2
  for _ in $(seq 600); do
    said=$("$@" 2>&1 || true)
    [ "$said" = "$expected" ] && { echo "  $what"; return; }
    sleep 0.2
  done
  fail "it is not so that $what: $said"
}
apply() { k apply -f - >/dev/null; }

"$root/interop/kubernetes" up >"$work/kubeconfig" || exit $?
KUBECONFIG=$(cat "$work/kubeconfig")
export KUBECONFIG
"$root/deploy/image/build" "$work/berth.tar" || exit $?
"$root/interop/kubernetes" image "$work/berth.tar"
"$root/berth" crds | apply
k create namespace berth >/dev/null

installed() { # CHART RELEASE OPTIONS...: applies what the chart makes, and waits until it runs
  local chart=$1 release=$2
  shift 2
  "$helm" template "$release" "$root/deploy/helm/$chart" --namespace berth --set image.pullPolicy=Never "$@" | apply
  for each in $(k -n berth get daemonset,deployment -l "app.kubernetes.io/instance=$release" -o name); do
    k -n berth rollout status --timeout=120s "$each" >/dev/null || fail "$each does not come up"
  done
  echo "  chart $chart is installed as $release"
}
