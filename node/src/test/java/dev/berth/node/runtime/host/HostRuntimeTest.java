package dev.berth.node.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;
import static org.awaitility.Awaitility.await;

import dev.berth.linux.mount.Propagation;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.User;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostRuntimeTest {
  @AutoClose private ContainerBench bench;

  @BeforeEach
  void open() throws Exception {
    bench = ContainerBench.open();
  }

  @ParameterizedTest
  @CsvSource({"exit 0, 0", "exit 3, 3", "kill -9 $$, 137", "kill $$, 143", "exec nonsense, 127"})
  void theExitCodeIsTheProgramsOwn(String script, int code) throws Exception {
    var before = Instant.now().minusMillis(20); // file times are those of the last tick
    var spec = bench.script(script);
    bench.runtime.start(spec);
    var exited = bench.awaitEnd(spec.id());
    assertThat(exited.exitCode()).isEqualTo(code);
    assertThat(exited.started()).isBetween(before, exited.finished());
    assertThat(exited.finished()).isBeforeOrEqualTo(Instant.now());
  }

  @Test
  void outputAndErrorsGoToTheLogAndTheLogIsAppendedTo() throws Exception {
    Files.writeString(bench.log(), "before\n");
    var log = bench.run(bench.script("echo out; echo err >&2"));
    assertThat(log).isEqualTo("before\nout\nerr\n");
  }

  @Test
  void startingTwiceStartsOnce() throws Exception {
    var spec = bench.script("echo once; sleep 60");
    var first = bench.runtime.start(spec);
    bench.awaitLog("once");
    assertThat(bench.runtime.start(spec)).isEqualTo(first);
    assertThat(bench.runtime.list()).containsExactly(first);
    assertThat(first.image()).isEqualTo("host");
    assertThat(bench.logged()).isEqualTo("once\n");
  }

  @Test
  void theContainerIsAloneWithItsProcesses() throws Exception { // NRUN-02
    var log = bench.run(bench.script("ls -d /proc/[0-9]* | wc -l; hostname; echo $HOSTNAME"));
    assertThat(log.lines().skip(1)).containsExactly("web-0", "web-0");
    assertThat(Integer.parseInt(log.lines().findFirst().orElseThrow().strip())).isLessThan(6);
    assertThat(InetAddress.getLocalHost().getHostName()).isNotEqualTo("web-0");
  }

  @Test
  void theMachinesRootIsWritableInsideAndUntouchedOutside() throws Exception {
    var log =
        bench.run(bench.script("echo x > /etc/berth-test && cat /etc/berth-test && ls /bin/sh"));
    assertThat(log).isEqualTo("x\n/bin/sh\n");
    assertThat(Path.of("/etc/berth-test")).doesNotExist();
  }

  @Test
  void aReadOnlyRootRefusesWritesOutsideOfMounts() throws Exception {
    var volume = bench.make("volume");
    var log =
        bench.run(
            With.root(
                With.mounts(
                    bench.script(
                        "touch /etc/x /tmp/x 2>&1 | grep -c Read-only; touch /data/x && echo ok"),
                    mount(volume, "/data", ContainerMount.Access.READ_WRITE)),
                Root.READ_ONLY));
    assertThat(log).isEqualTo("2\nok\n");
  }

  @Test
  void programArgumentsEnvironmentAndDirectoryArriveUnchanged() throws Exception {
    var odd = "a 'b' \"c\" $HOME `id` \\ \n*";
    var log =
        bench.run(
            With.program(
                bench.script(""),
                new Program(
                    List.of(
                        "sh", "-c", "pwd; printf %s \"$1$ODD\"; env | grep -c SECRET", "sh", odd),
                    Map.of("ODD", odd, "with.dot", "1"),
                    "/made/for/this")));
    assertThat(log).isEqualTo("/made/for/this\n" + odd + odd + "0\n");
  }

  @Test
  void theEnvironmentIsTheSpecsAndNothingElse() throws Exception {
    var environment =
        new TreeMap<>(
            Map.of(
                "tls.crt",
                "two\nlines",
                "a\"b$c\\t 'd",
                "${HOME}",
                "-x",
                "",
                "UID",
                "7",
                "PWD",
                "p"));
    var spec =
        With.program(
            bench.script(""), new Program(List.of("cat", "/proc/self/environ"), environment, ""));
    environment.put("HOME", "/root");
    environment.put("HOSTNAME", "web-0");
    environment.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    assertThat(bench.run(spec).split("\0", -1))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    environment.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()),
                    Stream.of("")) // behind the last NUL
                .toList());
  }

  @Test
  void itRunsAsTheUserOfTheSpecWithTheGroupsOfTheSpec() throws Exception {
    var spec =
        With.user(
            bench.script("id -u; id -g; id -G; touch /tmp/x && echo ok"),
            new User(1234, 2345, List.of(77, 88)));
    assertThat(bench.run(spec)).isEqualTo("1234\n2345\n2345 77 88\nok\n");
  }

  @Test
  void anOrdinaryContainerCannotMountAndAPrivilegedOneCan() throws Exception {
    var script = "mount -t tmpfs none /mnt 2>/dev/null && echo mounted || echo refused";
    assertThat(bench.run(bench.script(script))).isEqualTo("refused\n");
    bench.runtime.remove(bench.script("").id());
    bench.ended.clear();
    assertThat(
            bench.run(
                With.rights(
                    bench.script(script + "; test -e /dev/loop-control && echo devices"),
                    Rights.PRIVILEGED)))
        .endsWith("mounted\ndevices\n");
  }

  @Test
  void noProgramGainsPrivilegesWhereThatIsForbidden() throws Exception {
    assertThat(
            bench.run(
                With.rights(
                    bench.script("grep NoNewPrivs /proc/self/status"), Rights.NO_NEW_PRIVILEGES)))
        .isEqualTo("NoNewPrivs:\t1\n");
  }

  @Test
  void devNodesWork() throws Exception {
    var log =
        bench.run(
            With.user(
                bench.script(
                    "head -c 4 /dev/urandom | wc -c; echo x > /dev/null && echo null; echo y >"
                        + " /dev/shm/x && echo shm; echo z > /dev/stdout"),
                new User(1000, 1000, List.of())));
    assertThat(log).isEqualTo("4\nnull\nshm\nz\n");
  }

  @Test
  void signalsAreNotIgnoredFromTheStart() throws Exception {
    var log = bench.run(bench.script("grep SigIgn /proc/self/status; kill -INT $$"));
    long ignored = Long.parseUnsignedLong(log.strip().split("\t", -1)[1], 16);
    assertThat(ignored & 0x7fffffff).isZero(); // those above are the C library's own
    assertThat(bench.awaitEnd(bench.script("").id()).exitCode()).isEqualTo(130);
  }

  @Test
  void aProgramThatListensEndsByItself() throws Exception {
    var spec = bench.script("trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.01; done");
    bench.runtime.start(spec);
    bench.awaitLog("up");
    bench.runtime.terminate(spec.id());
    assertThat(bench.awaitEnd(spec.id()).exitCode()).isEqualTo(7);
    assertThat(bench.logged()).endsWith("bye\n");
  }

  @Test
  void aProgramThatDoesNotCareAboutSignalsDiesOfTheFirst() throws Exception {
    var spec = With.program(bench.script(""), new Program(List.of("sleep", "60"), Map.of(), ""));
    bench.runtime.start(spec);
    bench.runtime.terminate(spec.id());
    assertThat(bench.awaitEnd(spec.id()).exitCode()).isEqualTo(143);
  }

  /// The volumes of other pods are loop devices; whoever may make the file of one may read it.
  @Test
  void noDeviceFileCanBeMade() throws Exception {
    assertThat(bench.run(bench.script("mknod /tmp/loop b 7 0 2>&1 && echo made; exit 0")))
        .doesNotContain("made");
  }

  @Test
  void theWholeTreeIsKilled() throws Exception {
    var volume = bench.make("volume");
    var spec =
        With.mounts(
            bench.script(
                "trap '' TERM; (setsid sh -c 'while :; do echo x >> /data/orphan; sleep 0.01; done'"
                    + " &); echo up; while :; do sleep 0.01; done"),
            mount(volume, "/data", ContainerMount.Access.READ_WRITE));
    bench.runtime.start(spec);
    bench.awaitLog("up");
    bench.runtime.terminate(spec.id());
    bench.runtime.kill(spec.id());
    assertThat(bench.awaitEnd(spec.id()).exitCode()).isEqualTo(137);
    await().until(() -> ProcessHandle.allProcesses().noneMatch(it -> sees(it, volume)));
  }

  /// Whether a process has `folder` among its own mounts: it is of the container.
  private static boolean sees(ProcessHandle process, Path folder) {
    try {
      return !process.equals(ProcessHandle.current())
          && Files.readString(Path.of("/proc", Long.toString(process.pid()), "mountinfo"))
              .contains(folder.toString());
    } catch (IOException gone) {
      return false;
    }
  }

  @Test
  void whatIsRemovedIsForgottenAndGone() throws Exception {
    var spec = bench.script("mkdir /deep && echo x > /deep/file; sleep 60");
    bench.runtime.start(spec);
    bench.runtime.remove(spec.id());
    assertThat(bench.runtime.list()).isEmpty();
    assertThat(bench.layout.pod("pod-1")).isEmptyDirectory();
    bench.runtime.remove(spec.id());
    bench.runtime.terminate(spec.id());
    bench.runtime.kill(spec.id());
  }

  @Test
  void lastWordsAreKept() throws Exception {
    var spec = bench.script("echo disk is full > /dev/termination-log; exit 1");
    bench.run(spec);
    assertThat(bench.runtime.terminationMessage(spec.id())).isEqualTo("disk is full\n");
  }

  @Test
  void secretsOfTheNodeAreHidden() throws Exception {
    var kept = Path.of("/var/tmp/../lib/berth-test-" + ProcessHandle.current().pid()).normalize();
    Files.createDirectories(kept);
    Files.writeString(kept.resolve("key"), "secret");
    try (var runtime = HostRuntime.open(bench.layout, List.of(kept))) {
      runtime.listen(bench.ended::add);
      var spec = bench.script("ls -A " + kept + " | wc -l");
      runtime.start(spec);
      bench.awaitEnd(spec.id());
      assertThat(bench.logged()).isEqualTo("0\n");
    } finally {
      Files.delete(kept.resolve("key"));
      Files.delete(kept);
    }
  }

  @Test
  void whatCannotRunIsRefusedAndLeavesNothing() throws Exception {
    var spec = bench.script("true");
    assertRefused(
        () -> bench.runtime.start(With.image(spec, "nginx:1.29")),
        Reason.ERR_IMAGE_NEVER_PULL,
        "nginx:1.29");
    assertRefused(
        () -> bench.runtime.start(With.program(spec, new Program(List.of(), Map.of(), ""))),
        Reason.CREATE_CONTAINER_CONFIG_ERROR,
        "no command");
    assertRefused(
        () -> bench.runtime.start(With.notRoot(spec)),
        Reason.CREATE_CONTAINER_CONFIG_ERROR,
        "image will run as root");
    assertRefused(
        () -> bench.runtime.start(program(spec, "nonsense")),
        Reason.RUN_CONTAINER_ERROR,
        "exec: \"nonsense\": executable file not found in $PATH");
    assertRefused(
        () -> bench.runtime.start(program(spec, "/etc/passwd")),
        Reason.RUN_CONTAINER_ERROR,
        "permission denied");
    assertRefused(
        () ->
            bench.runtime.start(
                With.mounts(
                    spec, mount(Path.of("/nowhere"), "/data", ContainerMount.Access.READ_ONLY))),
        Reason.CREATE_CONTAINER_ERROR,
        "/nowhere");
    assertThat(bench.runtime.list()).isEmpty();
    assertThat(bench.layout.pod("pod-1")).isEmptyDirectory();
    assertThat(bench.run(spec)).isEmpty(); // and now it starts
  }

  @Test
  void aLogThatCannotBeWrittenIsARefusal() {
    var spec = ContainerBench.spec(bench.script("").id(), "true", Path.of("/nowhere/log"));
    assertRefused(() -> bench.runtime.start(spec), Reason.CREATE_CONTAINER_ERROR, "/nowhere/log");
    assertThat(bench.runtime.list()).isEmpty();
  }

  @Test
  void aRefusalSaysNothingOfWhereOnTheMachineTheContainerIs() throws Exception {
    var spec = bench.script("");
    var below = mount(bench.make("data"), "/etc/passwd/data", ContainerMount.Access.READ_ONLY);
    assertThatThrownBy(() -> bench.runtime.start(With.mounts(spec, below)))
        .hasMessageContaining("/etc/passwd")
        .hasMessageNotContaining(bench.layout.root().toString());
  }

  private static ContainerSpec program(ContainerSpec spec, String program) {
    return With.program(spec, new Program(List.of(program), Map.of(), ""));
  }

  private static ContainerMount mount(Path source, String target, ContainerMount.Access access) {
    return new ContainerMount(source, target, access, Propagation.PRIVATE);
  }

  private static void assertRefused(ThrowingCallable start, Reason reason, String words) {
    assertThatThrownBy(start)
        .asInstanceOf(throwable(RefusedException.class))
        .hasMessageContaining(words)
        .extracting(RefusedException::reason)
        .isEqualTo(reason);
  }
}
