package dev.berth.linux.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.linux.Workbench;
import dev.berth.linux.file.Durable;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnedTreeTest {
  private static final int GROUP = 4321;

  @AutoClose private Workbench bench;
  private Path root;
  private Path elsewhere;

  @BeforeEach
  void open() throws IOException {
    bench = Workbench.open();
    root = bench.directory("root");
    elsewhere = bench.directory("elsewhere");
    bench.file("elsewhere/secret", "not ours");
    Files.setPosixFilePermissions(
        elsewhere.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
  }

  private OwnedTree tree() {
    return new OwnedTree(root, GROUP, 0660, 02770);
  }

  private void give() {
    tree()
        .give(e -> {
          throw e;
        });
  }

  @Test
  void allFilesAndLinksThemselvesAreHandedOver() throws Exception {
    bench.directory("root/a/b");
    bench.file("root/a/b/file", "x");
    Files.createSymbolicLink(root.resolve("a/link"), elsewhere.resolve("secret"));
    Files.createSymbolicLink(root.resolve("a/folder"), elsewhere);
    var odd = bench.directory("root/many");
    for (var i = 0; i < 3000; i++) Files.createFile(odd.resolve("file-with-a-long-name-" + i));
    assertThat(
            new ProcessBuilder("sh", "-c", "touch \"$(printf '%s/\\377' \"$0\")\"", "" + odd)
                .start()
                .waitFor())
        .isZero();
    assertThat(new ProcessBuilder("mkfifo", root + "/pipe").start().waitFor()).isZero();
    assertThat(tree().isGiven()).isFalse();

    give();

    assertThat(tree().isGiven()).isTrue();
    try (var all = Files.walk(root)) {
      // Not by FileStatus, which knows no names beyond UTF-8.
      for (var file : all.toList())
        assertThat(Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS))
            .isEqualTo(GROUP);
    }
    assertThat(mode(root.resolve("a/b"))).isEqualTo(02775);
    assertThat(mode(root.resolve("a/b/file"))).isEqualTo(0664);
    assertThat(mode(root.resolve("pipe"))).isEqualTo(0664);
    assertElsewhereIsUntouched();
  }

  @Test
  void whatIsMountedInTheTreeIsLeftAlone() {
    bench.file("root/file", "x");
    bench.mounts.bind(
        elsewhere,
        bench.directory("root/bound"),
        Depth.ONE,
        MountOptions.NONE); // the same device: only the mount tells them apart
    give();
    assertThat(FileStatus.of(root.resolve("file")).group()).isEqualTo(GROUP);
    assertElsewhereIsUntouched();
  }

  /// A folder is a folder when it is listed, and a link to elsewhere when its files are named.
  @Test
  void aFolderThatIsSwappedForALinkLeadsNowhere() throws Exception {
    var folder = bench.directory("root/folder");
    bench.file("root/folder/secret", "ours");
    var link = Files.createSymbolicLink(root.resolve("link"), elsewhere);
    var over = new AtomicBoolean();
    var swapper =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) swap(folder, link, root.resolve("aside"));
            });
    try {
      for (var i = 0; i < 1000; i++) give();
    } finally {
      over.set(true);
      swapper.join();
    }
    assertElsewhereIsUntouched();
  }

  private static void swap(Path one, Path other, Path aside) {
    assertThat(Durable.renameToNew(one, aside)).isTrue();
    assertThat(Durable.renameToNew(other, one)).isTrue();
    assertThat(Durable.renameToNew(aside, other)).isTrue();
  }

  @Test
  void aTreeMayBeDeeperThanAPathIsLong() throws Exception {
    var made =
        new ProcessBuilder(
                "sh",
                "-c",
                "cd \"$0\" && for i in $(seq 900); do mkdir folder && cd -P folder || exit 1; done",
                root.toString())
            .start()
            .waitFor();
    assertThat(made).isZero();
    give();
    assertThat(FileStatus.of(root.resolve("folder/folder/folder")).group()).isEqualTo(GROUP);
    assertThat(new ProcessBuilder("rm", "-r", root + "/folder").start().waitFor()).isZero();
  }

  /// Who makes the tree says how deep it is; this process has only so many descriptors.
  @Test
  void howDeepATreeIsTakesNoMoreDescriptors() throws Exception {
    var shell =
        "cd \"$0\" && for i in $(seq 200); do mkdir folder after-$i && touch file && cd -P folder"
            + " || exit 1; done; touch immutable && chattr +i immutable";
    assertThat(new ProcessBuilder("sh", "-c", shell, root.toString()).start().waitFor()).isZero();
    var held = new ArrayList<Long>();
    long before = descriptors();
    try {
      tree().give(_ -> held.add(descriptors()));
      assertThat(held).singleElement().satisfies(it -> assertThat(it - before).isLessThan(60));
      assertThat(tree().isGiven()).isTrue();
      try (var all = Files.walk(root)) {
        for (var file : all.filter(it -> !it.endsWith("immutable")).toList())
          assertThat(Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS))
              .as(file.toString())
              .isEqualTo(GROUP);
      }
    } finally {
      new ProcessBuilder("chattr", "-R", "-i", root.toString()).start().waitFor();
    }
  }

  private static long descriptors() {
    try (var all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whoIsToldOfARefusalMayGoOn() throws Exception {
    var file = bench.file("root/immutable", "x");
    bench.file("root/other", "x");
    assertThat(new ProcessBuilder("chattr", "+i", file.toString()).start().waitFor()).isZero();
    try {
      List<LinuxException> told = new ArrayList<>();
      tree().give(told::add);
      assertThat(told)
          .singleElement()
          .satisfies(it -> assertThat(it).hasMessageContaining("root/immutable"));
      assertThat(FileStatus.of(root.resolve("other")).group()).isEqualTo(GROUP);
      assertThatThrownBy(this::give).isInstanceOf(LinuxException.class);
    } finally {
      assertThat(new ProcessBuilder("chattr", "-i", file.toString()).start().waitFor()).isZero();
    }
  }

  @Test
  void aLinkIsNoRoot() throws IOException {
    var link = Files.createSymbolicLink(root.resolve("link"), elsewhere);
    assertThatThrownBy(() -> new OwnedTree(link, GROUP, 0660, 02770).give(_ -> {}))
        .isInstanceOf(LinuxException.class);
    assertElsewhereIsUntouched();
  }

  private void assertElsewhereIsUntouched() {
    assertThat(FileStatus.of(elsewhere).group()).isZero();
    assertThat(FileStatus.of(elsewhere.resolve("secret")).group()).isZero();
    assertThat(mode(elsewhere.resolve("secret"))).isEqualTo(0600);
  }

  private static int mode(Path file) {
    return FileStatus.of(file).mode() & 07777;
  }
}
