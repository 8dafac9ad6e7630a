package dev.berth.node.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.time.SystemTime;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.node.drain.DrainEffects;
import dev.berth.node.pod.PodEffect.Renew;
import dev.berth.node.pod.local.LocalState;
import dev.berth.node.pod.start.Assembly;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import dev.berth.node.token.PodTokens;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.ActualState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.DirectoryIteratorException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Files of a pod's volumes that cannot be written hold up nothing else of the pod: its probes have
/// times of their own, which the pause of a loop would stretch.
class RenewEffectTest {
  private final List<Notice> told = new ArrayList<>();

  static final List<Exception> troubles =
      List.of(
          new LinuxException("rename ..data", new Failure.Full(Errno.ENOSPC)),
          new UncheckedIOException(new IOException("Input/output error")),
          new DirectoryIteratorException(new IOException("Input/output error")),
          new IOException("Input/output error"));

  /// A failed effect makes the pod's loop pause; a renewal that was not noted would be due at once.
  @ParameterizedTest
  @FieldSource("troubles")
  void aMachineThatRefusesIsToldAndHoldsUpNothing(Exception trouble) throws Exception {
    assertThat(renew(trouble)).isTrue();
    assertThat(told).singleElement().asString().contains("stay as they are");
  }

  /// A mistake of ours goes to the loop, which tells it; the probes run on between its tries.
  @Test
  void aMistakeIsNotTriedAgainBeforeItsTime() throws Exception {
    assertThat(renew(new IllegalStateException("a mistake"))).isTrue();
    assertThat(told).isEmpty();
  }

  /// @return whether it is noted, as if it had been done
  private boolean renew(Exception trouble) throws Exception {
    var driver = new MemoryDriver();
    var memory = new MemoryFiles(driver);
    var runtime = new MemoryRuntime(driver);
    var local = new LocalState(runtime, Set.of());
    var mounted = new ActualState(Actual.NOTHING);
    var files = failing(memory, trouble);
    var pod =
        Kinds.POD
            .read()
            .apply(
                TestNode.yaml(
                    """
                    metadata: {namespace: default, name: web, uid: pod-1}
                    spec:
                      nodeName: n
                      containers: [{name: app, image: host}]
                      volumes:
                      - name: about
                        downwardAPI: {items: [{path: name, fieldRef: {fieldPath: metadata.name}}]}
                    """));
    try (var node = new TestNode(memory, memory);
        var time = new SystemTime("renew")) {
      var tokens = new PodTokens(node.api(), Instant::now);
      var effects =
          new PodEffects(
              node.api(),
              new Assembly(node.api(), files, tokens, "10.0.0.7", Map.of(), Optional.empty()),
              new Equipment(runtime, memory, files),
              new Findings(mounted, local, new DrainEffects(mounted).source()),
              told::add,
              time);
      if (trouble instanceof IllegalStateException)
        assertThatThrownBy(() -> effects.carryOut(new Renew(pod))).isSameAs(trouble);
      else effects.carryOut(new Renew(pod));
    }
    return local.now().renewed().containsKey("pod-1");
  }

  private static PodFiles failing(PodFiles files, Exception trouble) {
    return (PodFiles)
        Proxy.newProxyInstance(
            PodFiles.class.getClassLoader(),
            new Class<?>[] {PodFiles.class},
            (_, method, arguments) -> {
              if (method.getName().equals("content")) throw trouble;
              return method.invoke(files, arguments);
            });
  }
}
