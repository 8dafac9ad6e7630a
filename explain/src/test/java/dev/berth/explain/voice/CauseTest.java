package dev.berth.explain.voice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.name.Reasons;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What no gRPC code tells: only words of what passes by itself promise that it will (XPL-30); all
/// else blocks, for whoever waits for a refusal waits for ever.
class CauseTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "timed out waiting for the condition",
        "timeout expired waiting for volumes to attach or mount for pod \"shop\"/\"web\"",
        "failed to sync configmap cache: timed out waiting for the condition",
        "client rate limiter Wait returned an error: context deadline exceeded",
        "dial unix /csi/csi.sock: connect: connection refused",
        "read tcp 10.0.0.7:4711->10.0.0.1:443: read: connection reset by peer",
        "dial tcp 10.0.0.1:443: i/o timeout",
        "Get \"https://10.0.0.1/api\": net/http: TLS handshake timeout",
        "mount failed: exit status 32: /dev/sdb already mounted or mount point busy.",
        "etcdserver: leader changed, try again",
        "object is being deleted: persistentvolumeclaims \"data\" already exists",
        "an operation for volume pv-1 is already in progress",
        "operation pv-1 is pending",
        "an operation with the given volume id vol-1 already exists",
        "Operation cannot be fulfilled on persistentvolumes \"pv-1\": the object has been modified;"
            + " please apply your changes to the latest version and try again",
        "object \"shop\"/\"settings\" not registered",
      })
  void whatPassesByItself(String message) {
    assertThat(Cause.of(Reasons.FAILED_MOUNT, message)).isEqualTo(Cause.UNTOLD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "requested volume size 1073741824 is less than the size 2147483648 for the source snapshot"
            + " s",
        "accessing vault/monday of VolumeSnapshot dataSource from shop/data isn't allowed",
        "mount failed: exit status 32: mount: /x: wrong fs type, bad option, bad superblock on"
            + " /dev/sdb, missing codepage or helper program",
        "'fsck' found errors on device /dev/sdb but could not correct them: fsck from util-linux",
        "hostPath type check failed: /x is not a directory",
        "no volume plugin matched",
        "secret \"busy\" not found",
        "configmap \"conflict\" not found",
        "volume shop/busy has no attributes",
        "mount options ro and rw conflict with each other",
        "bad timeout parameter: soon",
      })
  void whatDoesNot(String message) {
    assertThat(Cause.of(Reasons.FAILED_MOUNT, message)).isEqualTo(Cause.OTHER);
  }
}
