package dev.berth.node.pod.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.node.layout.Layout;
import dev.berth.node.pod.start.ContentFile;
import dev.berth.node.pod.start.MountedVolume;
import dev.berth.node.pod.start.UnusableException;
import dev.berth.node.testing.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
    value = "dev.berth.node.testing.Scratch#mounts",
    disabledReason = "needs root: it makes mounts")
class KubeletPodFilesTest {
  private static final String UID = "uid-1";
  @AutoClose private Scratch scratch;
  private KubeletPodFiles files;

  @BeforeEach
  void open() throws IOException {
    scratch = Scratch.open();
    files = new KubeletPodFiles(scratch.layout, scratch.logs, scratch.mounts);
  }

  private Path configMap(ContentFile... content) throws IOException {
    return files.content(
        UID, "kubernetes.io/configmap", "config", false, List.of(content), OptionalInt.empty());
  }

  private static ContentFile file(String path, String text) {
    return new ContentFile(path, text.getBytes(UTF_8), 0640);
  }

  @Test
  void contentChangesAsAWhole() throws IOException {
    var config = configMap(file("a", "1"), file("sub/b", "1"));
    assertThat(config.resolve("a")).hasContent("1");
    assertThat(config.resolve("sub/b")).hasContent("1");
    var version = config.resolve("..data").toRealPath();
    configMap(file("a", "1"), file("sub/b", "1"));
    assertThat(config.resolve("..data").toRealPath()).isEqualTo(version);
    configMap(file("a", "2"));
    assertThat(config.resolve("a")).hasContent("2");
    assertThat(config.resolve("sub")).doesNotExist();
    assertThat(version).doesNotExist();
    assertThatThrownBy(() -> configMap(file("../../x", "1"))).hasMessageContaining("path");
  }

  /// A container that runs has the very file.
  @Test
  void namesOfHostsChangeInPlace() throws IOException {
    files.make(UID);
    var hosts = files.hosts(UID, "10.0.0.9\tdb\n");
    var inode = Files.getAttribute(hosts, "unix:ino");
    assertThat(hosts).hasContent("10.0.0.9\tdb\n");
    assertThat(files.hosts(UID, "10.0.0.9\tdb.example\n")).hasContent("10.0.0.9\tdb.example\n");
    assertThat(files.hosts(UID, "10.0.0.9\tdb\n")).hasContent("10.0.0.9\tdb\n");
    assertThat(Files.getAttribute(hosts, "unix:ino")).isEqualTo(inode);
    files.remove(UID);
    assertThat(hosts).doesNotExist();
    assertThat(files.machineHosts()).isEqualTo(Files.readString(Path.of("/etc/hosts")));
  }

  @Test
  void secretsAreKeptInMemory() throws IOException {
    var secret =
        files.content(
            UID,
            "kubernetes.io/secret",
            "s",
            true,
            List.of(file("key", "value")),
            OptionalInt.of(4711));
    assertThat(scratch.mounts.table().at(secret).orElseThrow().type()).isEqualTo("tmpfs");
    assertThat(Files.getAttribute(secret.resolve("key"), "unix:gid")).isEqualTo(4711);
    files.remove(UID);
    assertThat(scratch.layout.pod(UID)).doesNotExist();
  }

  @Test
  void aPodIsRemovedWithAllThatIsItsOwn() throws IOException { // NCLN-04
    files.make(UID);
    var empty = files.emptyDir(UID, "cache", false, OptionalLong.empty(), OptionalInt.empty());
    Files.createDirectories(empty.resolve("a/b"));
    Files.writeString(empty.resolve("a/b/file"), "x");
    files.emptyDir(UID, "memory", true, OptionalLong.of(1 << 20), OptionalInt.empty());
    configMap(file("a", "1"));
    Files.createDirectories(scratch.layout.container(UID, "app"));
    var log = Files.createDirectories(scratch.logs.root().resolve("ns_web_" + UID + "/app"));
    Files.writeString(log.resolve("0.log"), "x");
    assertThat(files.pods()).containsExactly(UID);
    files.remove(UID);
    files.remove(UID);
    assertThat(files.pods()).isEmpty();
    assertThat(scratch.logs.root()).isEmptyDirectory();
  }

  @Test
  void aPodWithAMountOrAnUnknownFileStays() throws IOException { // NCLN-04
    files.make(UID);
    var published = scratch.layout.publishTarget(UID, "pv-1");
    scratch.mountAt(published);
    Files.writeString(published.resolve("data"), "precious");
    assertThatThrownBy(() -> files.remove(UID)).hasMessageContaining("still has mounts");
    assertThat(published.resolve("data")).hasContent("precious");
    scratch.mounts.unmount(published, dev.berth.linux.mount.Mounts.Unmount.IF_UNUSED);
    Files.writeString(published.resolve("data"), "precious");
    assertThatThrownBy(() -> files.remove(UID)).hasMessageContaining("not a directory");
    assertThat(published.resolve("data")).hasContent("precious");
  }

  @Test
  void aRootThatLeadsThroughALinkIsRefused() throws IOException {
    Files.createSymbolicLink(scratch.directory.resolve("link"), scratch.layout.root());
    var linked = new Layout(scratch.directory.resolve("link"));
    assertThatThrownBy(() -> new KubeletPodFiles(linked, scratch.logs, scratch.mounts))
        .hasMessageContaining("use " + scratch.layout.root());
  }

  @Test
  void aRefusedPartSaysNothingOfTheMachine() throws IOException { // NSUB-04
    var path = Files.createDirectories(scratch.directory.resolve("volume"));
    Files.createSymbolicLink(path.resolve("out"), scratch.directory);
    var volume = new MountedVolume("pv-1", path, false, OptionalInt.empty());
    assertThatThrownBy(() -> files.part(UID, "app", 0, volume, "out"))
        .isInstanceOf(UnusableException.class)
        .hasMessage("failed to prepare subPath \"out\" for container \"app\"");
  }

  @Test
  void aHostPathIsCheckedOrMade() throws Exception {
    var place = scratch.directory.resolve("place");
    assertThatThrownBy(() -> files.hostPath(place.toString(), "Directory"))
        .isInstanceOf(UnusableException.class);
    files.hostPath(place.toString(), "DirectoryOrCreate");
    assertThat(place).isDirectory();
    assertThatThrownBy(() -> files.hostPath(place.toString(), "File"))
        .isInstanceOf(UnusableException.class);
    files.hostPath("/dev/null", "CharDevice");
    assertThat(files.holdsVolumes(scratch.layout.root())).isTrue();
    assertThat(files.holdsVolumes(place)).isFalse();
  }
}
