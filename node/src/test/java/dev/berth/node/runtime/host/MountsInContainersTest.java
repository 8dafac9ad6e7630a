package dev.berth.node.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.Machine;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.mount.Propagation;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import dev.berth.node.runtime.ContainerDevice;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerMount.Access;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.RefusedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MountsInContainersTest {
  @AutoClose private ContainerBench bench;

  @BeforeEach
  void open() throws Exception {
    bench = ContainerBench.open();
  }

  @Test
  void directoriesAndFilesAppearWhereTheSpecSays() throws Exception { // NRUN-04
    var outer = bench.make("outer");
    var inner = bench.make("inner");
    var file = Files.writeString(bench.directory.resolve("file"), "text");
    var log =
        bench.run(
            With.mounts(
                bench.script("cat /data/conf/file; echo x > /data/a; echo y > /data/deep/er/b"),
                mount(inner, "/data/deep/er", Access.READ_WRITE),
                mount(file, "/data/conf/file", Access.READ_ONLY),
                mount(outer, "/data", Access.READ_WRITE)));
    assertThat(log).isEqualTo("text");
    assertThat(outer.resolve("a")).hasContent("x\n");
    assertThat(inner.resolve("b")).hasContent("y\n");
  }

  /// On a machine whose own file is in use meanwhile, too.
  @Test
  void namesOfHostsAreThePodsOwn() throws Exception {
    var file = Files.writeString(bench.directory.resolve("hosts"), "10.0.0.9\tdb.of.the.pod\n");
    var log =
        bench.run(
            With.mounts(
                bench.script("getent hosts db.of.the.pod"),
                mount(file, "/etc/hosts", Access.READ_WRITE)));
    assertThat(log).contains("10.0.0.9").contains("db.of.the.pod");
  }

  @Test
  void readOnlyIsReadOnly() throws Exception {
    var volume = bench.make("volume");
    var below = bench.make("volume/below");
    bench.mounts.mount("tmpfs", "tmpfs", below, MountOptions.NONE);
    var log =
        bench.run(
            With.mounts(
                bench.script(
                    "for d in one one/below tree tree/below; do touch /$d/x 2>/dev/null && echo $d;"
                        + " done"),
                mount(volume, "/one", Access.READ_ONLY),
                mount(volume, "/tree", Access.READ_ONLY_TREE)));
    assertThat(log).isEqualTo("one/below\n");
  }

  @Test
  void aLinkInsideLeadsToItsPlaceInsideAndNotOutside() throws Exception {
    var volume = bench.make("volume");
    Files.writeString(volume.resolve("file"), "seen");
    var spec =
        With.mounts(
            bench.script("cat /run/secrets/file"),
            mount(volume, "/var/run/secrets", Access.READ_ONLY));
    assumeTrue(Files.isSymbolicLink(Path.of("/var/run")), "/var/run is no link here");
    assertThat(bench.run(spec)).isEqualTo("seen");
    assertThat(Path.of("/run/secrets/file")).doesNotExist();
  }

  @Test
  void whatIsMountedLaterIsSeenOnlyWithPropagation() throws Exception { // NSUB-06
    var shared = shared();
    Files.createDirectory(shared.resolve("later"));
    var spec =
        With.mounts(
            bench.script(
                "until test -e /slave/later/file; do sleep 0.01; done; ls /private/later | wc -l"),
            new ContainerMount(shared, "/slave", Access.READ_WRITE, Propagation.SLAVE),
            new ContainerMount(shared, "/private", Access.READ_WRITE, Propagation.PRIVATE));
    bench.runtime.start(spec);
    bench.mounts.mount("tmpfs", "tmpfs", shared.resolve("later"), MountOptions.NONE);
    Files.writeString(shared.resolve("later/file"), "");
    bench.awaitEnd(spec.id());
    assertThat(bench.logged()).isEqualTo("0\n");
  }

  @Test
  void aDriversMountsReachTheMachineWithBidirectional() throws Exception {
    var shared = shared();
    var spec =
        With.rights(
            With.mounts(
                bench.script("mkdir /out/m && mount -t tmpfs driver /out/m && echo ok"),
                new ContainerMount(shared, "/out", Access.READ_WRITE, Propagation.SHARED)),
            Rights.PRIVILEGED);
    assertThat(bench.run(spec)).isEqualTo("ok\n");
    assertThat(bench.mounts.table().at(shared.resolve("m")).orElseThrow().source())
        .isEqualTo("driver");
  }

  @Test
  void bidirectionalNeedsASharedMount() throws Exception { // NSUB-06
    var directory = bench.make("private");
    bench.mounts.bind(directory, directory, Depth.ONE, MountOptions.NONE);
    bench.mounts.propagate(directory, Depth.ONE, Propagation.PRIVATE);
    assertThatThrownBy(() ->
            bench.runtime.start(
                With.mounts(
                    bench.script("true"),
                    new ContainerMount(directory, "/x", Access.READ_WRITE, Propagation.SHARED))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("not on a shared mount");
  }

  @Test
  void aContainerHoldsNoMountButItsOwn() throws Exception {
    var volume = disk("volume");
    var foreign = disk("foreign");
    var spec =
        With.mounts(bench.script("echo up; sleep 60"), mount(volume, "/data", Access.READ_WRITE));
    bench.runtime.start(spec);
    bench.awaitLog("up");

    bench.mounts.unmount(foreign, Unmount.IF_UNUSED);
    assertThat(new LoopDevices().of(bench.directory.resolve("foreign.img"))).isEmpty();

    bench.runtime.kill(spec.id());
    bench.mounts.unmount(volume, Unmount.IF_UNUSED);
    assertThat(new LoopDevices().of(bench.directory.resolve("volume.img"))).isEmpty();
  }

  @Test
  void nothingOfAContainerIsMountedOutside() throws Exception { // NRUN-02
    var before = bench.mounts.table().under(bench.directory);
    bench.runtime.start(bench.script("echo up; sleep 60"));
    bench.awaitLog("up");
    assertThat(bench.mounts.table().under(bench.directory)).isEqualTo(before);
  }

  @Test
  void aBlockDeviceAppearsAsOne() throws Exception { // NBLK-04
    var image = image("image");
    try (var loop = new LoopDevices().attach(image, LoopOptions.UNTIL_UNUSED)) {
      var log =
          bench.run(
              With.devices(
                  bench.script(
                      "test -b /dev/data && echo block; printf hello > /disk/by/name; stat -c %A"
                          + " /dev/data"),
                  new ContainerDevice(
                      loop.device(), "/disk/by/name", ContainerDevice.Access.READ_WRITE),
                  new ContainerDevice(
                      loop.device(), "/dev/data", ContainerDevice.Access.READ_ONLY)));
      assertThat(log).startsWith("block\nbr--");
    }
    try (var file = Files.newInputStream(image)) {
      assertThat(new String(file.readNBytes(5), StandardCharsets.US_ASCII)).isEqualTo("hello");
    }
  }

  private Path shared() throws IOException {
    var shared = bench.make("shared");
    bench.mounts.mount("tmpfs", "tmpfs", shared, MountOptions.NONE);
    bench.mounts.propagate(shared, Depth.ONE, Propagation.SHARED);
    return shared;
  }

  private Path image(String name) throws IOException {
    new Machine(Tools.ofThisMachine()).whyNoLoopDevices().ifPresent(why -> assumeTrue(false, why));
    var image = bench.directory.resolve(name);
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(16 << 20);
    }
    return image;
  }

  private Path disk(String name) throws IOException {
    try (var loop = new LoopDevices().attach(image(name + ".img"), LoopOptions.UNTIL_UNUSED)) {
      new FileSystemTools(Tools.ofThisMachine())
          .make(FileSystemType.EXT4, loop.device(), List.of());
      var target = bench.make(name);
      bench.mounts.mount("ext4", loop.device().toString(), target, MountOptions.NONE);
      return target;
    }
  }

  private static ContainerMount mount(Path source, String target, Access access) {
    return new ContainerMount(source, target, access, Propagation.PRIVATE);
  }
}
