package dev.berth.node.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.LinuxException;
import dev.berth.node.testing.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
    value = "dev.berth.node.testing.Scratch#mounts",
    disabledReason = "needs root: it makes mounts")
class SubPathsTest {
  @AutoClose private Scratch scratch;
  private SubPaths parts;
  private Path volume;

  @BeforeEach
  void open() throws IOException {
    scratch = Scratch.open();
    parts = new SubPaths(scratch.layout, scratch.mounts);
    volume = scratch.directory.resolve("volume");
    scratch.mountAt(volume);
  }

  private Path bind(String subPath) throws IOException {
    return parts.bind("uid-1", "pv-1", "app", 0, volume, subPath);
  }

  @Test
  void aMissingPartBecomesADirectoryWithTheRootsPermissions() throws IOException { // NSUB-02
    Files.setAttribute(volume, "unix:mode", 02770);
    var part = bind("a/b");
    Files.writeString(part.resolve("file"), "x");
    assertThat(volume.resolve("a/b/file")).hasContent("x");
    assertThat((int) Files.getAttribute(volume.resolve("a"), "unix:mode") & 07777).isEqualTo(02770);
  }

  @Test
  void aPartWhoseServerIsDeadIsUnmounted() throws IOException { // NCLN-07 throws IOException {
    assumeTrue(Files.exists(Path.of("/dev/fuse")), "needs /dev/fuse");
    var target = scratch.layout.subPath("uid-1", "pv-1", "app", 0);
    Files.createDirectories(target);
    try (var server = Descriptor.open(Path.of("/dev/fuse"), Descriptor.O_RDWR)) {
      scratch.mounts.mount(
          "fuse",
          "dead",
          target,
          MountOptions.NONE
              .with("fd=" + server.number())
              .with("rootmode=40000")
              .with("user_id=0")
              .with("group_id=0"));
    }
    assertThat(scratch.mounts.table().under(target)).hasSize(1);
    parts.remove("uid-1", "pv-1");
    assertThat(target).doesNotExist();
    assertThat(scratch.mounts.table().under(scratch.layout.root())).isEmpty();
  }

  @Test
  void aFileIsBoundOnAFile() throws IOException {
    Files.writeString(volume.resolve("config"), "x");
    assertThat(bind("config")).isRegularFile().hasContent("x");
  }

  @Test
  void aRestartBindsWhatIsThereNow() throws IOException { // NSUB-03
    Files.writeString(volume.resolve("config"), "old");
    bind("config");
    Files.delete(volume.resolve("config"));
    Files.writeString(volume.resolve("config"), "new");
    assertThat(bind("config")).hasContent("new");
    assertThat(scratch.mounts.table().under(scratch.layout.subPaths("uid-1"))).hasSize(1);
  }

  @Test
  void linksInsideTheVolumeAreFollowed() throws IOException {
    Files.createDirectory(volume.resolve("..v_1"));
    Files.writeString(volume.resolve("..v_1/key"), "x");
    Files.createSymbolicLink(volume.resolve("..data"), Path.of("..v_1"));
    Files.createSymbolicLink(volume.resolve("key"), Path.of("..data/key"));
    assertThat(bind("key")).hasContent("x");
  }

  @Test
  void noLinkLeadsOut() throws IOException { // NSUB-01, NSUB-03
    Files.createDirectory(scratch.directory.resolve("secret"));
    Files.createSymbolicLink(volume.resolve("out"), scratch.directory.resolve("secret"));
    assertThatThrownBy(() -> bind("out")).hasMessageContaining("leads out of its volume");
    assertThatThrownBy(() -> bind("out/new"))
        .isInstanceOfAny(IOException.class, LinuxException.class);
    assertThatThrownBy(() -> bind("/etc")).hasMessageContaining("absolute");
    assertThatThrownBy(() -> bind("a/../../etc")).hasMessageContaining("'..'");
    assertThat(scratch.directory.resolve("secret")).isEmptyDirectory();
    assertThat(scratch.mounts.table().under(scratch.layout.subPaths("uid-1"))).isEmpty();
  }

  @Test
  void removalLeavesTheVolumeAsItIs() throws IOException { // NSUB-05
    var part = bind("a");
    Files.writeString(part.resolve("file"), "precious");
    parts.remove("uid-1", "pv-1");
    parts.remove("uid-1", "pv-1");
    assertThat(volume.resolve("a/file")).hasContent("precious");
    assertThat(scratch.layout.subPaths("uid-1")).doesNotExist();
  }
}
