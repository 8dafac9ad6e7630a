package dev.berth.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RootedTest {
  private static final int WALKS = 300;
  private static final long RENAME_EXCHANGE = 2;

  @TempDir private Path directory;
  private Path root;
  private Rooted inside;

  @BeforeEach
  void furnish() throws IOException {
    root = Files.createDirectories(directory.toRealPath().resolve("root"));
    Files.createDirectories(root.resolve("run"));
    Files.createDirectories(root.resolve("var"));
    Files.createDirectories(root.resolve("here"));
    Files.createSymbolicLink(root.resolve("var/run"), Path.of("../run"));
    Files.createSymbolicLink(root.resolve("absolute"), Path.of("/here"));
    Files.createSymbolicLink(root.resolve("dangling"), Path.of("/nowhere"));
    inside = new Rooted(root);
  }

  @ParameterizedTest
  @CsvSource({
    "/,                     ''",
    "/run,                  run",
    "/var/run/new/deep,     run/new/deep",
    "absolute/new,          here/new",
    "/../../new,            new",
    "/var/run/../../../new, new"
  })
  void whatIsMissingIsMadeWhereItWillBeLookedFor(String path, String real) throws IOException {
    assertThat(inside.directory(path)).isEqualTo(root.resolve(real)).isDirectory();
    try (var file = inside.openFile(path + "/file")) {
      assertThat(FileStatus.onThisThread(file).isRegularFile()).isTrue();
      assertThat(file.name()).isEqualTo(root.resolve(real).resolve("file"));
    }
    assertThat(inside.find(path + "/file")).contains(root.resolve(real).resolve("file"));
  }

  @Test
  void nothingIsMadeThroughALinkToNothing() {
    assertThat(inside.find("/dangling")).isEmpty();
    assertThatThrownBy(() -> inside.directory("/dangling"))
        .asInstanceOf(throwable(LinuxException.class))
        .extracting(LinuxException::failure)
        .isInstanceOf(Failure.Escapes.class);
    assertThat(root.resolve("nowhere")).doesNotExist();
  }

  /// The link leads to a folder that is there inside and outside; the last place has `..` on its
  /// way, which the kernel does not walk while something is renamed.
  @Test
  void nothingIsMadeOutsideWhileFoldersAreSwappedForLinks() throws Exception {
    var elsewhere = Files.createDirectory(root.resolveSibling("elsewhere"));
    Files.createDirectories(root.resolve(Path.of("/").relativize(elsewhere)));
    var folder = Files.createDirectory(root.resolve("folder"));
    var link = Files.createSymbolicLink(root.resolve("link"), elsewhere);
    var over = new AtomicBoolean();
    var swapper =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) swap(folder, link);
            });
    try {
      for (int i = 0; i < WALKS; i++) {
        inside.openDirectory("/folder/" + i + "/deep").close();
        inside.openDirectory("/var/run/" + i).close();
      }
    } finally {
      over.set(true);
      swapper.join();
    }
    assertThat(elsewhere).isEmptyDirectory();
  }

  private static void swap(Path one, Path other) {
    try (var arena = Arena.ofConfined()) {
      SystemCall.RENAMEAT2.orThrow(
          () -> "swap " + one + " and " + other,
          SystemCall.AT_FDCWD,
          arena.allocateFrom(one.toString()).address(),
          SystemCall.AT_FDCWD,
          arena.allocateFrom(other.toString()).address(),
          RENAME_EXCHANGE);
    }
  }
}
