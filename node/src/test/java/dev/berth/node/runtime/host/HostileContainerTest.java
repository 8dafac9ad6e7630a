package dev.berth.node.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.cgroup.DeviceGroups;
import dev.berth.linux.file.DeviceNode;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.mount.Propagation;
import dev.berth.linux.namespace.NamespaceThread;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerMount.Access;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a pod's author would try who wants more than his pod.
class HostileContainerTest {
  private ContainerBench bench;

  @BeforeEach
  void open() throws Exception {
    bench = ContainerBench.open();
  }

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  /// Opened for writing only: a test that fails shall not harm the machine.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/vm/drop_caches",
        "/proc/sysrq-trigger",
        "/proc/irq/default_smp_affinity",
        "/sys/kernel/uevent_helper",
        "/sys/power/state"
      })
  void theMachinesKernelIsNotItsToSet(String file) throws Exception {
    var script = "test -e FILE || echo absent; (: >>FILE) 2>/dev/null && echo open; exit 0";
    assertThat(bench.run(bench.script(script.replace("FILE", file)))).isIn("", "absent\n");
  }

  @Test
  void noMountOfItsOwnUncoversTheKernel() throws Exception {
    var script =
        """
        umount /proc/sys 2>/dev/null && echo unmounted
        mount -o remount,rw,bind /proc/sys 2>/dev/null && echo remounted
        mount -t proc proc /mnt 2>/dev/null && echo mounted
        unshare -m true 2>/dev/null && echo unshared
        exit 0
        """;
    assertThat(bench.run(bench.script(script))).isEmpty();
  }

  @Test
  void whatTheKernelTellsOnlyRootIsMasked() throws Exception {
    var script =
        """
        for f in kcore keys latency_stats timer_list timer_stats sched_debug; do
          test -e /proc/$f && ! test -c /proc/$f && echo $f
        done
        for d in /proc/acpi /proc/asound /proc/scsi /sys/firmware; do
          test -d $d && ls -A $d
        done
        chmod 666 /proc/keys 2>/dev/null && echo changed
        exit 0
        """;
    assertThat(bench.run(bench.script(script))).isEmpty();
  }

  @Test
  void aPrivilegedContainerHasThemAll() throws Exception {
    var spec =
        With.rights(
            bench.script("(: >>/proc/sys/kernel/core_pattern) && test -f /proc/keys && echo ok"),
            Rights.PRIVILEGED);
    assertThat(bench.run(spec)).isEqualTo("ok\n");
  }

  /// Each dynamic program that is run over such a file complains once.
  @Test
  void thePodsOwnProgramIsTheFirstThatItsRootGivesOrders() throws Exception {
    var etc = bench.make("etc");
    Files.writeString(etc.resolve("ld.so.preload"), "/nowhere/hostile.so\n");
    var spec =
        With.program(
            With.mounts(bench.script(""), mount(etc, "/etc")),
            new Program(List.of("cat", "/etc/ld.so.preload"), Map.of(), ""));
    var log = bench.run(spec);
    assertThat(log).endsWith("/nowhere/hostile.so\n");
    assertThat(log.lines().filter(line -> line.contains("cannot be preloaded"))).hasSize(1);
  }

  /// The attack as it was made: the library says as whom it was loaded.
  @Test
  void aLibraryThatAVolumePreloadsHasThePodsRightsAndNoOthers() throws Exception {
    var etc = bench.make("etc");
    var source =
        Files.writeString(
            bench.directory.resolve("hostile.c"),
            """
            #include <stdio.h>
            #include <string.h>
            __attribute__((constructor)) static void loaded(void) {
              char line[256];
              FILE *status = fopen("/proc/self/status", "r");
              FILE *proof = fopen("/proof/said", "a");
              while (status && proof && fgets(line, sizeof line, status))
                if (!strncmp(line, "Uid", 3) || !strncmp(line, "CapEff", 6)
                    || !strncmp(line, "CapBnd", 6) || !strncmp(line, "NoNew", 5)
                    || !strncmp(line, "NSpid", 5))
                  fputs(line, proof);
            }
            """);
    assumeTrue(
        new ProcessBuilder(
                    List.of(
                        "sh",
                        "-c",
                        "cc -shared -fPIC -o \"$0\" \"$1\"",
                        etc.resolve("hostile.so").toString(),
                        source.toString()))
                .start()
                .waitFor()
            == 0,
        "there is no C compiler here");
    Files.writeString(etc.resolve("ld.so.preload"), "/etc/hostile.so\n");
    var proof = bench.make("proof");
    Files.setAttribute(proof, "unix:mode", 0777);
    var spec =
        With.rights(
            With.user(
                With.program(
                    With.mounts(bench.script(""), mount(etc, "/etc"), mount(proof, "/proof")),
                    new Program(List.of("cat", "/dev/null"), Map.of(), "")),
                new User(1234, 1234, List.of())),
            Rights.NO_NEW_PRIVILEGES);
    bench.run(spec);
    var said = Files.readAllLines(proof.resolve("said"));
    assertThat(said).filteredOn(line -> line.startsWith("Uid:")).hasSize(1);
    assertThat(said).contains("Uid:\t1234\t1234\t1234\t1234", "NoNewPrivs:\t1", "NSpid:\t2");
    assertThat(said).contains("CapEff:\t0000000000000000");
  }

  @Test
  void aDeviceFileInAVolumeOpensNoDevice() throws Exception {
    var volume = bench.make("volume");
    var below = bench.make("volume/below");
    bench.mounts.mount("tmpfs", "tmpfs", below, dev.berth.linux.mount.MountOptions.NONE);
    for (var folder : List.of(volume, below))
      DeviceNode.make(folder.resolve("zero"), FileStatus.of(Path.of("/dev/zero")), 0666);
    var script =
        "for f in /data/zero /data/below/zero; do head -c 1 $f >/dev/null 2>&1 && echo $f; done;"
            + " exit 0";
    assertThat(bench.run(With.mounts(bench.script(script), mount(volume, "/data")))).isEmpty();
    bench.runtime.remove(bench.script("").id());
    bench.ended.clear();
    Files.delete(bench.log());
    assertThat(
            bench.run(
                With.rights(
                    With.mounts(bench.script(script), mount(volume, "/data")), Rights.PRIVILEGED)))
        .isEqualTo("/data/zero\n/data/below/zero\n");
  }

  /// Even where a mount would let it: `/dev` is one that a device opens on.
  @Test
  void noOtherDeviceOpensWhereControlGroupsSayWhich() throws Exception {
    assumeTrue(
        DeviceGroups.ofThisMachine("berth").isPresent(),
        "this machine has no control groups for devices, or not for us");
    var control = Path.of("/dev/loop-control");
    assumeTrue(Files.exists(control), control + " is missing");
    var spec =
        bench.script(
            "echo up; until test -e /dev/foreign; do sleep 0.01; done;"
                + " (: </dev/foreign) 2>/dev/null && echo opened; (: </dev/zero) && echo usual");
    bench.runtime.start(spec);
    bench.awaitLog("up");
    var status = FileStatus.of(control);
    DeviceNode.make(bench.directory.resolve("loaded"), status, 0600); // its class, for inside
    try (var inside = NamespaceThread.inside(mounts(bench.layout))) {
      inside.run(() -> DeviceNode.make(Path.of("/dev/foreign"), status, 0666));
    }
    bench.awaitEnd(spec.id());
    assertThat(bench.logged()).isEqualTo("up\nusual\n");
  }

  /// Of the container's first process.
  private static Path mounts(Layout layout) {
    var folder =
        new ContainerFolder(
            new ContainerId("pod-1", "app", 0), layout.container("pod-1", "app").resolve("0"));
    var shim = ((ContainerFolder.Trace.Live) folder.trace()).shim();
    var outer = shim.children().getLast();
    return Path.of("/proc/" + outer.children().getFirst().pid() + "/ns/mnt");
  }

  @Test
  void membersOfAGroupReadWhatIsWrittenForThem() throws Exception {
    assertThat(bench.run(bench.script("umask; touch /tmp/x; stat -c %a /tmp/x")))
        .isEqualTo("0022\n644\n");
  }

  @Test
  void itSharesNoMemoryAndNoQueueWithTheMachine() throws Exception {
    var own = Files.readSymbolicLink(Path.of("/proc/self/ns/ipc")).toString();
    assertThat(bench.run(bench.script("readlink /proc/self/ns/ipc"))).isNotEqualTo(own + "\n");
  }

  @Test
  void nothingThatTheRuntimeOpenedIsLeftOpen() throws Exception {
    var script =
        """
        ls /proc/self/fd | tr '\\n' ' '
        readlink /proc/self/cwd /proc/self/root /proc/1/root /proc/1/cwd
        ls -A /proc/1/fd
        """;
    assertThat(bench.run(With.rights(bench.script(script), Rights.PRIVILEGED)))
        .isEqualTo("0 1 2 3 /\n/\n/\n/\n");
  }

  /// Where control groups limit it, one of them is a folder of theirs; `..` would lead to all.
  @ParameterizedTest
  @ValueSource(strings = {"/proc/self/fd/", "/proc/1/fd/"})
  void nothingThatTheRuntimeHasOpenIsItsWorkingDirectory(String opened) {
    for (int number = 0; number < 16; number++) {
      var program = new Program(List.of("true"), Map.of(), opened + number);
      assertThatThrownBy(() -> bench.runtime.start(With.program(bench.script(""), program)))
          .as(program.workingDirectory())
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("change to the working directory " + program.workingDirectory());
    }
  }

  /// An open file of the machine can be given another mode or owner through its descriptor.
  @Test
  void standardInputIsNoFileOfTheMachineThatItCanChange() throws Exception {
    var script =
        "chmod 666 /proc/self/fd/0 2>/dev/null && echo changed; cat; test -c /proc/self/fd/0"
            + " && echo device";
    assertThat(bench.run(bench.script(script))).isEqualTo("device\n");
  }

  @Test
  void theFirstProcessIsOutOfItsReach() throws Exception {
    var script =
        """
        for f in exe root cwd ns/mnt; do readlink /proc/1/$f 2>/dev/null && echo $f; done
        ls -A /proc/1/fd /proc/1/map_files 2>/dev/null | grep -v :
        (: >>/proc/1/mem) 2>/dev/null && echo memory
        kill -9 1
        echo lives
        """;
    assertThat(bench.run(bench.script(script)).strip()).isEqualTo("lives");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/proc", "/proc/sys", "/proc/self/x", "/dev/../proc/x"})
  void nothingIsMountedOverTheKernelsFiles(String target) throws Exception {
    var volume = bench.make("volume");
    var spec = With.mounts(bench.script("echo ran"), mount(volume, target));
    try {
      assertThat(bench.run(spec)).isEqualTo("refused");
    } catch (RefusedException refused) {
      assertThat(refused).hasMessageContaining(target);
    }
  }

  /// Passwords, keys, and what people keep at home.
  @Test
  void whatOnlyRootOfTheMachineMayReadIsNotThere() throws Exception {
    var script =
        """
        grep -v '^[^:]*:[*]:' /etc/shadow /etc/gshadow
        find /root /home -mindepth 1
        find /etc /opt /srv -xdev -type f ! -perm -o=r ! -name '*shadow' 2>/dev/null
        find / /var /var/lib -xdev -mindepth 1 -maxdepth 1 -type d ! -perm -o=x ! -path /root \
          ! -path /proc
        find /etc/ssl/private /etc/kubernetes/pki -mindepth 1 2>/dev/null
        id daemon >/dev/null && grep -q '^daemon:' /etc/shadow && echo accounts
        """;
    assertThat(bench.run(bench.script(script))).isEqualTo("accounts\n");
    assertThat(Files.readString(Path.of("/etc/shadow"))).contains("daemon:");
  }

  /// Though the machine keeps what is there from everybody.
  @Test
  void homesHaveRoomForMoreThanAFewFilesAndRunPrograms() throws Exception {
    var script = "cp /bin/true /root/t; /root/t && head -c 1000000 /dev/zero >/root/x && echo ok";
    assertThat(bench.run(bench.script(script))).isEqualTo("ok\n");
  }

  private static ContainerMount mount(Path source, String target) throws IOException {
    return new ContainerMount(source, target, Access.READ_WRITE, Propagation.PRIVATE);
  }

  /// A disk of its own below `/opt` is shown too.
  @Test
  void norWhereItIsMountedApart() throws Exception {
    var disk = Files.createTempDirectory(Path.of("/opt"), "berth-test");
    var mounts = Mounts.ofThisMachine();
    try {
      mounts.mount("tmpfs", "berth-test", disk, MountOptions.NONE.with("mode=0755"));
      Files.writeString(disk.resolve("everybodys"), "");
      Files.setAttribute(Files.writeString(disk.resolve("key"), "secret"), "unix:mode", 0600);
      var folder = Files.createDirectory(disk.resolve("keys"));
      Files.setAttribute(folder, "unix:mode", 0700);
      Files.writeString(folder.resolve("key"), "secret");
      var script = "cd DISK && ls -R . && cat key keys/key 2>/dev/null; exit 0";
      assertThat(bench.run(bench.script(script.replace("DISK", disk.toString()))))
          .contains("everybodys")
          .doesNotContain("secret");
    } finally {
      mounts.unmount(disk, Unmount.LAZY);
      Files.delete(disk);
    }
  }
}
