package dev.berth.volume.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.volume.request.Capabilities.OfAll;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How the modes and the file system of a volume are told, call by call.
class CapabilitiesTest {
  private static final YAMLMapper YAML = new YAMLMapper();

  @ParameterizedTest
  @CsvSource({ // PROV-33
    "ReadWriteOnce, ALIKE, SINGLE_NODE_WRITER",
    "ReadWriteOnce, TOLD_APART, SINGLE_NODE_MULTI_WRITER",
    "ReadWriteOncePod, ALIKE, SINGLE_NODE_WRITER",
    "ReadWriteOncePod, TOLD_APART, SINGLE_NODE_SINGLE_WRITER",
    "ReadOnlyMany, TOLD_APART, MULTI_NODE_READER_ONLY",
    "ReadWriteMany, TOLD_APART, MULTI_NODE_MULTI_WRITER",
  })
  void aModeThatStandsAloneIsTheSameInAllCalls(String mode, Writers writers, Mode told) {
    var volume = volume(mode, "Filesystem", "xfs");
    assertThat(Capabilities.ofEach(claim(mode, "Filesystem"), "xfs", List.of("noatime"), writers))
        .containsExactly(mount(told, "xfs"));
    assertThat(ofAll(volume, "", writers)).isEqualTo(new OfAll.Agreed(mount(told, "xfs")));
    assertThat(ofFirst(volume, "", writers)).isEqualTo(mount(told, "xfs"));
  }

  @Test
  void creatingNamesEachModeThoughTheyContradictEachOther() { // PROV-32, PROV-33
    var claim = claim("ReadOnlyMany, ReadWriteOnce", "Filesystem");
    assertThat(Capabilities.ofEach(claim, "", List.of("noatime"), Writers.ALIKE))
        .containsExactly(
            mount(Mode.MULTI_NODE_READER_ONLY, ""), mount(Mode.SINGLE_NODE_WRITER, ""));
  }

  @ParameterizedTest
  @CsvSource( // ATT-33
      delimiter = '|',
      value = {
        "ReadWriteOnce, ReadWriteMany | MULTI_NODE_MULTI_WRITER",
        "ReadOnlyMany, ReadWriteMany, ReadWriteOnce | MULTI_NODE_MULTI_WRITER",
        "ReadOnlyMany | MULTI_NODE_READER_ONLY",
      })
  void attachingTakesTheModeThatAllowsAll(String modes, Mode told) {
    assertThat(ofAll(volume(modes, "Filesystem", "xfs"), "", Writers.ALIKE))
        .isEqualTo(new OfAll.Agreed(mount(told, "xfs")));
  }

  @ParameterizedTest
  @CsvSource( // ATT-33
      delimiter = '|',
      value = {
        "ReadWriteOncePod, ReadWriteOnce | Kubernetes does not support use of ReadWriteOncePod with"
            + " other access modes on the same PersistentVolume",
        "ReadOnlyMany, ReadWriteOnce | CSI does not support ReadOnlyMany and ReadWriteOnce on the"
            + " same PersistentVolume",
        "'' | unsupported AccessMode combination: []",
      })
  void attachingRefusesModesThatContradictEachOther(String modes, String why) {
    assertThat(ofAll(volume(modes, "Filesystem", "xfs"), "", Writers.ALIKE))
        .isEqualTo(new OfAll.Contradiction(why));
  }

  @Test
  void aNodeTakesTheFirstModeAndReadWriteOnceForNone() { // NCSI-06
    assertThat(
            ofFirst(volume("ReadOnlyMany, ReadWriteOnce", "Filesystem", "xfs"), "", Writers.ALIKE))
        .isEqualTo(mount(Mode.MULTI_NODE_READER_ONLY, "xfs"));
    assertThat(ofFirst(volume("", "Filesystem", "xfs"), "", Writers.ALIKE))
        .isEqualTo(mount(Mode.SINGLE_NODE_WRITER, "xfs"));
  }

  @Test
  void onlyTheControllerPutsInAFileSystemThatIsNotNamed() { // ATT-33, NCSI-03
    var volume = volume("ReadWriteOnce", "Filesystem", "");
    assertThat(ofAll(volume, "ext4", Writers.ALIKE))
        .isEqualTo(new OfAll.Agreed(mount(Mode.SINGLE_NODE_WRITER, "ext4")));
    assertThat(ofFirst(volume, "", Writers.ALIKE)).isEqualTo(mount(Mode.SINGLE_NODE_WRITER, ""));
  }

  @Test
  void onlyANodeKnowsTheGroup() { // NCSI-13
    var capability = ofFirst(volume("ReadWriteOnce", "Filesystem", "xfs"), "2000", Writers.ALIKE);
    assertThat(capability.getMount().getVolumeMountGroup()).isEqualTo("2000");
  }

  @Test
  void aDeviceHasNeitherFileSystemNorFlagsNorGroup() {
    var volume = volume("ReadWriteOnce", "Block", "xfs");
    var block = VolumeCapability.newBuilder();
    block.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_WRITER);
    block.getBlockBuilder();
    assertThat(
            Capabilities.ofEach(
                claim("ReadWriteOnce", "Block"), "", List.of("noatime"), Writers.ALIKE))
        .containsExactly(block.build());
    assertThat(ofAll(volume, "ext4", Writers.ALIKE)).isEqualTo(new OfAll.Agreed(block.build()));
    assertThat(ofFirst(volume, "2000", Writers.ALIKE)).isEqualTo(block.build());
  }

  private static OfAll ofAll(Volume volume, String defaultFsType, Writers writers) {
    return Capabilities.ofAll(volume, volume.csi().orElseThrow(), defaultFsType, writers);
  }

  private static VolumeCapability ofFirst(Volume volume, String group, Writers writers) {
    return Capabilities.ofFirst(volume, volume.csi().orElseThrow(), group, writers);
  }

  private static VolumeCapability mount(Mode mode, String fsType) {
    var capability = VolumeCapability.newBuilder();
    capability.getAccessModeBuilder().setMode(mode);
    capability.getMountBuilder().setFsType(fsType).addMountFlags("noatime");
    return capability.build();
  }

  private static Volume volume(String modes, String volumeMode, String fsType) {
    return read(
        Kinds.VOLUME,
        """
        metadata: {name: pv-1}
        spec:
          accessModes: [%s]
          volumeMode: %s
          mountOptions: [noatime]
          csi: {driver: disk.berth.dev, volumeHandle: vol-1, fsType: "%s"}
        """
            .formatted(modes, volumeMode, fsType));
  }

  private static Claim claim(String modes, String volumeMode) {
    return read(
        Kinds.CLAIM,
        """
        metadata: {namespace: ns, name: data}
        spec: {accessModes: [%s], volumeMode: %s}
        """
            .formatted(modes, volumeMode));
  }

  private static <T extends KubeObject> T read(Kind<T> kind, String yaml) {
    try {
      return kind.read().apply(YAML.readTree(yaml));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }
}
