package dev.berth.node.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.mount.Propagation;
import dev.berth.linux.sys.SystemCall;
import dev.berth.node.runtime.ContainerDevice;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerMount.Access;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.User;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Another pod that writes to a volume swaps a folder in it for a link while something is mounted
/// below that folder.
class SwappedLinksInContainersTest {
  private static final int STARTS = 25;
  private static final long RENAME_EXCHANGE = 2;

  @AutoClose private ContainerBench bench;

  @BeforeEach
  void open() throws Exception {
    bench = ContainerBench.open();
  }

  /// The link leads to a folder that is there inside, as a volume, and outside.
  @Test
  void nothingIsMadeOrMountedOutside() throws Exception {
    var elsewhere = bench.make("elsewhere");
    var shared = bench.make("shared");
    var folder = Files.createDirectory(shared.resolve("folder"));
    var link = Files.createSymbolicLink(shared.resolve("link"), elsewhere);
    var outcomes = new ArrayList<String>();
    var over = new AtomicBoolean();
    var swapper =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) swap(folder, link);
            });
    try {
      for (int i = 0; i < STARTS; i++) outcomes.add(mountsOf(spec(i, elsewhere)));
    } finally {
      over.set(true);
      swapper.join();
    }
    assertThat(elsewhere).isEmptyDirectory();
    assertThat(outcomes).containsOnly("4\n");
  }

  /// @return how many of its nested mounts it has, or why it was not started
  private String mountsOf(ContainerSpec spec) throws Exception {
    try {
      bench.runtime.start(spec);
    } catch (RefusedException refused) {
      return String.valueOf(refused.getMessage());
    }
    bench.awaitEnd(spec.id());
    return Files.readString(spec.log());
  }

  /// A folder, a file, a device and the last words, all below what is swapped.
  private ContainerSpec spec(int number, Path elsewhere) throws Exception {
    var below = "/data/folder/" + number;
    var file = bench.directory.resolve("nested-file");
    return new ContainerSpec(
        new ContainerId("pod-1", "app", number),
        "host",
        "web-0",
        new Program(
            List.of(
                "grep",
                "-cE",
                " (/data/folder|/data/link|%s)/%s/".formatted(elsewhere, number),
                "/proc/self/mountinfo"),
            Map.of(),
            ""),
        User.ROOT,
        Rights.ORDINARY,
        Root.WRITABLE,
        List.of(
            mount(bench.make("shared"), "/data"),
            mount(bench.make("inside"), elsewhere.toString()),
            mount(bench.make("nested"), below + "/deep/folder"),
            mount(Files.writeString(file, ""), below + "/deep/file")),
        List.of(
            new ContainerDevice(
                Path.of("/dev/null"), below + "/device", ContainerDevice.Access.READ_WRITE)),
        bench.directory.resolve("log-" + number),
        Optional.of(below + "/words"));
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

  private static ContainerMount mount(Path source, String target) {
    return new ContainerMount(source, target, Access.READ_WRITE, Propagation.PRIVATE);
  }
}
