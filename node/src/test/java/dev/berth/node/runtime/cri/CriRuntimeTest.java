package dev.berth.node.runtime.cri;

import static dev.berth.node.testing.TestNode.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.linux.mount.Propagation;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.Container;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerMount.Access;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ExecSpec;
import dev.berth.node.runtime.ImageRequest;
import dev.berth.node.runtime.ImageRequest.Policy;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.User;
import dev.berth.node.testing.ContainerEngine;
import dev.berth.node.testing.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Containers of a real containerd.
@Timeout(120)
class CriRuntimeTest {
  private static ContainerEngine engine;
  private final Set<ContainerId> ended = ConcurrentHashMap.newKeySet();
  private Scratch scratch;
  private CriRuntime runtime;

  @BeforeAll
  static void startEngine() throws Exception {
    engine = ContainerEngine.start();
  }

  @AfterAll
  static void stopEngine() throws Exception {
    if (engine != null) engine.close();
  }

  @BeforeEach
  void open() throws Exception {
    scratch = Scratch.open();
    Files.createDirectories(scratch.layout.root());
    reopen();
  }

  private void reopen() {
    if (runtime != null) runtime.close();
    runtime = CriRuntime.open(scratch.layout, engine.socket());
    runtime.listen(ended::add);
  }

  @AfterEach
  void close() throws Exception {
    if (runtime == null) return;
    for (var container : runtime.list()) runtime.remove(container.id());
    for (var pod : runtime.pods()) runtime.removePod(pod);
    runtime.close();
    scratch.close();
  }

  private ContainerId id(int attempt) {
    return new ContainerId("uid-1", "app", attempt);
  }

  private ContainerSpec script(String script, ContainerMount... mounts) throws IOException {
    return script(id(0), script, mounts);
  }

  private ContainerSpec script(ContainerId id, String script, ContainerMount... mounts)
      throws IOException {
    var log = scratch.directory.resolve("log/default_web_uid-1/app").resolve(id.attempt() + ".log");
    Files.createDirectories(log.getParent());
    var command = List.of("sh", "-c", script);
    return new ContainerSpec(
        id,
        ContainerEngine.IMAGE,
        "web",
        new Program(command, Map.of("GREETING", "hello"), ""),
        User.ROOT,
        Rights.ORDINARY,
        Root.WRITABLE,
        List.of(mounts),
        List.of(),
        log,
        Optional.of("/dev/termination-log"),
        Specs.running(command));
  }

  private ContainerState.Exited awaitEnd(ContainerId id) {
    await("end of " + id).until(() -> ended.contains(id));
    return (ContainerState.Exited) runtime.find(id).orElseThrow().state();
  }

  private String log() throws IOException {
    return Files.readString(scratch.directory.resolve("log/default_web_uid-1/app/0.log"));
  }

  @Test
  void aContainerRunsToItsEnd() throws Exception {
    var container =
        runtime.start(script("echo $GREETING; echo last words > /dev/termination-log; exit 7"));
    assertThat(container.id()).isEqualTo(id(0));
    assertThat(awaitEnd(id(0)).exitCode()).isEqualTo(7);
    assertThat(log()).contains(" stdout F hello\n"); // NRUN-14
    assertThat(runtime.terminationMessage(id(0))).isEqualTo("last words\n");
    runtime.remove(id(0));
    assertThat(runtime.list()).isEmpty();
    assertThat(runtime.pods()).containsExactly("uid-1");
    runtime.stopPod("uid-1");
    runtime.removePod("uid-1");
    assertThat(runtime.pods()).isEmpty();
  }

  @Test
  void aStartThatIsRepeatedStartsNothing() throws Exception {
    runtime.start(script("sleep 60"));
    var first = runtime.find(id(0)).orElseThrow();
    assertThat(runtime.start(script("sleep 60"))).isEqualTo(first);
    assertThat(runtime.list()).hasSize(1);
  }

  @Test
  void theNextAgentFindsWhatRuns() throws Exception { // NRUN-12
    runtime.start(script("while [ ! -e /stop/now ]; do sleep 0.02; done; exit 3", stop()));
    var before = runtime.find(id(0)).orElseThrow();
    reopen();
    assertThat(runtime.list()).containsExactly(before);
    Files.createFile(scratch.directory.resolve("stop/now"));
    assertThat(awaitEnd(id(0)).exitCode()).isEqualTo(3);
  }

  private ContainerMount stop() throws IOException {
    return mount(Files.createDirectories(scratch.directory.resolve("stop")), "/stop");
  }

  private static ContainerMount mount(Path source, String target) {
    return new ContainerMount(source, target, Access.READ_WRITE, Propagation.PRIVATE);
  }

  @Test
  void whatEndsWithoutAnAgentIsSeenByTheNext() throws Exception { // NRUN-12
    runtime.start(script("while [ ! -e /stop/now ]; do sleep 0.02; done; exit 3", stop()));
    runtime.close();
    Files.createFile(scratch.directory.resolve("stop/now"));
    reopen();
    await("it has ended")
        .until(() -> runtime.find(id(0)).orElseThrow().state() instanceof ContainerState.Exited);
  }

  @Test
  void whoIsAskedEndsAndWhoIsDeafIsKilled() throws Exception { // NRUN-09
    runtime.start(script("trap 'exit 5' TERM; while true; do sleep 0.02; done"));
    runtime.terminate(id(0));
    assertThat(awaitEnd(id(0)).exitCode()).isEqualTo(5);
    var deaf = script(id(1), "trap '' TERM; echo deaf; while true; do sleep 0.02; done");
    runtime.start(deaf);
    await("it is deaf").until(() -> Files.readString(deaf.log()).contains("deaf"));
    runtime.terminate(id(1));
    runtime.kill(id(1));
    assertThat(awaitEnd(id(1)).exitCode()).isEqualTo(137);
    runtime.kill(id(1));
    runtime.terminate(id(1));
  }

  @Test
  void anEndIsToldByAnEngineThatWasAway() throws Exception {
    runtime.start(script("while [ ! -e /stop/now ]; do sleep 0.02; done; exit 3", stop()));
    engine.stop();
    Files.createFile(scratch.directory.resolve("stop/now"));
    engine.restart();
    reopen();
    await("it has ended")
        .until(() ->
            runtime.find(id(0)).map(Container::state).orElseThrow()
                    instanceof ContainerState.Exited(_, _, int code)
                && code == 3);
  }

  @Test
  void mountsAreAsTheyAreAskedFor() throws Exception { // NRUN-04, NSUB-05
    var outer = Files.createDirectories(scratch.directory.resolve("outer"));
    var inner = Files.createDirectories(scratch.directory.resolve("inner"));
    Files.writeString(inner.resolve("word"), "inside");
    runtime.start(
        script(
            "cat /data/inner/word; touch /data/inner/no || echo read-only; touch /data/yes",
            new ContainerMount(inner, "/data/inner", Access.READ_ONLY, Propagation.PRIVATE),
            mount(outer, "/data")));
    assertThat(awaitEnd(id(0)).exitCode()).isZero();
    assertThat(log()).contains("inside", "read-only");
    assertThat(outer.resolve("yes")).exists();
  }

  @Test
  void whatCannotStartLeavesNothing() throws Exception {
    var nothing =
        new ContainerSpec(
            id(0),
            ContainerEngine.IMAGE,
            "web",
            new Program(List.of("/no/such/program"), Map.of(), ""),
            User.ROOT,
            Rights.ORDINARY,
            Root.WRITABLE,
            List.of(),
            List.of(),
            script("").log(),
            Optional.empty(),
            Specs.running(List.of("/no/such/program")));
    assertThatThrownBy(() -> runtime.start(nothing))
        .isInstanceOf(RefusedException.class)
        .extracting(it -> ((RefusedException) it).reason())
        .isEqualTo(Reason.RUN_CONTAINER_ERROR);
    assertThat(runtime.list()).isEmpty();
    assertThat(runtime.start(script("exit 0")).id()).isEqualTo(id(0));
    assertThat(awaitEnd(id(0)).exitCode()).isZero();
  }

  @Test
  void anImageIsHadAsItsPolicySays() throws Exception {
    runtime.obtainImage(new ImageRequest("uid-1", ContainerEngine.IMAGE, Policy.NEVER, List::of));
    runtime.obtainImage(
        new ImageRequest("uid-1", ContainerEngine.IMAGE, Policy.IF_NOT_PRESENT, List::of));
    assertRefused("localhost/other:1", Policy.NEVER, Reason.ERR_IMAGE_NEVER_PULL);
    assertRefused("localhost:1/other:1", Policy.IF_NOT_PRESENT, Reason.ERR_IMAGE_PULL);
    assertRefused("localhost:1/other:1", Policy.ALWAYS, Reason.IMAGE_PULL_BACK_OFF);
    assertRefused(" ", Policy.ALWAYS, Reason.INVALID_IMAGE_NAME);
  }

  private void assertRefused(String image, Policy policy, Reason reason) {
    assertThatThrownBy(
            () -> runtime.obtainImage(new ImageRequest("uid-1", image, policy, List::of)))
        .isInstanceOf(RefusedException.class)
        .extracting(it -> ((RefusedException) it).reason())
        .isEqualTo(reason);
  }

  @Test
  void aFurtherProgramRunsInAContainer() throws Exception {
    runtime.start(script("echo here > /tmp/word; sleep 60"));
    await("it has begun")
        .until(() -> {
          try (var cat = runtime.exec(id(0), command("cat", "/tmp/word"))) {
            return cat.await() == 0
                && new String(cat.output().readAllBytes(), UTF_8).equals("here\n");
          }
        });
    try (var fails = runtime.exec(id(0), command("sh", "-c", "echo why >&2; exit 3"))) {
      assertThat(fails.await()).isEqualTo(3);
      assertThat(new String(fails.error().readAllBytes(), UTF_8)).isEqualTo("why\n");
    }
    try (var missing = runtime.exec(id(0), command("/no/such/program"))) {
      assertThat(missing.await()).isNotZero();
    }
    runtime.kill(id(0));
    assertThatThrownBy(() -> runtime.exec(id(0), command("true")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is not running");
  }

  private static ExecSpec command(String... words) {
    return new ExecSpec(List.of(words), ExecSpec.Terminal.NONE);
  }

  @Test
  void anotherAgentsContainersAreNotTouched() throws Exception {
    runtime.start(script("sleep 60"));
    try (var other =
        CriRuntime.open(new Layout(scratch.directory.resolve("other")), engine.socket())) {
      assertThat(other.list()).isEmpty();
      assertThat(other.pods()).isEmpty();
      other.remove(id(0));
      other.removePod("uid-1");
    }
    assertThat(runtime.find(id(0)).orElseThrow().state())
        .isInstanceOf(ContainerState.Running.class);
  }
}
