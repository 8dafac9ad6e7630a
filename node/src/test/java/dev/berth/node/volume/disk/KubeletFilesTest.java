package dev.berth.node.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.model.VolumeName;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.node.layout.Layout;
import dev.berth.node.testing.Scratch;
import dev.berth.node.volume.FsGroup;
import dev.berth.node.volume.VolumeFiles.StillMountedException;
import dev.berth.node.volume.VolumeFiles.Trace;
import dev.berth.node.volume.state.Form;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
    value = "dev.berth.node.testing.Scratch#mounts",
    disabledReason = "needs root: it makes mounts")
class KubeletFilesTest {
  private static final VolumeName NAME = new VolumeName("disk.berth.dev", "vol-1");
  @AutoClose private Scratch scratch;
  private KubeletFiles files;

  @BeforeEach
  void open() throws IOException {
    scratch = Scratch.open();
    files = new KubeletFiles(scratch.layout, "n", scratch.mounts);
  }

  @Test
  void whatOneAgentAnnouncesTheNextOneFinds() throws IOException { // NREC-01
    assertThat(files.traces()).isEmpty();
    files.announceStaging(NAME, "pv-1", "1000");
    files.announcePublication(NAME, "uid-1", "pv-1", Form.CLAIMED);
    assertThat(files.traces())
        .containsExactly(
            new Trace.Staged(NAME, Optional.of("1000")),
            new Trace.Published(NAME, "uid-1", "pv-1", Form.CLAIMED));
    assertThat(files.stagingTarget(NAME)).isDirectory();
    assertThat(files.publishTarget("uid-1", "pv-1")).doesNotExist(); // the driver's to make
    files.removePublication("uid-1", "pv-1");
    files.removeStaging(NAME);
    files.removeStaging(NAME);
    assertThat(files.traces()).isEmpty();
    assertThat(scratch.layout.published("uid-1", "pv-1")).doesNotExist();
  }

  @Test
  void theNoteIsTheKubelets() throws IOException { // NLAY-04
    files.announcePublication(NAME, "uid-1", "pv-1", Form.CLAIMED);
    assertThat(scratch.layout.published("uid-1", "pv-1").resolve(Layout.VOL_DATA))
        .hasContent(
            """
            {"specVolID":"pv-1","volumeHandle":"vol-1","driverName":"disk.berth.dev",\
            "nodeName":"n","attachmentID":"%s","volumeLifecycleMode":"Persistent"}\
            """
                .formatted(NAME.attachment("n")));
  }

  /// NLAY-05: who died while he wrote has left a draft, which is no note and in nobody's way.
  @Test
  void aNoteIsThereAsAWholeOrNotAtAll() throws IOException {
    var directory = scratch.layout.published("uid-1", "pv-1");
    Files.createDirectories(directory);
    var draft = directory.resolve("." + Layout.VOL_DATA + ".new");
    Files.writeString(draft, "{\"specVolID\":\"pv");
    assertThat(files.traces()).isEmpty();
    files.announcePublication(NAME, "uid-1", "pv-1", Form.CLAIMED);
    assertThat(files.traces())
        .containsExactly(new Trace.Published(NAME, "uid-1", "pv-1", Form.CLAIMED));
    assertThat(draft).doesNotExist();
    Files.writeString(draft, "{\"specVolID\":\"pv");
    files.removePublication("uid-1", "pv-1");
    assertThat(directory).doesNotExist();
  }

  @Test
  void aBrokenNoteIsToldAndNothingElse() throws IOException {
    files.announceStaging(NAME, "pv-1", "1000");
    var note = scratch.layout.staged("disk.berth.dev", "vol-1").resolve(Layout.VOL_DATA);
    Files.writeString(note, "");
    assertThat(files.traces()).hasSize(1).first().isInstanceOf(Trace.Lost.class);
  }

  @Test
  void nothingIsRemovedUnderAMount() throws IOException { // NCLN-01
    files.announcePublication(NAME, "uid-1", "pv-1", Form.CLAIMED);
    scratch.mountAt(files.publishTarget("uid-1", "pv-1"));
    assertThatThrownBy(() -> files.removePublication("uid-1", "pv-1"))
        .isInstanceOf(StillMountedException.class);
    assertThat(files.traces()).hasSize(1);
    scratch.mounts.unmount(files.publishTarget("uid-1", "pv-1"), Unmount.IF_UNUSED);
    files.removePublication("uid-1", "pv-1");
    assertThat(files.traces()).isEmpty();
  }

  @Test
  void dataInAPlainDirectorySurvives() throws IOException { // NCLN-01
    files.announcePublication(NAME, "uid-1", "pv-1", Form.CLAIMED);
    var data = files.publishTarget("uid-1", "pv-1").resolve("data");
    Files.createDirectories(files.publishTarget("uid-1", "pv-1"));
    Files.writeString(data, "precious");
    assertThatThrownBy(() -> files.removePublication("uid-1", "pv-1"))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(data).hasContent("precious");
  }

  @Test
  void mountsOfPodsKeepAVolumeStagedOthersDoNot() throws IOException { // NOPX-08
    files.announceStaging(NAME, "pv-1", "1000");
    scratch.mountAt(files.stagingTarget(NAME));
    var elsewhere = Files.createDirectory(scratch.directory.resolve("elsewhere"));
    scratch.mounts.bind(files.stagingTarget(NAME), elsewhere, Depth.ONE, MountOptions.NONE);
    assertThat(files.otherMountsOf(NAME)).isEmpty();
    files.announcePublication(NAME, "uid-1", "pv-1", Form.CLAIMED);
    var target = Files.createDirectory(files.publishTarget("uid-1", "pv-1"));
    scratch.mounts.bind(files.stagingTarget(NAME), target, Depth.ONE, MountOptions.NONE);
    assertThat(files.otherMountsOf(NAME)).containsExactly(target);
  }

  @Test
  void everythingIsGivenToTheGroupLinksToo() throws IOException { // NCSI-14
    var root = Files.createDirectory(scratch.directory.resolve("volume"));
    var file = Files.writeString(root.resolve("file"), "x");
    var outside = Files.writeString(scratch.directory.resolve("outside"), "x");
    var link = Files.createSymbolicLink(root.resolve("link"), outside);
    files.own(root, new FsGroup(4711, true, false));
    for (var path : new Path[] {root, file, link}) assertThat(unix("gid", path)).isEqualTo(4711);
    assertThat(unix("gid", outside)).isZero();
    assertThat(unix("mode", root) & 07777).isEqualTo(02775);
    assertThat(unix("mode", file) & 07777).isEqualTo(0664);
  }

  private static int unix(String attribute, Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS);
  }
}
