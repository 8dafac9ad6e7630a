package dev.berth.node.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.model.VolumeName;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutTest {
  private final Layout layout = new Layout(Path.of("/var/lib/kubelet"));

  @Test
  void pathsAreTheKubelets() { // NLAY-01
    assertThat(layout.publishTarget("uid-1", "pvc-1"))
        .hasToString("/var/lib/kubelet/pods/uid-1/volumes/kubernetes.io~csi/pvc-1/mount");
    assertThat(layout.stagingTarget("disk.berth.dev", "abc"))
        .hasToString(
            "/var/lib/kubelet/plugins/kubernetes.io/csi/disk.berth.dev/"
                + "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad/globalmount");
    assertThat(layout.volume("uid-1", "kubernetes.io/empty-dir", "cache"))
        .hasToString("/var/lib/kubelet/pods/uid-1/volumes/kubernetes.io~empty-dir/cache");
    assertThat(layout.subPath("uid-1", "pvc-1", "app", 2))
        .hasToString("/var/lib/kubelet/pods/uid-1/volume-subpaths/pvc-1/app/2");
  }

  @Test
  void aVolumeHasItsDriversAndItsHandlesName() { // NLAY-02, NLAY-03
    var name = new VolumeName("disk.berth.dev", "vol^1");
    assertThat(name).hasToString("kubernetes.io/csi/disk.berth.dev^vol^1");
    assertThat(VolumeName.parse(name.toString())).contains(name);
    assertThat(name.attachment("n")).isEqualTo("csi-" + Layout.sha256("vol^1disk.berth.devn"));
  }

  @Test
  void digestIsLowerCaseHex() {
    assertThat(Layout.sha256("abc"))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "..x", "../../etc"})
  void noNameLeadsOutOfTheRoot(String name) {
    assertThatThrownBy(() -> layout.pod(name)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> layout.driver(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRelativeRootIsRefused() {
    assertThatThrownBy(() -> new Layout(Path.of("kubelet")))
        .hasMessage("node root kubelet is not an absolute path");
  }
}
