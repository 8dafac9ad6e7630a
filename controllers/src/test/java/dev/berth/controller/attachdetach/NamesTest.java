package dev.berth.controller.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.VolumeName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Names that everybody has to compute alike: controllers, agents and attachers, ours and
/// upstream's.
class NamesTest {
  @Test
  void aVolumeIsKnownByItsDriverAndItsHandle() { // AD-01
    var name = new VolumeName("disk.berth.dev", "vol^1");
    assertThat(name).hasToString("kubernetes.io/csi/disk.berth.dev^vol^1");
    assertThat(VolumeName.parse(name.toString())).as("a handle may have a caret").contains(name);
  }

  @Test
  void anAttachmentByWhatItAttachesWhere() throws Exception { // AD-02
    var digest =
        MessageDigest.getInstance("SHA-256")
            .digest("vol-1disk.berth.devnode-a".getBytes(StandardCharsets.UTF_8));
    assertThat(new VolumeName("disk.berth.dev", "vol-1").attachment("node-a"))
        .isEqualTo("csi-" + HexFormat.of().formatHex(digest));
    assertThat(new VolumeName("hostpath.csi.k8s.io", "vol-1").attachment("node-a")) // ATT-01
        .isEqualTo("csi-5a70c5de395ccad5e79daeb27c7c4f2634b675e6e1bb2a397999a016143bc9fb");
  }
}
